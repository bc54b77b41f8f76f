#include "sim/contact_system.h"

#include <fmt/format.h>

#include "compile/ill_posed_report.h"
#include "structure/offsets.h"

namespace hydae {

// The transfer function from the force to the gap is the quotient of the determinants of the two
// systems, and the degree of each is its number of degrees of freedom.
int relative_degree(const HybridModel& model, const CompiledMode& open, EqId row, NodeId gap) {
  std::vector<NodeId> residuals = open.residuals;
  residuals[row.index()] = gap;
  System system = model.system(open.prepared.system.nodes, std::move(residuals));
  system.table = open.prepared.system.table;
  const AnalyzedSystem closed = analyze_system(std::move(system));
  Diagnostics defects;
  report_ill_posed(closed, defects);
  report_singular_jacobian(closed, defects);
  if (defects.has_errors()) return kNoDegree;
  return static_cast<int>(structure::degrees_of_freedom(open.prepared.structure.offsets) -
                          structure::degrees_of_freedom(closed.structure.offsets));
}

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
