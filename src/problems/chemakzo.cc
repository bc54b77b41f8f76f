// Chemical Akzo Nobel: two species mix while carbon dioxide is added; five rate equations and one
// equilibrium, y6 = Ks y1 y4.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void chemakzo_equations(Model& m) {
  const Expr k1 = m.parameter("k1", 18.7), k2 = m.parameter("k2", 0.58);
  const Expr k3 = m.parameter("k3", 0.09), k4 = m.parameter("k4", 0.42);
  const Expr K = m.parameter("K", 34.4), klA = m.parameter("klA", 3.3);
  const Expr Ks = m.parameter("Ks", 115.83), pCO2 = m.parameter("pCO2", 0.9);
  const Expr H = m.parameter("H", 737);
  const Numbered y(m, "y", 6);

  const Expr r1 = k1 * pow(y(1), 4) * sqrt(y(2));
  const Expr r2 = k2 * y(3) * y(4);
  const Expr r3 = k2 / K * y(1) * y(5);
  const Expr r4 = k3 * y(1) * sqr(y(4));
  const Expr r5 = k4 * sqr(y(6)) * sqrt(y(2));
  const Expr inflow = klA * (pCO2 / H - y(2));
  m.equation(der(y(1)) == -2 * r1 + r2 - r3 - r4);
  m.equation(der(y(2)) == -r1 / 2 - r4 - r5 / 2 + inflow);
  m.equation(der(y(3)) == r1 - r2 + r3);
  m.equation(der(y(4)) == -r2 + r3 - 2 * r4);
  m.equation(der(y(5)) == r2 - r3 + r5);
  m.equation(Ks * y(1) * y(4) - y(6) == 0);

  m.fix(y(1), 0.444), m.fix(y(2), 0.00123), m.fix(y(3), 0), m.fix(y(4), 0.007), m.fix(y(5), 0);
  m.start(y(6), Ks * 0.444 * 0.007);
}

}  // namespace

Problem chemakzo() {
  return Problem({
      .name = "chemakzo",
      .title = "chemical Akzo Nobel, index 1",
      .source =
          "W. M. Lioen, J. J. B. de Swart, Test Set for Initial Value Problem Solvers, problem "
          "chemakzo",
      .stop_time = 180,
      .equations = chemakzo_equations,
      .references = {{.t = 180,
                      .values = relative(
                          1e-15, "y",
                          {0.1150794920661702, 0.1203831471567715e-2, 0.1611562887407974,
                           0.3656156421249283e-3, 0.1708010885264404e-1, 0.4873531310307455e-2}),
                      .source = "PSIDE on a Cray C90; confirmed in quadruple precision"}},
      .structure = {.c = {0, 0, 0, 0, 0, 0}, .d = {1, 1, 1, 1, 1, 0}, .index = 1, .dof = 5},
      .start_accuracy = 1e-15,
  });
}

}  // namespace hydae::problems
