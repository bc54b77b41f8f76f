#include "sim/solver_choice.h"

#include <fmt/format.h>

#include <hydae/error.h>

#include "expr/incidence.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// Everything that the Taylor method makes series of: equations, guards, signals that are delayed.
std::vector<NodeId> continuous_roots(const HybridModel& model) {
  std::vector<NodeId> roots = model.residuals();
  for (const Relation& relation : model.relations()) roots.push_back(relation.guard);
  for (const Delay& delay : model.delays()) roots.push_back(delay.argument);
  return roots;
}

}  // namespace

bool is_smooth(const HybridModel& model) {
  return model.inputs().empty() && is_smooth_between_inputs(model);
}

bool is_smooth_between_inputs(const HybridModel& model) {
  return !model.residuals().empty() && model.relations().empty() && model.ticks().empty() &&
         model.conditions().empty() && model.discrete_variables().empty() &&
         model.whens().empty() && model.assertions().empty();
}

std::string reason_for_bdf(const HybridModel& model) {
  constexpr std::size_t kManyUnknowns = 5000;  // series of all of them would not fit the cache
  if (contents(model.graph(), continuous_roots(model)).has_calls)
    return "ida, since functions that exist as code only have no Taylor series";
  if (is_smooth_between_inputs(model) && model.residuals().size() > kManyUnknowns)
    return fmt::format("ida, since the model has {} equations", model.residuals().size());
  return "";
}

SolverChoice choose_solver(const HybridModel& model, const SimulateOptions& options) {
  SolverChoice choice;
  if (options.solver == Solver::kTaylor) refuse_code(model);
  if (options.solver == Solver::kAuto) choice.reason = reason_for_bdf(model);
  choice.uses_bdf = options.solver == Solver::kIda || !choice.reason.empty();
  choice.has_series = !choice.uses_bdf || !is_smooth(model);
  return choice;
}

void refuse_code(const HybridModel& model) {
  const std::vector<NodeId> roots = continuous_roots(model);
  const System system = model.system(model.model().shared_graph(), model.residuals());
  Walk walk;
  for (std::size_t k = 0; k < roots.size(); ++k)
    for (NodeId id : walk.order(model.graph(), roots[k])) {
      if (!is_call(model.graph().op(id))) continue;
      const Function& function = model.model().functions()[model.graph().node(id).function];
      Diagnostics diagnostics;
      diagnostics
          .error(
              "not-for-taylor",
              fmt::format("function `{}` exists as code only: no Taylor series can be made of it",
                          function.name),
              k < system.residuals.size() ? system.equation_sources[EqId(k)] : function.source)
          .help = "use --solver ida or auto";
      throw ModelError(std::move(diagnostics));
    }
}

}  // namespace hydae
