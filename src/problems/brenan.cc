// y1' - t y2' + y1 - (1 + t) y2 = 0, y2 = sin t: index 1 with a time-varying matrix in front of the
// derivatives. Exact: y1 = exp(-t) + t sin t.

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void brenan_equations(Model& m) {
  const Expr t = m.time(), y1 = m.variable("y1"), y2 = m.variable("y2");
  m.equation(der(y1) - t * der(y2) + y1 - (1 + t) * y2 == 0);
  m.equation(y2 == sin(t));
  m.fix(y1, 1), m.start(y2, 0), m.start(der(y1), -1), m.start(der(y2), 1);
}

ExactComponents brenan_exact(const Expr& t) {
  return {{"y1", exp(-t) + t * sin(t)}, {"y2", sin(t)}};
}

}  // namespace

Problem brenan() {
  return Problem({
      .name = "brenan",
      .title = "linear DAE of index 1 with time-varying leading matrix",
      .source = "K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value "
                "Problems in Differential-Algebraic Equations, SIAM 1996",
      .stop_time = 10,
      .equations = brenan_equations,
      .exact = brenan_exact,
      .structure = {.c = {0, 1}, .d = {1, 1}, .index = 1, .dof = 1},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
