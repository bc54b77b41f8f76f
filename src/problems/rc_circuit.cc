// A capacitor charged through a resistor: R i = U - u, C u' = i. Exact: u = U (1 - exp(-t / (R
// C))).

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void rc_circuit_equations(Model& m) {
  const Expr R = m.parameter("R", 1000), C = m.parameter("C", 1e-6), U = m.parameter("U", 5);
  const Expr u = m.variable("u"), i = m.variable("i");
  m.equation(R * i == U - u, "resistor");
  m.equation(C * der(u) == i, "capacitor");
  m.fix(u, 0), m.start(i, U / R);
}

ExactComponents rc_circuit_exact(const Expr& t) {
  return {{"u", 5 * (1 - exp(-1000 * t))}, {"i", 5e-3 * exp(-1000 * t)}};
}

}  // namespace

Problem rc_circuit() {
  return Problem({
      .name = "rc_circuit",
      .title = "capacitor charged through a resistor",
      .source = "textbook",
      .stop_time = 5e-3,
      .equations = rc_circuit_equations,
      .exact = rc_circuit_exact,
      .structure = {.c = {0, 0}, .d = {1, 0}, .index = 1, .dof = 1},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
