#include "partition/linearize.h"

#include "expr/derivative.h"

namespace hydae::partition {

namespace {

// One entry of a rate matrix: where it goes, and the expression that it is.
struct RateEntry {
  int row, column;
  bool is_of_mass;
  NodeId expression;
};

std::vector<RateEntry> find_rate_entries(const FirstOrderSystem& system) {
  std::vector<RateEntry> entries;
  Graph& graph = system.graph();
  for (EqId i : ids<EqId>(system.rows.size())) {
    for (const Partial& partial : gradient(graph, system.rows[i].residual)) {
      const auto column = system.find_column(partial.leaf.variable);
      if (!column) continue;
      const NodeId rate = total_derivative(graph, partial.derivative);
      if (graph.is_constant(rate, 0.0)) continue;
      entries.push_back({static_cast<int>(i.index()), static_cast<int>(column->index()),
                         partial.leaf.order == 1, rate});
    }
  }
  return entries;
}

}  // namespace

Linearization linearize(const FirstOrderSystem& system, const PointRates& motion) {
  std::vector<NodeId> residuals;
  for (const SystemRow& row : system.rows) residuals.push_back(row.residual);
  MotionEvaluator evaluator(system, std::move(residuals));
  MotionEvaluator::Derivatives derivatives = evaluator.differentiate(motion);

  const std::vector<RateEntry> entries = find_rate_entries(system);
  std::vector<NodeId> expressions;
  for (const RateEntry& entry : entries) expressions.push_back(entry.expression);
  const std::vector<double> rates = MotionEvaluator(system, expressions).evaluate(motion);
  std::vector<Eigen::Triplet<double>> jacobian_rate, mass_rate;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    (entries[k].is_of_mass ? mass_rate : jacobian_rate)
        .emplace_back(entries[k].row, entries[k].column, rates[k]);
  }
  Linearization result{motion.t, std::move(derivatives.by_rate), std::move(derivatives.by_value),
                       SparseMatrix(), SparseMatrix()};
  const auto rows = result.mass.rows(), columns = result.mass.cols();
  result.jacobian_rate.resize(rows, columns);
  result.jacobian_rate.setFromTriplets(jacobian_rate.begin(), jacobian_rate.end());
  if (mass_rate.empty()) return result;
  result.mass_rate.resize(rows, columns);
  result.mass_rate.setFromTriplets(mass_rate.begin(), mass_rate.end());
  return result;
}

}  // namespace hydae::partition
