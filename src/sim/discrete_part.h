// The discrete part of a model at one instant: discrete equations and when-clauses, evaluated until
// nothing changes, with all values under pre() frozen.
#pragma once

#include <string>
#include <vector>

#include "sim/instant.h"

namespace hydae {

struct Reinit {
  Leaf target;
  double value = 0;
};

struct DiscreteOutcome {
  std::vector<double> values;    // by VarId
  std::vector<bool> conditions;  // of all when-clauses, one after the other
  std::vector<Reinit> reinits;
  std::vector<std::size_t> impacts;         // of HybridModel::impacts() that act
  std::vector<const WhenAction*> warnings;  // assertions of level warning that failed
  const WhenAction* failed_assertion = nullptr;
  const WhenAction* terminate = nullptr;
  bool has_cycle = false;  // discrete equations that do not settle
};

class DiscretePart {
 public:
  explicit DiscretePart(const HybridModel& model);

  // `instant.discrete` is where the iteration starts. `were_true`: the conditions before this pass;
  // a branch fires when one of its conditions has become true, or, while initializing, when it is
  // initial() and true.
  DiscreteOutcome evaluate(Instant instant, const std::vector<bool>& were_true);
  std::size_t num_conditions() const { return num_conditions_; }

 private:
  void run_whens(const Instant& instant, const std::vector<bool>& were_true,
                 DiscreteOutcome& outcome);

  const HybridModel& model_;
  ExpressionList equations_, conditions_, actions_;
  std::size_t num_conditions_ = 0;
};

}  // namespace hydae
