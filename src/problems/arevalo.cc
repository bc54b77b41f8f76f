// A point on the unit circle with growing speed: x = sin t^2, y = cos t^2, lambda = -4 t^2.

#include <cmath>

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void arevalo_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), u = m.variable("u"), v = m.variable("v");
  const Expr lambda = m.variable("lambda");
  m.equation(der(x) == u);
  m.equation(der(y) == v);
  m.equation(der(u) == 2 * y + x * lambda);
  m.equation(der(v) == -2 * x + y * lambda);
  m.equation(sqr(x) + sqr(y) == 1);
  m.fix(y, std::cos(1)), m.fix(v, -2 * std::sin(1));
  m.start(x, std::sin(1)), m.start(u, 2 * std::cos(1)), m.start(lambda, -4);
  m.start(der(x), 2 * std::cos(1)), m.start(der(y), -2 * std::sin(1));
}

ExactComponents arevalo_exact(const Expr& t) {
  const Expr x = sin(sqr(t)), y = cos(sqr(t));
  return {{"x", x}, {"y", y}, {"u", der(x)}, {"v", der(y)}, {"lambda", -4 * sqr(t)}};
}

}  // namespace

Problem arevalo() {
  return Problem({
      .name = "arevalo",
      .title = "accelerated motion on a circle, index 3",
      .source = "C. Arevalo, P. Lotstedt, Improving the accuracy of BDF methods for index 3 "
                "differential-algebraic equations, BIT 35 (1995) 297-308",
      .start_time = 1,
      .stop_time = 5,
      .equations = arevalo_equations,
      .exact = arevalo_exact,
      .structure = {.c = {1, 1, 0, 0, 2}, .d = {2, 2, 1, 1, 0}, .index = 3, .dof = 2},
      .start_accuracy = 1e-15,
  });
}

}  // namespace hydae::problems
