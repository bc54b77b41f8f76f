// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs, and restart. Modes are made when they are first met and kept. Truths that leave the
// same equations are one mode: what stands in a branch that is not taken does not count.
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
  TaylorProgram compiled;  // outputs: guards of relations, delayed signals, roots
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
  Mode& find_or_make(const std::vector<bool>& truths, const std::vector<double>& table);
  int num_modes() const { return static_cast<int>(modes_.size()); }

 private:
  std::unique_ptr<Mode> make(const std::vector<bool>& truths, const std::vector<NodeId>& decided,
                             const std::vector<double>& table) const;
  std::vector<NodeId> decided_roots(const std::vector<bool>& truths) const;

  const HybridModel& model_;
  std::map<std::vector<bool>, Mode*> by_truths_;
  std::map<std::vector<NodeId>, std::unique_ptr<Mode>> modes_;  // by equations and outputs
};

}  // namespace hydae
