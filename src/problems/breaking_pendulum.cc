// A pendulum released horizontally whose string breaks at the lowest point: index 3 with two states
// before, index 1 with four states after. Nothing jumps but the multiplier. The string breaks after
// a quarter of a period, K(1/2) sqrt(L/g), at the speed sqrt(2 g L); from there on a parabola.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr double kBreak = 0.59196048689405936;

void breaking_pendulum_equations(Model& m) {
  const Expr g = m.parameter("g", kGravity), L = m.parameter("L", 1);
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  const Expr broken = boolean(m, "broken", false);
  m.equation(der(x, 2) == -lambda * x);
  m.equation(der(y, 2) == -lambda * y - g);
  m.equation(select(broken, lambda, sqr(x) + sqr(y) - sqr(L)) == 0);
  m.when(when({x <= 0}, {assign(broken, true)}));
  m.fix(y, 0), m.fix(der(y), 0);
  m.start(x, 1), m.start(der(x), 0), m.start(lambda, 0);
}

}  // namespace

Problem breaking_pendulum() {
  const double speed = std::sqrt(2 * kGravity), flight = 1 - kBreak;
  return Problem({
      .name = "breaking_pendulum",
      .title = "pendulum whose string breaks at the bottom, index 3 then 1",
      .source = "H. Nilsson, J. Peterson, P. Hudak, Functional hybrid modeling, PADL 2003",
      .kind = ProblemKind::kHybrid,
      .equations = breaking_pendulum_equations,
      .references =
          {{.t = kBreak,
            .values = absolute(
                1e-14,
                {{"x", 0}, {"y", -1}, {"x", -speed, 1}, {"y", 0, 1}, {"lambda", 3 * kGravity}}),
            .source = "energy",
            .limit = Limit::kLeft},
           {.t = 1,
            .values = absolute(1e-14, {{"x", -speed * flight},
                                       {"y", -1 - kGravity / 2 * flight * flight},
                                       {"x", -speed, 1},
                                       {"y", -kGravity * flight, 1},
                                       {"lambda", 0}}),
            .source = "parabola"}},
      .events = {{.t = kBreak, .accuracy = 1e-16, .what = "the string breaks"}},
      .structure = {.dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
