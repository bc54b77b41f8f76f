#include "partition/path_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include <hydae/error.h>

#include "expr/incidence.h"

namespace hydae::partition {

namespace {

// What keeps a path constraint from being a row; empty if nothing does.
std::string find_obstacle(const Graph& graph, NodeId residual) {
  const std::vector<Leaf> all = leaves(graph, std::span(&residual, 1));
  if (std::any_of(all.begin(), all.end(), [](const Leaf& leaf) { return leaf.order > 0; }))
    return "derivatives: give them a name";
  const Contents inside = contents(graph, residual);
  if (inside.has_relations || inside.has_switching) return "branches: it cannot be differentiated";
  return "";
}

}  // namespace

PathRows::PathRows(const Model& model, System& system)
    : model_(model), first_(system.residuals.size()), excess_(size()), is_active_(size(), false) {
  Diagnostics diagnostics;
  for (const PathConstraint& constraint : model.path_constraints()) {
    const NodeId residual = (constraint.lhs - constraint.rhs).in(model.graph());
    if (const std::string obstacle = find_obstacle(model.graph(), residual); !obstacle.empty())
      diagnostics.error("path-constraint",
                        fmt::format("path constraint `{}` has {}", constraint.name, obstacle),
                        constraint.source);
    const EqId added = system.add_equation(residual, constraint.name);
    system.equation_sources[added] = constraint.source;
  }
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

void PathRows::measure(const FirstOrderSystem& system, const std::vector<PointRates>& motions) {
  if (size() == 0) return;
  std::vector<NodeId> sides;
  for (const PathConstraint& constraint : model_.path_constraints()) {
    sides.push_back(constraint.lhs.in(model_.graph()));
    sides.push_back(constraint.rhs.in(model_.graph()));
  }
  excess_.assign(size(), {});
  MotionEvaluator evaluator(system, sides);
  for (const PointRates& motion : motions) {
    const std::vector<double> values = evaluator.evaluate(motion);
    for (std::size_t k = 0; k < size(); ++k) judge(k, values[2 * k], values[2 * k + 1]);
  }
}

void PathRows::judge(std::size_t k, double lhs, double rhs) {
  constexpr double kActive = 1e-9;  // of both sides: more than rounding, less than a tolerance
  excess_[k].push_back(lhs - rhs);
  const bool is_reached = lhs - rhs >= -kActive * (std::abs(lhs) + std::abs(rhs));
  if (model_.path_constraints()[k].is_equality || is_reached) is_active_[k] = true;
}

std::vector<double> PathRows::excess_of(EqId row) const {
  if (!row.is_valid() || row.index() < first_) return {};
  const std::size_t k = row.index() - first_;
  return model_.path_constraints()[k].is_equality ? std::vector<double>() : excess_[k];
}

}  // namespace hydae::partition
