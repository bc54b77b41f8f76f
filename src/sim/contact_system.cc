#include "sim/contact_system.h"

#include <cmath>
#include <fmt/format.h>

#include "compile/ill_posed_report.h"

namespace hydae {

// Each speed is asked for with its derivative, so that it is part of the restart.
ContactSystem::ContactSystem(const CompiledMode& mode, const std::vector<NodeId>& speeds,
                             std::vector<EqId> rows)
    : rows_(std::move(rows)) {
  System system = mode.prepared.system;
  Graph& graph = system.graph();
  const NodeId zero = graph.constant(0);
  for (NodeId value : speeds) {
    const std::string text = system.to_string(value);
    const VarId speed = system.add_unknown(text, zero);
    const VarId change = system.add_unknown(fmt::format("derivative of {}", text), zero);
    const VarId speed_id = system.unknowns[speed];
    system.add_equation(graph.binary(Op::kSub, graph.variable(speed_id), value), text);
    system.add_equation(graph.binary(Op::kSub, graph.variable(system.unknowns[change]),
                                     graph.variable(speed_id, 1)),
                        text);
    speed_columns_.push_back(speed);
  }
  prepared_ = analyze_system(std::move(system));
  Diagnostics defects;
  report_ill_posed(prepared_, defects);
  report_singular_jacobian(prepared_, defects);
  if (defects.has_errors())
    defect_ = defects.items().front().message;
  else
    restart_.emplace(prepared_);
}

// Of the speed, of the highest order: what the gap jumps by, or what impulse it has itself.
double ContactSystem::impulse_of_speed(RestartInput& input, Eigen::Index i, double impulse) {
  const auto n = static_cast<Eigen::Index>(rows_.size());
  speeds_after(input, impulse * Eigen::VectorXd::Unit(n, i));
  const ImpulseWeight* highest = nullptr;
  for (const ImpulseWeight& weight : restarted_.impulses)
    if (weight.column == speed_columns_[static_cast<std::size_t>(i)] &&
        (highest == nullptr || weight.order > highest->order))
      highest = &weight;
  return highest == nullptr ? 0 : highest->weight;
}

// A jump grows with the impulse, rounding does not: no size is needed to tell them apart.
bool ContactSystem::moves_gap(RestartInput& input, Eigen::Index i) {
  constexpr double kMore = 1024, kAlike = 0.01;
  const double jump = impulse_of_speed(input, i, 1);
  if (jump == 0 || !restarted_.succeeded()) return false;
  const double more = impulse_of_speed(input, i, kMore);
  return restarted_.succeeded() && std::abs(more - kMore * jump) <= kAlike * std::abs(more);
}

Eigen::VectorXd ContactSystem::speeds_after(RestartInput& input, const Eigen::VectorXd& impulses) {
  input.sources.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    input.sources.emplace_back(rows_[i], -impulses(static_cast<Eigen::Index>(i)));
  restarted_ = restart_->solve(input);
  if (!restarted_.succeeded()) return {};
  Eigen::VectorXd speeds(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    speeds(static_cast<Eigen::Index>(i)) = restarted_.right[speed_columns_[i].index()][0];
  return speeds;
}

}  // namespace hydae
