// A ball on a string of length L, in a vertical plane: taut, lambda >= 0 on the circle, or slack,
// free flight inside. One variable s tells both: s <= 0 is minus the tension of the taut string, s
// > 0 is L^2 - x^2 - y^2 of the slack one.
//
// Started at the bottom with v^2 = 3.5 g L the string goes slack at the angle phi with v^2 = -g L
// cos phi, cos phi = -1/2, where s grows like the third power of time. The parabola meets the
// circle again after 2 sqrt(3) v/g, at the lowest point; the string stops the radial motion (an
// inelastic impact) and the ball swings on with what is left.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void cup_and_ball_equations(Model& m) {
  const Expr g = m.parameter("g", kGravity), L = m.parameter("L", 1);
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr lambda = m.variable("lambda"), s = m.variable("s");
  m.equation(der(x, 2) + lambda * x == 0);
  m.equation(der(y, 2) + lambda * y + g == 0);
  m.equation(lambda + select(s <= 0, s, 0) == 0);
  m.equation(sqr(L) - sqr(x) - sqr(y) - select(s <= 0, 0, s) == 0);
  m.fix(x, 0), m.fix(der(x), sqrt(3.5 * g * L));
  m.start(y, -1), m.start(der(y), 0), m.start(lambda, 4.5 * kGravity), m.start(s, -4.5 * kGravity);
}

}  // namespace

Problem cup_and_ball() {
  const double speed = std::sqrt(kGravity / 2);  // when the string goes slack
  const double slack = 0.4819942834614219367;    // integral of dphi / v(phi)
  const double taut = slack + 2 * std::sqrt(3.0) * speed / kGravity;
  const double fall = speed * std::sqrt(0.75) - kGravity * (taut - slack);  // y' before the impact
  return Problem({
      .name = "cup_and_ball",
      .title = "ball on a string, taut - slack - taut, with an impulse",
      .source =
          "A. Benveniste, B. Caillaud, M. Malandain, Structural analysis of multimode DAE systems: "
          "summary of results (2021)",
      .kind = ProblemKind::kHybrid,
      .stop_time = 1.5,
      .equations = cup_and_ball_equations,
      .references =
          {{.t = taut,
            .values = absolute(
                1e-14, {{"x", 0}, {"y", -1}, {"x", -speed / 2, 1}, {"y", fall, 1}, {"lambda", 0}}),
            .source = "parabola",
            .limit = Limit::kLeft},
           {.t = taut,
            .values = absolute(1e-14, {{"x", 0},
                                       {"y", -1},
                                       {"x", -speed / 2, 1},
                                       {"y", 0, 1},
                                       {"lambda", 1.125 * kGravity},
                                       {"s", -1.125 * kGravity}}),
            .source = "the string stops the radial motion"}},
      .events = {{.t = slack, .accuracy = 1e-15, .what = "the string goes slack"},
                 {.t = taut,
                  .accuracy = 1e-15,
                  .what = "the string is taut again",
                  .impulses = {{"lambda", 0, -fall}, {"s", 0, fall}}}},
      .structure = {.dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
