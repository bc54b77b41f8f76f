// Modified nodal analysis of a capacitor and a resistor in series with a voltage source: node
// voltages v1, v3 and the source current i.
//
//     C (v1' - v3') - i = 0,    -C (v1' - v3') + v3/R = 0,    -v1 = v(t).
//
// The capacitance matrix is singular: the differentiation index is 1 (the sum of the first two
// equations is algebraic), the structural index 2. The circuit's v(t) is not given; here v1 = sin(w
// t), which gives with T = R C v3 = w T / (1 + w^2 T^2) (cos w t + w T sin w t - exp(-t/T)) from
// v3(0) = 0.

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

constexpr double kC = 2e-12, kR = 10, kW = 1e10;

void mna_circuit_equations(Model& m) {
  const Expr C = m.parameter("C", kC), R = m.parameter("R", kR), w = m.parameter("w", kW);
  const Expr v1 = m.variable("v1"), v3 = m.variable("v3"), i = m.variable("i");
  m.equation(C * (der(v1) - der(v3)) - i == 0);
  m.equation(-C * (der(v1) - der(v3)) + v3 / R == 0);
  m.equation(-v1 == -sin(w * m.time()));
  m.fix(v3, 0), m.start(v1, 0), m.start(i, 0), m.start(der(v1), kW), m.start(der(v3), kW);
}

ExactComponents mna_circuit_exact(const Expr& t) {
  const double T = kR * kC, a = kW * T;
  const Expr v3 = a / (1 + a * a) * (cos(kW * t) + a * sin(kW * t) - exp(-t / T));
  return {{"v1", sin(kW * t)}, {"v3", v3}, {"i", v3 / kR}};
}

}  // namespace

Problem mna_circuit() {
  return Problem({
      .name = "mna_circuit",
      .title = "modified nodal analysis of an RC circuit: index 1, structural index 2",
      .source =
          "S. Raha, L. R. Petzold, Constraint partitioning for structure in path-constrained "
          "dynamic optimization problems (2000), section 5.4, after Reissig, Martinson and Barton",
      .stop_time = 1e-9,
      .equations = mna_circuit_equations,
      .exact = mna_circuit_exact,
      .structure =
          {.c = {0, 0, 1}, .d = {1, 1, 0}, .index = 2, .dof = 1, .true_index = 1, .true_dof = 1},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
