// The pendulum of length 1 in disguise: x1 is its x-coordinate, x2 sin x3 its y-coordinate (up) and
// x2 cos x3 its multiplier, x4 and x5 the velocities.
//
//     x4' = x1 x2 cos x3,    x5' = x2^2 cos x3 sin x3 - g,    x1^2 + x2^2 sin^2 x3 = 1,
//     tanh(x1' - x4) = 0,    x2' sin x3 + x2 x3' cos x3 = x5.
//
// The last equation is (x2 sin x3)' = x5: x2' and x3' enter only in this combination, which the
// structural analysis cannot see. Trap: the published point gives x2 to 12 digits, correct ones are
// below.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void modified_pendulum_equations(Model& m) {
  const Expr g = m.parameter("g", 9.8);
  const Numbered x(m, "x", 5);
  m.equation(der(x(4)) - x(1) * x(2) * cos(x(3)) == 0);
  m.equation(der(x(5)) - sqr(x(2)) * cos(x(3)) * sin(x(3)) + g == 0);
  m.equation(sqr(x(1)) + sqr(x(2) * sin(x(3))) - 1 == 0);
  m.equation(tanh(der(x(1)) - x(4)) == 0);
  m.equation(der(x(2)) * sin(x(3)) + x(2) * der(x(3)) * cos(x(3)) - x(5) == 0);

  m.fix(x(1), 0.5), m.fix(x(4), 0);  // 30 degrees from the vertical, at rest
  m.start(x(2), 8.5311195044964644), m.start(x(3), -3.0399038018267162), m.start(x(5), 0);
  m.start(der(x(4)), -4.2435244785437), m.start(der(x(5)), -2.45);
}

}  // namespace

Problem modified_pendulum() {
  return Problem({
      .name = "modified_pendulum",
      .title = "pendulum in disguise, index 3, structural analysis fails",
      .source =
          "T. Oki, Improved structural methods for nonlinear differential-algebraic equations via "
          "combinatorial relaxation, IMA J. Numer. Anal. 43 (2023) 357-386",
      .equations = modified_pendulum_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x1", -0.49906292387636813},
                                                 {"x2", 8.5469785196849653},
                                                 {"x3", -3.0400295899646249},
                                                 {"x4", -0.089179568457281161},
                                                 {"x5", 0.051359306799014017}}),
                      .source = "closed form in Jacobi elliptic functions"}},
      .structure = {.is_singular = true, .true_index = 3, .true_dof = 2},
  });
}

}  // namespace hydae::problems
