// The simple pendulum in Cartesian coordinates, y pointing down, lambda the string tension per
// length:
//
//     x'' + x lambda     = 0
//     y'' + y lambda - G = 0
//     x^2 + y^2 - L^2    = 0
//
// Released from the horizontal its angle theta from the vertical has the amplitude pi/2, so with
// u = K(1/2) - sqrt(G/L) t and Jacobi's functions of parameter 1/2: y = L cn(u)^2, x = sqrt(2) L
// sn(u) dn(u), and lambda = 3 G y / L^2 by conservation of energy.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void pendulum_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  const Expr G = m.parameter("G", 9.8), L = m.parameter("L", 1.0);
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda - G == 0);
  m.equation(x * x + y * y - L * L == 0);

  // Two degrees of freedom. Fixing x = 1 instead of y = 0 would leave y undetermined to first
  // order.
  m.fix(y, 0), m.fix(der(y), 0);
  m.start(x, 1), m.start(der(x), 0);
  m.start(lambda, 0);
}

}  // namespace

Problem pendulum() {
  const std::string source = "closed form in Jacobi elliptic functions";
  return Problem({
      .name = "pendulum",
      .title = "simple pendulum in Cartesian coordinates, released horizontally, index 3",
      .description = "The control case of every method for DAEs of high index.",
      .source = "N. S. Nedialkov, J. D. Pryce, Solving differential-algebraic equations by Taylor "
                "series (I), BIT 45 (2005) 561-591",
      .stop_time = 20,
      .equations = pendulum_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x", -0.98613976100547566},
                                                 {"y", 0.16591676155248256},
                                                 {"x", -0.29920126764531160, 1},
                                                 {"y", -1.7783270587459712, 1},
                                                 {"lambda", 4.8779527896429872}}),
                      .source = source},
                     {.t = 20,
                      .values = absolute(1e-15, {{"x", -0.99578581432602091},
                                                 {"y", 0.091709388761802393},
                                                 {"x", -0.12295571908271269, 1},
                                                 {"y", -1.3350602648855144, 1},
                                                 {"lambda", 2.6962560295969903}}),
                      .source = source}},
      .structure = {.c = {0, 0, 2}, .d = {2, 2, 0}, .index = 3, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
