#include "sim/constraint_meter.h"

#include <algorithm>
#include <cmath>

namespace hydae {

// What reads the past or the left limit of an event is left out: it holds by itself.
ConstraintMeter::Constraints& ConstraintMeter::constraints_of(const CompiledMode& mode) {
  const auto [at, is_new] = by_mode_.try_emplace(&mode);
  Constraints& made = at->second;
  if (!is_new) return made;
  const System& system = mode.prepared.system;
  std::vector<NodeId> residuals;
  for (EqId eq : ids<EqId>(system.residuals.size()))
    if (mode.prepared.structure.offsets.c[eq] > 0) residuals.push_back(system.residuals[eq]);
  if (residuals.empty()) return made;
  Evaluator evaluator(system.graph(), residuals, &system.model->functions());
  if (!evaluator.given().empty() || !evaluator.pre_leaves().empty()) return made;
  for (const Leaf& leaf : evaluator.leaves()) {
    const auto column = system.find_column(leaf.variable);
    if (!column) return made;
    made.columns.push_back(*column);
  }
  made.values.resize(made.columns.size());
  made.residuals.emplace(std::move(evaluator));
  return made;
}

void ConstraintMeter::measure(const TaylorSolution& solution, const std::vector<double>& table) {
  Constraints& constraints = constraints_of(solution.mode());
  if (!constraints.residuals) return;
  const std::vector<Leaf>& leaves = constraints.residuals->leaves();
  for (std::size_t k = 0; k < leaves.size(); ++k)
    constraints.values[k] =
        solution.value(constraints.columns[k], leaves[k].order, solution.time());
  for (double residual : constraints.residuals->evaluate(
           {.time = solution.time(), .parameters = table, .values = constraints.values}))
    if (std::isfinite(residual)) largest_ = std::max(largest_, std::abs(residual));
}

}  // namespace hydae
