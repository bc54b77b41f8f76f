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

Outcome<Done> ImpliedCheck::check(const Instant& now, double rtol,
                                  const std::function<double(VarId)>& atol) {
  const auto values = residuals_.evaluate(now);
  std::size_t place = 0;
  for (const ImpliedResidual& implied : model_.implied()) {
    const double residual = std::abs(values[place++]);
    double unit = kSideRounding * std::abs(values[place++]);
    for (const Leaf& leaf : implied.leaves) {
      const double share =
          std::abs(values[place++]) * (rtol * std::abs(now.continuous(leaf)) + atol(leaf.variable));
      if (std::isfinite(share)) unit += share;  // a derivative may not be known at the start
    }
    if (residual <= kMostTolerances * unit) {
      largest_ = std::max(largest_, residual);
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
