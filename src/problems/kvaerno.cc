// A fully implicit DAE of index 1: which derivatives are algebraic is not visible.
// Exact: y = (exp(-t), sin t, cos t).

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void kvaerno_equations(Model& m) {
  const Expr t = m.time();
  const Numbered y(m, "y", 3);
  m.equation(der(y(1)) + y(3) * der(y(2)) - (y(2) + 1) * der(y(3)) + y(1) - 1 - sin(t) == 0);
  m.equation((y(3) + 1) * der(y(1)) + y(1) * der(y(2)) + exp(-t) == 0);
  m.equation(y(1) * y(2) * y(3) - exp(-t) * sin(2 * t) / 2 == 0);
  m.fix(y(1), std::exp(1)), m.fix(y(2), -std::sin(1)), m.start(y(3), std::cos(1));
  m.start(der(y(1)), -std::exp(1)), m.start(der(y(2)), std::cos(1)),
      m.start(der(y(3)), std::sin(1));
}

ExactComponents kvaerno_exact(const Expr& t) {
  return {{"y1", exp(-t)}, {"y2", sin(t)}, {"y3", cos(t)}};
}

}  // namespace

Problem kvaerno() {
  return Problem({
      .name = "kvaerno",
      .title = "fully implicit DAE of index 1",
      .source = "A. Kvaerno, Runge-Kutta methods applied to fully implicit differential-algebraic "
                "equations of index 1, Math. Comp. 54 (1990) 583-625",
      .start_time = -1,
      .stop_time = 1,
      .equations = kvaerno_equations,
      .exact = kvaerno_exact,
      .structure = {.c = {0, 0, 1}, .d = {1, 1, 1}, .index = 1, .dof = 2},
      .start_accuracy = 1e-15,
  });
}

}  // namespace hydae::problems
