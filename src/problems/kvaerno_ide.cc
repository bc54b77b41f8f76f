// (sin^2 y1' + cos^2 y2) y2'^2 = (t - 6)^2 (t - 2)^2 y1 exp(-t),
// (4 - t)(y1 + y2)^3 = 64 t^2 exp(-t) y1 y2: nonlinear in its derivatives. Exact: y1 = t^4 exp(-t)
// and y2 = (4 - t) t^3 exp(-t) = y1', which makes the first factor one.

#include <cmath>

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void kvaerno_ide_equations(Model& m) {
  const Expr t = m.time(), y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation((sqr(sin(der(y1))) + sqr(cos(y2))) * sqr(der(y2)) -
                 sqr(t - 6) * sqr(t - 2) * y1 * exp(-t) ==
             0);
  m.equation((4 - t) * pow(y1 + y2, 3) - 64 * sqr(t) * exp(-t) * y1 * y2 == 0);

  const double e = std::exp(-0.1);
  m.fix(y1, 1e-4 * e), m.start(der(y1), 3.9e-3 * e);
  m.start(y2, 3.9e-3 * e), m.start(der(y2), 0.01 * 1.9 * 5.9 * e);  // t^2 (t - 2)(t - 6) exp(-t)
}

ExactComponents kvaerno_ide_exact(const Expr& t) {
  return {{"y1", pow(t, 4) * exp(-t)}, {"y2", (4 - t) * pow(t, 3) * exp(-t)}};
}

}  // namespace

Problem kvaerno_ide() {
  return Problem({
      .name = "kvaerno_ide",
      .title = "implicit equations nonlinear in the derivatives, index 1",
      .source = "A. Kvaerno, Runge-Kutta methods applied to fully implicit differential-algebraic "
                "equations of index 1, Math. Comp. 54 (1990) 583-625",
      .start_time = 0.1,
      .stop_time = 1.2,
      .equations = kvaerno_ide_equations,
      .exact = kvaerno_ide_exact,
      .structure = {.c = {0, 1}, .d = {1, 1}, .index = 1, .dof = 1},
      .start_accuracy = 1e-15,
  });
}

}  // namespace hydae::problems
