#include "sim/observed_values.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sim/quoted_text.h"

namespace hydae {
namespace {

std::vector<NodeId> roots_of(const HybridModel& model, const std::vector<std::size_t>& which) {
  std::vector<NodeId> roots;
  for (std::size_t k : which) roots.push_back(model.observed().variables[k].value);
  return roots;
}

std::span<const double> run(Evaluator& evaluator, double t, std::span<const double> parameters,
                            const ObservedValues::Values& value, ObservedValues::LeafValues& room) {
  auto& [leaves, pre_leaves] = room;
  leaves.clear();
  pre_leaves.clear();
  for (Leaf leaf : evaluator.leaves()) leaves.push_back(value(leaf));
  for (Leaf leaf : evaluator.pre_leaves()) pre_leaves.push_back(value(leaf));
  return evaluator.evaluate(
      {.time = t, .parameters = parameters, .values = leaves, .pre_values = pre_leaves});
}

}  // namespace

ObservedValues::ObservedValues(const HybridModel& model, std::vector<std::size_t> which)
    : model_(model),
      which_(std::move(which)),
      parameters_(model.model().parameter_values()),
      evaluator_(model.graph(), roots_of(model, which_), &model.model().functions()),
      results_(which_.size()),
      was_undefined_(which_.size(), false) {}

std::span<const double> ObservedValues::evaluate(double t, const Values& value) {
  if (which_.empty()) return {};
  const auto found = run(evaluator_, t, parameters_, value, leaves_);
  results_.assign(found.begin(), found.end());
  for (std::size_t k = 0; k < results_.size(); ++k) {
    if (std::isfinite(results_[k])) continue;
    results_[k] = std::numeric_limits<double>::quiet_NaN();
    if (was_undefined_[k]) continue;
    was_undefined_[k] = true;
    warn_of_undefined(k, t, value);
  }
  return results_;
}

// Evaluated alone, so that the reason is its own.
void ObservedValues::warn_of_undefined(std::size_t k, double t, const Values& value) {
  const Model& model = model_.model();
  const ObservedVariable& observed = model_.observed().variables[which_[k]];
  Evaluator alone(model.graph(), std::span(&observed.value, 1), &model.functions());
  LeafValues leaves;
  run(alone, t, parameters_, value, leaves);
  const std::string& name = model.all_variables()[observed.variable].name;
  const NodeId node = alone.find_undefined().value_or(observed.value);
  const std::string why =
      alone.call_failure().empty()
          ? quoted(to_string(model.graph(), node, model.names(), kTextInMessage))
          : alone.call_failure();
  const Equation& equation = model.equations()[observed.equation];
  const std::string place = model.sources ? model.sources->place(equation.source) : std::string();
  warnings_.push_back(fmt::format(
      "`{}` is undefined at t = {:.10g}: {}, in equation {}{}; the results hold nan there", name, t,
      why, quoted(equation.name), place.empty() ? "" : fmt::format(" ({})", place)));
}

}  // namespace hydae
