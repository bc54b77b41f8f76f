#include "sim/discrete_part.h"

namespace hydae {
namespace {

std::vector<NodeId> equation_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const DiscreteEquation& equation : model.discrete_equations())
    roots.push_back(equation.value);
  return roots;
}

std::vector<NodeId> condition_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& branches : model.whens())
    for (const HybridBranch& branch : branches)
      roots.insert(roots.end(), branch.conditions.begin(), branch.conditions.end());
  return roots;
}

std::vector<NodeId> action_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& branches : model.whens())
    for (const HybridBranch& branch : branches)
      for (const HybridAction& action : branch.actions) roots.push_back(action.value);
  return roots;
}

}  // namespace

DiscretePart::DiscretePart(const HybridModel& model)
    : model_(model),
      equations_(model, equation_roots(model)),
      conditions_(model, condition_roots(model)),
      actions_(model, action_roots(model)),
      num_conditions_(conditions_.size()) {}

void DiscretePart::run_whens(const Instant& instant, const std::vector<bool>& were_true,
                             DiscreteOutcome& outcome) {
  const auto truths = conditions_.evaluate(instant);
  for (std::size_t k = 0; k < num_conditions_; ++k) outcome.conditions[k] = truths[k] == 1.0;
  const auto values = actions_.evaluate(instant);
  outcome.reinits.clear();
  outcome.impacts.clear();
  outcome.failed_assertion = outcome.terminate = nullptr;
  std::size_t condition = 0, action = 0;
  for (const auto& branches : model_.whens()) {
    bool has_fired = false;
    for (const HybridBranch& branch : branches) {
      bool fires = false;
      for (std::size_t k = 0; k < branch.conditions.size(); ++k, ++condition)
        fires =
            fires || (outcome.conditions[condition] &&
                      (instant.is_initial ? model_.graph().op(branch.conditions[k]) == Op::kInitial
                                          : !were_true[condition]));
      fires = fires && !has_fired;
      has_fired = has_fired || fires;
      if (fires && branch.impact) outcome.impacts.push_back(*branch.impact);
      for (const HybridAction& entry : branch.actions) {
        const double value = values[action++];
        if (!fires) continue;
        switch (entry.kind) {
          case WhenAction::Kind::kAssign:
            outcome.values[entry.target.variable.index()] = value;
            break;
          case WhenAction::Kind::kReinit: outcome.reinits.push_back({entry.target, value}); break;
          case WhenAction::Kind::kAssert:
            if (value != 1.0 && !entry.source->is_warning) outcome.failed_assertion = entry.source;
            break;
          case WhenAction::Kind::kTerminate: outcome.terminate = entry.source; break;
          case WhenAction::Kind::kEquation:
          case WhenAction::Kind::kImpulse: break;
        }
      }
    }
  }
}

DiscreteOutcome DiscretePart::evaluate(Instant instant, const std::vector<bool>& were_true) {
  DiscreteOutcome outcome;
  outcome.values = *instant.discrete;
  outcome.conditions.assign(num_conditions_, false);
  const std::size_t most_sweeps = model_.discrete_equations().size() + model_.whens().size() + 3;
  for (std::size_t sweep = 0; sweep < most_sweeps; ++sweep) {
    const std::vector<double> before = outcome.values;
    instant.discrete = &before;
    const auto values = equations_.evaluate(instant);
    for (std::size_t k = 0; k < values.size(); ++k)
      outcome.values[model_.discrete_equations()[k].target.index()] = values[k];
    const std::vector<double> between = outcome.values;
    instant.discrete = &between;
    run_whens(instant, were_true, outcome);
    if (outcome.values == before) return outcome;
  }
  outcome.has_cycle = true;
  return outcome;
}

}  // namespace hydae
