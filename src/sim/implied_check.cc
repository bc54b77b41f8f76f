#include "sim/implied_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hydae {
namespace {

// Derivatives and algebraic variables, which no method holds to its tolerance, are worse than
// states by factors like this one; equations that contradict each other leave it behind at once or,
// if they drift apart, soon.
constexpr double kMostTolerances = 100;

constexpr double kSideRounding = 1e-14;  // of a side of the equation

std::vector<NodeId> implied_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const ImpliedResidual& implied : model.implied()) {
    roots.push_back(implied.residual);
    roots.push_back(implied.side);
    roots.insert(roots.end(), implied.slopes.begin(), implied.slopes.end());
  }
  return roots;
}

}  // namespace

ImpliedCheck::ImpliedCheck(const HybridModel& model)
    : model_(model), residuals_(model, implied_roots(model)) {}

Outcome<Done> ImpliedCheck::check(const EvaluationContext& now,
                                  const std::function<double(Leaf)>& error) {
  const auto values = residuals_.evaluate(now);
  std::size_t place = 0;
  for (const ImpliedResidual& implied : model_.implied()) {
    const double residual = std::abs(values[place++]);
    // A derivative may not be known at the start: the next step has it.
    double unit = kSideRounding * std::abs(values[place++]);
    for (const Leaf& leaf : implied.leaves) {
      const double share = std::abs(values[place++]) * error(leaf);
      if (std::isfinite(share)) unit += share;
    }
    if (residual <= kMostTolerances * unit || !std::isfinite(residual)) {
      if (std::isfinite(residual)) largest_ = std::max(largest_, residual);
      continue;
    }
    const Equation& equation = *implied.equation;
    const auto& sources = model_.model().sources;
    return Failure{
        Status::kInconsistentRedundancy,
        fmt::format(
            "simulation stopped at t = {:.10g}: equation `{}`{} was left out, but does not "
            "follow from the others here: its residual is {:.3g}, tolerances explain {:.2g}",
            now.t, equation.name,
            sources && equation.source.is_valid()
                ? fmt::format(" ({})", sources->place(equation.source))
                : "",
            residual, unit)};
  }
  return Done{};
}

}  // namespace hydae
