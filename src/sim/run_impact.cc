// Impact laws of when-clauses: they act on the left limits of the next pass, like reinit.
#include <fmt/format.h>

#include "sim/run.h"

namespace hydae {

bool Run::apply_impacts(double t, const DiscreteOutcome& outcome, LeftLimit& left,
                        std::vector<Impulse>& impulses) {
  if (outcome.impacts.empty()) return true;
  for (std::size_t k = 0; k < hybrid_.impact_pres().size(); ++k)
    table_[hybrid_.impact_pre_slot(k)] = left.value(hybrid_.impact_pres()[k]);
  const ImpactResult result =
      impact_solver_.solve(*mode_, outcome.impacts, restart_input(t, left, state_.discrete));
  if (!result.succeeded()) {
    fail(failure_named(result.status, Status::kImpactLaw,
                       fmt::format("event at t = {:.10g}: {}", t, result.message)));
    return false;
  }
  left.mode = nullptr;
  for (const auto& [leaf, value] : result.right)
    if (leaf.variable.index() < model_.num_variables())
      left.jets[leaf.variable.index()][static_cast<std::size_t>(leaf.order)] = value;
  for (const auto& [variable, weight] : result.impulses) add_impulse(variable, weight, impulses);
  return true;
}

}  // namespace hydae
