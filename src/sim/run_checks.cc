#include "sim/run_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "sim/message.h"

namespace hydae {
namespace {

constexpr int kChecksPerStep = 8;         // of equations that were left out
constexpr double kFirstInexact = 0x1p53;  // of Integers: the next one has no number of its own

std::vector<NodeId> assertion_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& [condition, assertion] : model.assertions()) roots.push_back(condition);
  return roots;
}

}  // namespace

RunChecks::RunChecks(const HybridModel& model, const RunSettings& settings, Workspaces& workspaces,
                     RunReport& report)
    : model_(model),
      settings_(settings),
      workspaces_(workspaces),
      report_(report),
      bounds_(model, settings, workspaces.scales(), report),
      implied_(model),
      assertions_(model, assertion_roots(model)),
      roots_(model, settings.rtol, report) {}

Outcome<Done> RunChecks::check(const StateView& view, double t) {
  check_bounds(view, t);
  return check_at(view.at(t), view);
}

Outcome<Done> RunChecks::check_initially(const StateView& view, double t) {
  check_bounds(view, t);
  EvaluationContext now = view.at(t);
  now.is_initial = true;
  return check_at(now, view);
}

Outcome<Done> RunChecks::check_at(const EvaluationContext& now, const StateView& view) {
  if (!implied_.empty())
    if (auto held = check_implied(view, now); !held) return held;
  if (auto defined = roots_.check(view, now.t); !defined) return defined;
  return model_.assertions().empty() ? Done{} : check_assertions(now);
}

Outcome<Done> RunChecks::check_assertions(const EvaluationContext& now) {
  const auto truths = assertions_.evaluate(now);
  is_violated_.resize(truths.size());
  for (std::size_t k = 0; k < truths.size(); ++k) {
    const bool is_new = !std::exchange(is_violated_[k], truths[k] != 1.0);
    if (truths[k] == 1.0 || !is_new) continue;
    const Assertion& assertion = *model_.assertions()[k].second;
    const std::string text =
        fmt::format("assertion at t = {:.10g}: {}", now.t,
                    assertion_at(model_, assertion.message, assertion.source, now));
    if (!assertion.is_warning) return Failure{Status::kAssertionFailed, text};
    report_.warn_once(text);
  }
  return Done{};
}

std::vector<double> RunChecks::times_inside(double from, double to) const {
  std::vector<double> times;
  if (implied_.empty()) return times;
  for (int k = 1; k < kChecksPerStep; ++k) times.push_back(from + (to - from) * k / kChecksPerStep);
  return times;
}

// A derivative by differences has the error of its variable over the step.
Outcome<Done> RunChecks::check_implied(const StateView& view, const EvaluationContext& now) {
  const std::vector<double>& atol = workspaces_.atol();
  const double step = view.solution.step_of_differences();
  return implied_.check(now, [&](Leaf leaf) {
    const auto column = view.solution.mode().prepared.system.find_column(leaf.variable);
    const double absolute =
        column && column->index() < atol.size() ? atol[column->index()] : settings_.atol;
    const double error = settings_.rtol * std::abs(now.continuous(leaf)) + absolute;
    if (leaf.order == 0 || step == 0) return error;
    const double value = std::abs(now.continuous({leaf.variable, 0}));
    return error + (settings_.rtol * value + absolute) / std::pow(step, leaf.order);
  });
}

// A discrete variable that is not a number stands behind a condition that is watched.
Failure RunChecks::explained(Failure failure, const StateView& view, double t) {
  const auto is_undefined = [&](VarId variable) {
    return !std::isfinite(view.state.discrete[variable.index()]);
  };
  if (std::ranges::none_of(model_.discrete_variables(), is_undefined)) return failure;
  const Outcome<Done> checked = check_assertions(view.at(t));
  return checked ? failure : checked.failure();
}

Outcome<Done> RunChecks::check_integers(const HybridState& state, double t) const {
  for (VarId id : model_.discrete_variables()) {
    const Variable& variable = model_.model().all_variables()[id];
    const double value = state.discrete[id.index()];
    if (variable.kind == VariableKind::kInteger && !(std::abs(value) < kFirstInexact))
      return Failure{
          Status::kOverflow,
          fmt::format(
              "event at t = {:.10g}: the Integer {} becomes {:.17g}; it is exact below 2^53", t,
              quoted(variable.name), value)};
  }
  return Done{};
}

}  // namespace hydae
