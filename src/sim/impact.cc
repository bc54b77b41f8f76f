#include "sim/impact.h"

#include <algorithm>
#include <fmt/format.h>

#include "compile/ill_posed_report.h"

namespace hydae {

// The row that determines a carrier is the one that the transversal of the mode gives it.
std::string ImpactSolver::replace_rows(const CompiledMode& mode,
                                       const std::vector<std::size_t>& clauses,
                                       std::vector<NodeId>& residuals,
                                       std::vector<std::string>& names) const {
  std::vector<bool> is_replaced(residuals.size(), false);
  for (std::size_t clause : clauses) {
    const ImpactClause& impact = model_.impacts()[clause];
    for (std::size_t k = 0; k < impact.carriers.size(); ++k) {
      const VarId carrier = impact.carriers[k];
      const VarId column = *mode.prepared.system.find_column(carrier);
      const EqId row = mode.prepared.structure.transversal.matching.var_to_eq[column];
      if (row.index() >= residuals.size() || is_replaced[row.index()])
        return fmt::format("the impulse of `{}` cannot be told from that of another law",
                           model_.model().all_variables()[carrier].name);
      is_replaced[row.index()] = true;
      residuals[row.index()] = impact.residuals[k];
      names[row.index()] = impact.texts[k];
    }
  }
  return "";
}

ImpactSolver::Instant& ImpactSolver::find_or_make(const CompiledMode& mode,
                                                  const std::vector<std::size_t>& clauses) {
  std::unique_ptr<Instant>& instant = instants_[{mode.number, clauses}];
  if (instant) return *instant;
  instant = std::make_unique<Instant>();
  std::vector<NodeId> residuals = mode.residuals;
  System system = model_.system(mode.prepared.system.nodes, residuals);
  system.table = mode.prepared.system.table;
  std::vector<std::string> names = system.equation_names.raw();
  instant->defect = replace_rows(mode, clauses, residuals, names);
  if (!instant->defect.empty()) return *instant;
  system.residuals = IdVector<EqId, NodeId>(std::move(residuals));
  system.equation_names = IdVector<EqId, std::string>(std::move(names));
  // A singular Jacobian is found by the restart: it depends on the left limits.
  instant->prepared = analyze_system(std::move(system), {.check_jacobian = false, .repair = false});
  Diagnostics defects;
  report_ill_posed(instant->prepared, defects);
  if (defects.has_errors())
    instant->defect = defects.items().front().message;
  else
    instant->restart.emplace(instant->prepared);
  return *instant;
}

ImpactResult ImpactSolver::solve(const CompiledMode& mode, const std::vector<std::size_t>& clauses,
                                 const RestartInput& input) {
  ImpactResult result;
  Instant& instant = find_or_make(mode, clauses);
  if (!instant.defect.empty()) {
    result.status = "impact-law";
    result.message = fmt::format("the impact laws do not determine the impact: {}", instant.defect);
    return result;
  }
  const RestartResult restarted = instant.restart->solve(input);
  if (!restarted.succeeded()) {
    result.status = restarted.status;
    result.message = fmt::format("impact: {}", restarted.message);
    return result;
  }
  const System& system = instant.prepared.system;
  for (VarId column : ids<VarId>(system.unknowns.size())) {
    const auto& jet = restarted.right[column.index()];
    for (std::size_t order = 0; order < jet.size(); ++order)
      result.right.push_back({{system.unknowns[column], static_cast<int>(order)}, jet[order]});
  }
  for (const ImpulseWeight& impulse : restarted.impulses)
    result.impulses.emplace_back(system.unknowns[impulse.column], impulse);
  result.warnings = restarted.warnings;
  return result;
}

}  // namespace hydae
