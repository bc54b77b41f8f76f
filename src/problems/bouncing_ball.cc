// A ball dropped from one metre, h'' = -g, reflected with v+ = -e v- at the ground. With t1 =
// sqrt(2/g) the impacts are at t1 (1 + 2 (e + .. + e^(k-1))), between them h is a parabola; they
// accumulate at t1 (1 + e)/(1 - e).

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr double kRestitution = 0.7;
const double kFirst = std::sqrt(2 / kGravity);
const double kAccumulation = kFirst * (1 + kRestitution) / (1 - kRestitution);

double impact_time(int k) {
  return kAccumulation - 2 * kFirst * std::pow(kRestitution, k) / (1 - kRestitution);
}

// With a ground, the ball rests when it neither flies nor rises.
void bouncing_ball_equations(Model& m, bool has_ground) {
  const Expr g = m.parameter("g", kGravity), e = m.parameter("e", kRestitution);
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == (has_ground ? select(h > 0 || v > 0, -g, 0) : -g));
  m.when(when({h <= 0}, {reinit(v, -e * pre(v))}));
  m.fix(h, 1), m.fix(v, 0);
}

ExactComponents flight(const Expr& t, int impacts) {
  Expr h = 1 - kGravity / 2 * sqr(t), v = -kGravity * t;
  for (int k = 1; k <= impacts; ++k) {
    const Expr since = t - impact_time(k);
    const double v0 = kGravity * kFirst * std::pow(kRestitution, k);
    h = select(since >= 0, since * (v0 - kGravity / 2 * since), h);
    v = select(since >= 0, v0 - kGravity * since, v);
  }
  return {{"h", h}, {"v", v}};
}

ExactComponents flight_and_rest(const Expr& t) {
  ExactComponents exact = flight(t, 60);
  for (auto& [name, expr] : exact) expr = select(t >= kAccumulation, 0, expr);
  return exact;
}

std::vector<KnownEvent> impacts(int count) {
  std::vector<KnownEvent> events;
  for (int k = 1; k <= count; ++k)
    events.push_back({.t = impact_time(k), .accuracy = 1e-15, .what = "impact"});
  return events;
}

}  // namespace

Problem bouncing_ball() {
  return Problem({
      .name = "bouncing_ball",
      .title = "bouncing ball, ten impacts",
      .description = "Stops before the impacts accumulate at t = 2.5586339655858085.",
      .source = "folklore; FMI Reference FMUs, whose table of results is good to 5e-4 only",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2.48,
      .equations = [](Model& m) { bouncing_ball_equations(m, false); },
      .exact = [](const Expr& t) { return flight(t, 10); },
      .events = impacts(10),
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

Problem bouncing_ball_zeno() {
  std::vector<KnownEvent> events = impacts(10);
  events.push_back(
      {.t = kAccumulation, .accuracy = 1e-15, .what = "impacts accumulate, the ball rests"});
  return Problem({
      .name = "bouncing_ball_zeno",
      .title = "bouncing ball through the accumulation of its impacts (Zeno) to rest",
      .description = "Infinitely many impacts before t = 2.5586339655858085; after that h = v = 0.",
      .source = "folklore",
      .kind = ProblemKind::kHybrid,
      .stop_time = 3,
      .equations = [](Model& m) { bouncing_ball_equations(m, true); },
      .exact = flight_and_rest,
      .events = events,
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
