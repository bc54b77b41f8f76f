#include "sim/left_limit.h"

#include <limits>

namespace hydae {

double LeftLimit::value(Leaf leaf) const {
  const auto& jet = jets[leaf.variable.index()];
  const auto order = static_cast<std::size_t>(leaf.order);
  return order < jet.size() ? jet[order] : std::numeric_limits<double>::quiet_NaN();
}

LeftLimit left_limit(const SolutionPtr& solution, double t, std::size_t num_variables) {
  constexpr int kMoreOrders = 4;  // than the old mode has: the new one may ask for them
  LeftLimit left;
  left.jets.resize(num_variables);
  const AnalyzedSystem& prepared = solution->mode().prepared;
  for (VarId column : ids<VarId>(prepared.system.unknowns.size())) {
    const VarId variable = prepared.system.unknowns[column];
    if (variable.index() >= num_variables) continue;
    for (int order = 0; order <= prepared.structure.offsets.d[column] + kMoreOrders; ++order)
      left.jets[variable.index()].push_back(solution->value(column, order, t));
  }
  left.solution = solution;
  return left;
}

}  // namespace hydae
