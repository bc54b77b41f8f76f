// Jay's problems in Hessenberg form with exponential solutions, of index 3 and of index 2.

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void equations3(Model& m) {
  const Expr y1 = m.variable("y1"), y2 = m.variable("y2");
  const Expr z1 = m.variable("z1"), z2 = m.variable("z2"), u = m.variable("u");
  m.equation(der(y1) == 2 * y1 * y2 * z1 * z2);
  m.equation(der(y2) == -y1 * y2 * sqr(z2));
  m.equation(der(z1) == (y1 * y2 + z1 * z2) * u);
  m.equation(der(z2) == -y1 * sqr(y2) * sqr(z2) * u);
  m.equation(y1 * sqr(y2) == 1);
  m.fix(y1, 1), m.fix(z1, 1);
  m.start(y2, 1), m.start(z2, 1), m.start(u, 1), m.start(der(y1), 2), m.start(der(y2), -1);
}

// The multiplier enters linearly, or as (y2 z)^2 with the same solution.
void equations2(Model& m, bool is_linear) {
  const Expr y1 = m.variable("y1"), y2 = m.variable("y2"), z = m.variable("z");
  m.equation(der(y1) == (is_linear ? y1 * y2 * z : y1 * sqr(y2) * sqr(z)));
  m.equation(der(y2) == sqr(y1 * y2) - 3 * sqr(y2) * z);
  m.equation(sqr(y1) * y2 == 1);
  m.fix(y1, 1);
  m.start(y2, 1), m.start(z, 1), m.start(der(y1), 1), m.start(der(y2), -2);
}

ExactComponents exact3(const Expr& t) {
  return {{"y1", exp(2 * t)}, {"y2", exp(-t)}, {"z1", exp(2 * t)}, {"z2", exp(-t)}, {"u", exp(t)}};
}

ExactComponents exact2(const Expr& t) {
  return {{"y1", exp(t)}, {"y2", exp(-2 * t)}, {"z", exp(2 * t)}};
}

constexpr const char* kJay =
    "L. O. Jay, Convergence of Runge-Kutta methods for differential-algebraic systems of index 3, "
    "Appl. Numer. Math. 17 (1995) 97-118; this form after scipy pull request 13068";

}  // namespace

Problem jay_index3() {
  return Problem({
      .name = "jay_index3",
      .title = "Jay's Hessenberg DAE of index 3, exponential solution",
      .source = kJay,
      .equations = equations3,
      .exact = exact3,
      .structure = {.c = {1, 1, 0, 0, 2}, .d = {2, 2, 1, 1, 0}, .index = 3, .dof = 2},
      .start_accuracy = 0,
  });
}

Problem jay_index2() {
  return Problem({
      .name = "jay_index2",
      .title = "Jay's Hessenberg DAE of index 2, exponential solution",
      .source = kJay,
      .equations = [](Model& m) { equations2(m, true); },
      .exact = exact2,
      .structure = {.c = {0, 0, 1}, .d = {1, 1, 0}, .index = 2, .dof = 1},
      .start_accuracy = 0,
  });
}

Problem jay_index2_nonlinear() {
  return Problem({
      .name = "jay_index2_nonlinear",
      .title = "Jay's DAE of index 2 with a multiplier that enters nonlinearly",
      .source = kJay,
      .equations = [](Model& m) { equations2(m, false); },
      .exact = exact2,
      .structure = {.c = {0, 0, 1}, .d = {1, 1, 0}, .index = 2, .dof = 1},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
