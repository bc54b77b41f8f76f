// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs, and restart. Modes are made when they are first met and kept. What identifies a mode
// are its equations with all conditions decided (what stands in a branch that is not taken does not
// count), and which guards are held at zero.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "compile/lower.h"
#include "compile/prepare.h"
#include "compile/restart.h"
#include "sim/hold.h"
#include "sim/output_layout.h"

namespace hydae {

struct Mode {
  int number = 0;                 // in the order of discovery, from 1
  std::vector<Hold> holds;        // guards that are held at zero
  std::vector<NodeId> residuals;  // as decided, before any repair
  Prepared prepared;
  std::vector<NodeId> outputs;
  OutputLayout layout;  // of the outputs
  TaylorProgram compiled;
  // sqrt(u) in the equations: a series runs on into the other branch of the root where u touches
  // zero, so the sign of the root is watched.
  std::vector<NodeId> roots;
  Diagnostics defects;  // why the mode cannot be simulated; empty if it can

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

  // `table`: at which the structure of a new mode is checked.
  Mode& find_or_make(const ModeTruths& truths, const std::vector<Hold>& holds,
                     const std::vector<double>& table);
  int num_modes() const { return static_cast<int>(modes_.size()); }
  long num_hits() const { return num_hits_; }  // searches that found a mode already made

 private:
  using Key = std::pair<ModeTruths, std::vector<Hold>>;
  std::unique_ptr<Mode> make(HeldResiduals held, std::vector<NodeId> delayed,
                             const std::vector<Hold>& holds, const std::vector<double>& table);

  const HybridModel& model_;
  std::map<Key, Mode*> by_truths_;
  // By equations and outputs.
  std::map<std::pair<std::vector<NodeId>, std::vector<Hold>>, std::unique_ptr<Mode>> modes_;
  long num_hits_ = 0;
};

}  // namespace hydae
