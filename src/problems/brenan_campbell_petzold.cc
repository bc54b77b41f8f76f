// x' + t y' = g1, x + t y = g2: the system Jacobian [1 t; 1 t] is singular for every t, although
// the structure looks regular. Differentiating f2 and subtracting f1 gives y = g2' - g1: index 2,
// no freedom. Here g1 and g2 are chosen so that x = exp(-t), y = sin t.

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void brenan_campbell_petzold_equations(Model& m) {
  const Expr t = m.time(), x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + t * der(y) == -exp(-t) + t * cos(t));
  m.equation(x + t * y == exp(-t) + t * sin(t));
  m.start(x, 1), m.start(y, 0), m.start(der(x), -1), m.start(der(y), 1);
}

ExactComponents brenan_campbell_petzold_exact(const Expr& t) {
  return {{"x", exp(-t)}, {"y", sin(t)}};
}

}  // namespace

Problem brenan_campbell_petzold() {
  return Problem({
      .name = "brenan_campbell_petzold",
      .title = "linear, index 2, structural analysis fails (cancellation)",
      .description = "Repaired by replacing f1 with f1 - f2'.",
      .source = "K. E. Brenan, S. L. Campbell, L. R. Petzold, Numerical Solution of Initial-Value "
                "Problems in Differential-Algebraic Equations, SIAM 1996",
      .equations = brenan_campbell_petzold_equations,
      .exact = brenan_campbell_petzold_exact,
      .structure = {.c = {0, 1},
                    .d = {1, 1},
                    .index = 1,
                    .dof = 1,
                    .is_singular = true,
                    .true_index = 2,
                    .true_dof = 0},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
