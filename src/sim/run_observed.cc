// Observed variables at an event: their limits, and the impulses that they show.
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "expr/derivative.h"
#include "expr/linearity.h"
#include "sim/run.h"

namespace hydae {
namespace {

struct PathPoint {
  double place, weight;
};
// Gauss-Legendre on [0, 1], exact for coefficients of degree five along the way.
constexpr std::array<PathPoint, 3> kPath{
    {{0.1127016653792583, 5.0 / 18}, {0.5, 8.0 / 18}, {0.8872983346207417, 5.0 / 18}}};

}  // namespace

std::vector<double> Run::observed_at(double t, const ObservedValues::Values& value) {
  const auto values = observed_.evaluate(t, value);
  return {values.begin(), values.end()};
}

ObservedValues::Values Run::current_values(double t) const {
  return [this, t](Leaf leaf) { return current_value(leaf, t); };
}

ObservedValues::Values Run::left_values(const LeftLimit& left) {
  return [&left](Leaf leaf) {
    return left.jets[leaf.variable.index()].empty() ? left.discrete[leaf.variable.index()]
                                                    : left.value(leaf);
  };
}

// y = a v with an impulse in v carries a times that impulse; where a jumps, its mean over the way
// from left to right counts, as in the restart.
void Run::observe_impulses(double t, const LeftLimit& left, std::vector<Impulse>& impulses) {
  if (impulses.empty() || hybrid_.observed().variables.empty()) return;
  std::map<VarId, std::vector<Impulse>> given;
  for (const Impulse& impulse : impulses)
    given[*model_.find_variable(impulse.variable)].push_back(impulse);
  const auto is_impulsive = [&](Leaf leaf) { return given.count(leaf.variable) != 0; };
  for (const ObservedVariable& observed : hybrid_.observed().variables) {
    const Linearity kind = linearity(hybrid_.graph(), observed.value, is_impulsive);
    if (kind == Linearity::kFree) continue;
    const std::string& name = model_.all_variables()[observed.variable].name;
    if (kind == Linearity::kNonlinear) {
      warn_once(
          fmt::format("event at t = {:.10g}: `{}` depends on impulsive variables, and not "
                      "linearly; what impulse it has is not known",
                      t, name));
      continue;
    }
    for (const Partial& partial : gradient(hybrid_.graph(), observed.value)) {
      if (!is_impulsive(partial.leaf)) continue;
      const double a = mean_at_event(partial.derivative, t, left);
      for (const Impulse& impulse : given[partial.leaf.variable])
        add_impulse(observed.variable, {VarId(), impulse.order, a * impulse.weight}, impulses);
    }
  }
}

double Run::mean_at_event(NodeId root, double t, const LeftLimit& left) {
  ExpressionList value(hybrid_, {root});
  double mean = 0;
  for (const PathPoint& point : kPath) {
    Instant now = instant(t);
    now.continuous = [&](Leaf leaf) {
      const double before = left.value(leaf), after = current_value(leaf, t);
      return before + point.place * (after - before);
    };
    mean += point.weight * value.evaluate(now).front();
  }
  return mean;
}

}  // namespace hydae
