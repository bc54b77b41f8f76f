// Transistor amplifier: eight node voltages. The currents through C1, C3 and C5 enter two equations
// each, with opposite signs, so the system Jacobian has rank 5: the Sigma-method reports an ODE
// with 8 degrees of freedom. The sums f1 + f2, f4 + f5, f7 + f8 are algebraic: index 1, 5 degrees
// of freedom.
//
// Trap: the printed y1'(0) = 51.338775, y4'(0) = -24.9757667, y7'(0) = -10.00564453 were found
// numerically and violate the hidden constraints; those below satisfy them.

#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void transamp_equations(Model& m) {
  const Expr Ub = m.parameter("Ub", 6), UF = m.parameter("UF", 0.026);
  const Expr alpha = m.parameter("alpha", 0.99), beta = m.parameter("beta", 1e-6);
  const Expr R0 = m.parameter("R0", 1000), R = m.parameter("R", 9000);
  const Expr C = m.parameter("C", 1e-6);  // the k-th capacitor has k C
  const Numbered y(m, "y", 8);
  const Expr Ue = 0.1 * sin(200 * std::numbers::pi * m.time());
  const Expr g1 = beta * (exp((y(2) - y(3)) / UF) - 1);
  const Expr g2 = beta * (exp((y(5) - y(6)) / UF) - 1);

  m.equation(C * (der(y(2)) - der(y(1))) == (y(1) - Ue) / R0);
  m.equation(C * (der(y(1)) - der(y(2))) == y(2) / R + (y(2) - Ub) / R + (1 - alpha) * g1);
  m.equation(-2 * C * der(y(3)) == y(3) / R - g1);
  m.equation(3 * C * (der(y(5)) - der(y(4))) == (y(4) - Ub) / R + alpha * g1);
  m.equation(3 * C * (der(y(4)) - der(y(5))) == y(5) / R + (y(5) - Ub) / R + (1 - alpha) * g2);
  m.equation(-4 * C * der(y(6)) == y(6) / R - g2);
  m.equation(5 * C * (der(y(8)) - der(y(7))) == (y(7) - Ub) / R + alpha * g2);
  m.equation(5 * C * (der(y(7)) - der(y(8))) == y(8) / R);

  m.fix(y(2), 3), m.fix(y(3), 3), m.fix(y(5), 3), m.fix(y(6), 3), m.fix(y(8), 0);
  m.start(y(1), 0), m.start(y(4), 6), m.start(y(7), 6);
  m.start(der(y(1)), 51.339276517180721), m.start(der(y(2)), 51.339276517180721);
  m.start(der(y(3)), -500.0 / 3);
  m.start(der(y(4)), -24.970328515406329), m.start(der(y(5)), -24.970328515406329);
  m.start(der(y(6)), -250.0 / 3);
  m.start(der(y(7)), -10.000276402456339), m.start(der(y(8)), -10.000276402456339);
}

}  // namespace

Problem transamp() {
  return Problem({
      .name = "transamp",
      .title = "transistor amplifier, index 1, structural analysis fails",
      .description =
          "Capacitor currents cancel in sums of equations. The initial derivatives printed in the "
          "test set are inconsistent; corrected here.",
      .source =
          "W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers, problem "
          "transamp",
      .stop_time = 0.2,
      .equations = transamp_equations,
      .references = {{.t = 0.2,
                      .values = relative(
                          1e-13, "y",
                          {-0.5562145012262709e-2, 0.3006522471903042e1, 0.2849958788608128e1,
                           0.2926422536206241e1, 0.2704617865010554e1, 0.2761837778393145e1,
                           0.4770927631616772e1, 0.1236995868091548e1}),
                      .source = "PSIDE on a Cray C90; confirmed in quadruple precision"}},
      .structure = {.c = {0, 0, 0, 0, 0, 0, 0, 0},
                    .d = {1, 1, 1, 1, 1, 1, 1, 1},
                    .index = 0,
                    .dof = 8,
                    .is_singular = true,
                    .true_index = 1,
                    .true_dof = 5},
      .start_accuracy = 1e-17,
  });
}

}  // namespace hydae::problems
