// Two coupled pendula, the second changed so that its block is nonlinear in the leading
// derivatives:
//
//     x'' + x lambda = 0,      y'' + y lambda - G = 0,     x^2 + y^2 = L^2
//     u'' + u mu = 0,          (v''')^2 + v mu - G = 0,    u^2 + v^2 = (L + c lambda)^2 - lambda''
//
// Free are x, x' and v, v', v'' (5 values). The sign of v''' is a choice: the guess decides.
// A real u needs lambda'' < (L + c lambda)^2 - v^2, so the first pendulum swings gently. With C =
// cos theta and energy conserved, lambda = G (3 C - 2 C(0)) and its derivatives are closed forms of
// C and C': the reference integrates theta and v alone.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void modified2pendula_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  const Expr u = m.variable("u"), v = m.variable("v"), mu = m.variable("mu");
  const Expr G = m.parameter("G", 9.8), L = m.parameter("L", 1.0), c = m.parameter("c", 0.1);
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda - G == 0);
  m.equation(x * x + y * y - L * L == 0);
  m.equation(der(u, 2) + u * mu == 0);
  m.equation(sqr(der(v, 3)) + v * mu - G == 0);
  m.equation(u * u + v * v - sqr(L + c * lambda) + der(lambda, 2) == 0);

  m.fix(x, 0.05), m.fix(der(x), 0);
  m.start(y, 0.998749217771909), m.start(der(y), 0);
  m.start(lambda, 9.787742334164708);
  m.fix(v, 0), m.fix(der(v), 0), m.fix(der(v, 2), 0);
  m.start(der(v, 3), 3.1304951684997055);  // sqrt(G)
  m.start(u, 1.7875255150159232), m.start(mu, -4.4574803242854198);
}

}  // namespace

Problem modified2pendula() {
  return Problem({
      .name = "modified2pendula",
      .title = "modified coupled pendula, index 7, not quasilinear",
      .description =
          "Shows what local offsets of the blocks are good for: 9 initial values instead of 27. No "
          "start values are published; those given here keep u real.",
      .source = "R. McKenzie, J. D. Pryce, N. S. Nedialkov, G. Tan, DAESA user guide, section 5.1",
      .equations = modified2pendula_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-15, {{"x", -0.049996646707012940},
                                                 {"y", 0.99874938564088946},
                                                 {"lambda", 9.7877472695127348},
                                                 {"u", 1.7101202282122092},
                                                 {"v", 0.52051075758733421},
                                                 {"v", 1.5610020115756604, 1},
                                                 {"v", 3.1437391053269677, 2},
                                                 {"mu", -3.3885586935769326}}),
                      .source = "extrapolation in quadruple precision on the states theta and v"}},
      .structure = {.c = {4, 4, 6, 0, 0, 2}, .d = {6, 6, 4, 2, 3, 0}, .index = 7, .dof = 5},
  });
}

}  // namespace hydae::problems
