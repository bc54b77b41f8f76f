// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs. Modes are made when they are first met, kept, and never changed. What identifies a
// mode are its equations with all conditions decided (what stands in a branch that is not taken
// does not count), and which guards are held at zero.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "compile/lower.h"
#include "compile/prepare.h"
#include "sim/hold.h"
#include "sim/output_layout.h"

namespace hydae {

struct CompiledMode {
  int number = 0;                 // in the order of discovery, from 1
  std::vector<Hold> holds;        // guards that are held at zero
  std::vector<NodeId> residuals;  // as decided, before any repair
  Prepared prepared;
  std::vector<NodeId> outputs;
  OutputLayout layout;              // of the outputs
  std::vector<std::size_t> inputs;  // places of the table that equations and outputs read
  TaylorProgram compiled;
  // sqrt(u) in the equations: a series runs on into the other branch of the root where u touches
  // zero, so the sign of the root is watched.
  std::vector<NodeId> roots;
  Diagnostics defects;  // why the mode cannot be simulated; empty if it can

  std::vector<NodeId> guards_and_exits() const {
    const auto end = static_cast<std::ptrdiff_t>(layout.exit(layout.num_exits));
    return {outputs.begin(), outputs.begin() + end};
  }
};

class ModeLibrary {
 public:
  // Without series modes have no outputs and no Taylor program.
  explicit ModeLibrary(const HybridModel& model, bool with_series = true)
      : model_(model), with_series_(with_series) {}

  // `table`: at which the structure of a new mode is checked.
  const CompiledMode& find_or_make(const ModeTruths& truths, const std::vector<Hold>& holds,
                                   const std::vector<double>& table);
  int num_modes() const { return static_cast<int>(modes_.size()); }
  long num_hits() const { return num_hits_; }  // searches that found a mode already made

 private:
  using Key = std::pair<ModeTruths, std::vector<Hold>>;
  std::shared_ptr<CompiledMode> make(HeldResiduals held, std::vector<NodeId> delayed,
                                     const std::vector<Hold>& holds,
                                     const std::vector<double>& table);

  void make_program(HeldResiduals held, const std::vector<NodeId>& delayed,
                    CompiledMode& mode) const;

  const HybridModel& model_;
  bool with_series_;
  std::map<Key, const CompiledMode*> by_truths_;
  // By equations and outputs.
  std::map<std::pair<std::vector<NodeId>, std::vector<Hold>>, std::shared_ptr<const CompiledMode>>
      modes_;
  long num_hits_ = 0;
};

}  // namespace hydae
