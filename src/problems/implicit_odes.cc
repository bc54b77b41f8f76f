// Scalar implicit ODEs with exact solutions. A polynomial of degree three in y' has up to three
// solutions through one point: the guess of y' chooses.

#include <cmath>

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

// t y^2 y'^3 - y^3 y'^2 + t (t^2 + 1) y' - t^2 y = 0
void weissinger_equation(Model& m) {
  const Expr t = m.time(), y = m.variable("y"), dy = der(y);
  m.equation(t * sqr(y) * pow(dy, 3) - pow(y, 3) * sqr(dy) + t * (sqr(t) + 1) * dy - sqr(t) * y ==
             0);
  m.fix(y, std::sqrt(1.5)), m.start(dy, 1 / std::sqrt(1.5));
}

// 16 y^2 y'^3 + 2 t y' - y = 0
void kamke_equation(Model& m) {
  const Expr y = m.variable("y"), dy = der(y);
  m.equation(16 * sqr(y) * pow(dy, 3) + 2 * m.time() * dy - y == 0);
  m.fix(y, std::sqrt(3.0)), m.start(dy, 0.5 / std::sqrt(3.0));
}

// y' = sin(t^2 y')/16 - sin(exp y)/16 + 1/t
void jackiewicz_equation(Model& m) {
  const Expr t = m.time(), y = m.variable("y"), dy = der(y);
  m.equation(dy == sin(sqr(t) * dy) / 16 - sin(exp(y)) / 16 + 1 / t);
  m.fix(y, 0), m.start(dy, 1);
}

}  // namespace

Problem weissinger() {
  return Problem({
      .name = "weissinger",
      .title = "Weissinger's implicit ODE, cubic in y'",
      .source =
          "L. F. Shampine, Solving 0 = F(t, y(t), y'(t)) in Matlab, J. Numer. Math. 10 (2002) "
          "291-310",
      .kind = ProblemKind::kOde,
      .start_time = 1,
      .stop_time = 10,
      .equations = weissinger_equation,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"y", sqrt(sqr(t) + 0.5)}};
          },
      .structure = {.c = {0}, .d = {1}, .index = 0, .dof = 1},
      .start_accuracy = 1e-15,
  });
}

Problem kamke() {
  return Problem({
      .name = "kamke",
      .title = "Kamke's equation I.542, cubic in y'",
      .source = "E. Kamke, Differentialgleichungen: Loesungsmethoden und Loesungen, equation I.542",
      .kind = ProblemKind::kOde,
      .start_time = 1,
      .stop_time = 10,
      .equations = kamke_equation,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"y", sqrt(t + 2)}};
          },
      .structure = {.c = {0}, .d = {1}, .index = 0, .dof = 1},
      .start_accuracy = 1e-15,
  });
}

Problem jackiewicz() {
  return Problem({
      .name = "jackiewicz",
      .title = "Jackiewicz' implicit ODE, transcendental in y'",
      .source = "Z. Jackiewicz; collected in the Python package solve_dae",
      .kind = ProblemKind::kOde,
      .start_time = 1,
      .stop_time = 4,
      .equations = jackiewicz_equation,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"y", log(t)}};
          },
      .structure = {.c = {0}, .d = {1}, .index = 0, .dof = 1},
      .start_accuracy = 1e-16,
  });
}

}  // namespace hydae::problems
