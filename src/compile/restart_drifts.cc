#include "compile/restart_drifts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/derivative.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// How often an expression can be differentiated: code as a whole twice.
int derivatives_left(const System& system, NodeId root) {
  int most = std::numeric_limits<int>::max();
  Walk walk;
  for (NodeId id : walk.order(system.graph(), root)) {
    if (!is_call(system.graph().op(id))) continue;
    const Node node = system.graph().node(id);
    most = std::min(most, 2 - (node.input >= 0) - (node.second_input >= 0));
  }
  return most;
}

}  // namespace

void RestartDrifts::make(const AnalyzedSystem& prepared, int max_c) {
  const System& system = prepared.system;
  are_made_ = true;
  std::vector<NodeId> roots;
  for (EqId eq : ids<EqId>(system.residuals.size())) {
    for (const Partial& partial : gradient(system.graph(), system.residuals[eq])) {
      if (!system.find_column(partial.leaf.variable)) continue;
      const int differentiable = derivatives_left(system, partial.derivative);
      for (int r = 1; r < max_c; ++r) {
        if (r > differentiable) {
          list_.push_back({eq, partial.leaf, r, /*is_known=*/false});
          roots.push_back(system.graph().constant(0));
          break;
        }
        const NodeId derivative = total_derivative(system.graph(), partial.derivative, r);
        if (system.graph().is_constant(derivative, 0)) break;
        list_.push_back({eq, partial.leaf, r});
        roots.push_back(derivative);
      }
    }
  }
  if (!roots.empty()) values_.emplace(system.graph(), roots, &system.model->functions());
}

// A coefficient that multiplies a derivative of delta is continuous: left limits are as good as
// right ones, and known.
void RestartDrifts::load(const System& system, const RestartInput& input) {
  for (Drift& drift : list_) drift.value = 0;
  if (!values_) return;
  std::vector<double> values, pre_values;
  for (Leaf leaf : values_->leaves()) {
    const bool is_column = system.find_column(leaf.variable).has_value();
    const double value = is_column ? input.left(leaf) : input.held(leaf);
    values.push_back(std::isfinite(value) ? value : 0.0);
  }
  for (Leaf leaf : values_->pre_leaves()) pre_values.push_back(input.held(leaf));
  Point p;
  p.time = input.time;
  p.parameters = input.parameters;
  p.values = values;
  p.pre_values = pre_values;
  const auto found = values_->evaluate(p);
  for (std::size_t k = 0; k < list_.size(); ++k) {
    if (std::isfinite(found[k])) list_[k].value = found[k];
    if (!list_[k].is_known) list_[k].value = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace hydae
