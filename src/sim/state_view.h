// The committed state together with its solution, as expressions read it.
#pragma once

#include "sim/evaluation_context.h"
#include "sim/hybrid_state.h"
#include "sim/mode_solution.h"
#include "sim/switch_table.h"

namespace hydae {

struct StateView {
  const HybridState& state;
  const ModeSolution& solution;
  const std::vector<double>& table;

  double time() const { return solution.time(); }
  // Of unknowns that are not the model's own (of holds), too.
  double value(Leaf leaf, double t) const {
    const std::size_t k = leaf.variable.index();
    return solution.value_or(k < state.discrete.size() ? state.discrete[k] : 0.0, leaf, t);
  }
  // Must not outlive the view.
  std::function<double(Leaf)> values(double t) const {
    return [this, t](Leaf leaf) { return value(leaf, t); };
  }
  EvaluationContext at(double t) const {
    EvaluationContext now;
    now.t = t;
    now.continuous = now.before = values(t);
    now.discrete = now.pre = &state.discrete;
    now.table = &table;
    return now;
  }
};

}  // namespace hydae
