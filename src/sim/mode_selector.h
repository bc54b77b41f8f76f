// From switches, holds and discrete values to the mode that they stand for.
#pragma once

#include <vector>

#include "sim/mode_choice.h"
#include "sim/mode_library.h"
#include "sim/switch_table.h"

namespace hydae {

class ModeSelector {
 public:
  ModeSelector(const HybridModel& model, ModeLibrary& modes)
      : model_(model), modes_(modes), conditions_(model, model.conditions()), table_(model) {}

  struct Selected {
    const CompiledMode& mode;
    ModeTruths truths;
    const std::vector<double>& numbers;  // of the choice; valid until the next call
  };
  // `content.switches` are the switches of the choice, `holds` the guards that are held.
  Selected select(double t, const TableContent& content, const std::vector<PinnedGuard>& pins);

 private:
  ModeTruths find_truths(double t, const TableContent& content,
                         const std::vector<PinnedGuard>& pins);
  std::vector<bool> truths_at(double t, const TableContent& content);

  const HybridModel& model_;
  ModeLibrary& modes_;
  CompiledExpressions conditions_;  // of selects
  SwitchTable table_;
};

// The surfaces of sliding holds; those that some select reads together are together.
std::vector<std::vector<std::size_t>> sliding_groups(const HybridModel& model,
                                                     const std::vector<PinnedGuard>& pins);

}  // namespace hydae
