// The committed state together with its solution, as expressions read it.
#pragma once

#include "sim/bdf_solver.h"
#include "sim/hybrid_state.h"
#include "sim/instant.h"
#include "sim/switch_table.h"
#include "sim/taylor_solution.h"

namespace hydae {

struct StateView {
  const HybridState& state;
  const TaylorSolution& solution;
  const std::vector<double>& table;
  BdfSolver* bdf = nullptr;  // ahead of the series while it runs

  double time() const { return bdf != nullptr ? bdf->time() : solution.time(); }
  double value(Leaf leaf, double t) const {
    const auto column = solution.mode().prepared.system.find_column(leaf.variable);
    if (!column) return state.discrete[leaf.variable.index()];
    return bdf != nullptr ? bdf->value(*column, leaf.order, t)
                          : solution.value(*column, leaf.order, t);
  }
  // Must not outlive the view.
  std::function<double(Leaf)> values(double t) const {
    return [this, t](Leaf leaf) { return value(leaf, t); };
  }
  Instant at(double t) const {
    Instant now;
    now.t = t;
    now.continuous = now.before = values(t);
    now.discrete = now.pre = &state.discrete;
    now.table = &table;
    return now;
  }
};

}  // namespace hydae
