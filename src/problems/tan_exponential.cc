// x1 + exp(-x1' - x2 x2'') + g1 = 0, x1 + x2 x2' + x2^2 + g2 = 0. The argument of exp is, up to
// x2'^2, the derivative of x1 + x2 x2', which the second equation holds: the system Jacobian is
// singular identically. With y1 = x1 + x2 x2' in place of x1 the analysis succeeds, one value is
// free and det J = x2 - 2 (x2 + x2') exp(-x1' - x2 x2''). Here g1 and g2 are chosen so that x1 =
// 5t, x2 = 2 + sin t, along which det J > 0.

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void tan_exponential_equations(Model& m) {
  const Expr t = m.time(), x1 = m.variable("x1"), x2 = m.variable("x2");
  const Expr s = sin(t), g1 = -5 * t - exp(-5 + (2 + s) * s);
  const Expr g2 = -5 * t - (2 + s) * cos(t) - sqr(2 + s);
  m.equation(x1 + exp(-der(x1) - x2 * der(x2, 2)) + g1 == 0);
  m.equation(x1 + x2 * der(x2) + sqr(x2) + g2 == 0);
  m.fix(x2, 2);
  m.start(x1, 0), m.start(der(x1), 5), m.start(der(x2), 1), m.start(der(x2, 2), 0);
}

ExactComponents tan_exponential_exact(const Expr& t) { return {{"x1", 5 * t}, {"x2", 2 + sin(t)}}; }

}  // namespace

Problem tan_exponential() {
  return Problem({
      .name = "tan_exponential",
      .title = "exponential of a hidden derivative, structural analysis fails",
      .description =
          "Needs an expression substitution; no constant combination of equations helps.",
      .source = "G. Tan, N. S. Nedialkov, J. D. Pryce, Conversion methods for improving structural "
                "analysis of differential-algebraic equation systems, BIT 57 (2017) 845-865",
      .stop_time = 3,
      .equations = tan_exponential_equations,
      .exact = tan_exponential_exact,
      .structure =
          {.c = {0, 1}, .d = {1, 2}, .index = 1, .dof = 2, .is_singular = true, .true_dof = 1},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
