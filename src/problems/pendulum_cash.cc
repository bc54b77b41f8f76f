// The pendulum in first-order form with all constants one, y pointing up, from the top right with
// upward velocity: x' = u, y' = v, u' = -x lambda, v' = -y lambda - 1, x^2 + y^2 = 1. In the angle
// phi from the horizontal it is phi'' = -cos phi, phi(0) = 0, phi'(0) = 1.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr u = m.variable("u"), v = m.variable("v");
  const Expr lambda = m.variable("lambda");
  m.equation(der(x) == u);
  m.equation(der(y) == v);
  m.equation(der(u) == -x * lambda);
  m.equation(der(v) == -y * lambda - 1);
  m.equation(x * x + y * y == 1);

  m.fix(y, 0), m.fix(v, 1);
  m.start(x, 1), m.start(u, 0), m.start(lambda, 1);
  m.start(der(x), 0), m.start(der(y), 1);
}

}  // namespace

Problem pendulum_cash() {
  return Problem({
      .name = "pendulum_cash",
      .title = "pendulum in first-order form with unit constants, index 3",
      .description =
          "The end values printed with 18 digits in the literature are right to about 1e-11; those "
          "given here come from the Taylor series of the angle in 60-digit arithmetic.",
      .source = "J. R. Cash's collection of test problems for MEBDFDAE, index-3 pendulum",
      .equations = equations,
      .references = {{.t = 1,
                      .values = absolute(1e-16, {{"x", 8.67348640600439321734e-1},
                                                 {"y", 4.97701050479672929354e-1},
                                                 {"u", -3.37480180609545196091e-2},
                                                 {"v", 5.88130114652500075408e-2},
                                                 {"lambda", -4.93103151439018788061e-1}}),
                      .source = "Taylor series of the angle, 30 digits"}},
      .structure = {.c = {1, 1, 0, 0, 2}, .d = {2, 2, 1, 1, 0}, .index = 3, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
