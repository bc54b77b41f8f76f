// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs, and restart. Modes are made when they are first met and kept.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "compile/lower.h"
#include "compile/prepare.h"
#include "compile/restart.h"
#include "sim/hybrid_model.h"

namespace hydae {

struct Mode {
  int number = 0;            // in the order of discovery, from 1
  std::vector<bool> truths;  // of HybridModel::conditions()
  Prepared prepared;
  TaylorProgram compiled;  // outputs: guards of relations, in their order
  Diagnostics defects;     // why the mode cannot be simulated; empty if it can

  Restart& restart() {
    if (!restart_) restart_.emplace(prepared);
    return *restart_;
  }

 private:
  std::optional<Restart> restart_;
};

class ModeCache {
 public:
  explicit ModeCache(const HybridModel& model) : model_(model) {}

  Mode& find_or_make(const std::vector<bool>& truths);
  int num_modes() const { return static_cast<int>(modes_.size()); }

 private:
  std::unique_ptr<Mode> make(const std::vector<bool>& truths);

  const HybridModel& model_;
  std::map<std::vector<bool>, std::unique_ptr<Mode>> modes_;
};

}  // namespace hydae
