// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs, and restart. Modes are made when they are first met and kept. What identifies a mode
// is the truth of the conditions that its equations depend on, and which guards are held at zero.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "compile/lower.h"
#include "compile/prepare.h"
#include "compile/restart.h"
#include "sim/hold.h"

namespace hydae {

struct Mode {
  int number = 0;                 // in the order of discovery, from 1
  std::vector<Hold> holds;        // guards held at zero
  std::vector<NodeId> residuals;  // as decided, before any repair
  Prepared prepared;
  TaylorProgram compiled;  // outputs: guards of relations in their order, then two exits per hold
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

  Mode& find_or_make(const std::vector<bool>& truths) { return find_or_make({truths}, {}); }
  Mode& find_or_make(const CornerTruths& truths, const std::vector<Hold>& holds);
  int num_modes() const { return static_cast<int>(modes_.size()); }
  long num_hits() const { return num_hits_; }  // searches that found a mode already made

 private:
  using Key = std::pair<CornerTruths, std::vector<Hold>>;
  std::unique_ptr<Mode> make(const CornerTruths& truths, const std::vector<Hold>& holds);

  const HybridModel& model_;
  std::map<Key, std::unique_ptr<Mode>> modes_;
  long num_hits_ = 0;
};

}  // namespace hydae
