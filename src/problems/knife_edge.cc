// Knife edge sliding down an inclined plane: the blade turns at constant speed and lets no lateral
// velocity pass, a nonholonomic constraint. Exact: a cycloid.

#include <numbers>

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

void knife_edge_equations(Model& model) {
  const Expr m = model.parameter("m", 1.25), g = model.parameter("g", 9.81);
  const Expr alpha = model.parameter("alpha", std::numbers::pi / 4);
  const Expr Omega = model.parameter("Omega", std::numbers::pi / 3);
  const Expr x = model.variable("x"), y = model.variable("y"), phi = model.variable("phi");
  const Expr u = model.variable("u"), v = model.variable("v"), lambda = model.variable("lambda");
  model.equation(der(x) == u);
  model.equation(der(y) == v);
  model.equation(m * der(u) == m * g * sin(alpha) + lambda * sin(phi));
  model.equation(m * der(v) == -lambda * cos(phi));
  model.equation(der(phi, 2) == 0);
  model.equation(u * sin(phi) - v * cos(phi) == 0);
  model.fix(x, 0), model.fix(y, 0), model.fix(u, 0), model.fix(phi, 0), model.fix(der(phi), Omega);
  model.start(v, 0), model.start(lambda, 0);
  model.start(der(u), g * sin(alpha)), model.start(der(v), 0);
}

ExactComponents knife_edge_exact(const Expr& t) {
  const double m = 1.25, Omega = std::numbers::pi / 3;
  const Expr slope = 9.81 * sin(Expr(std::numbers::pi / 4)), phi = Omega * t;
  const Expr x = slope / (2 * Omega * Omega) * sqr(sin(phi));
  const Expr y = slope / (2 * Omega * Omega) * (phi - sin(2 * phi) / 2);
  return {{"x", x},      {"y", y},      {"phi", phi},
          {"u", der(x)}, {"v", der(y)}, {"lambda", -2 * m * slope * sin(phi)}};
}

}  // namespace

Problem knife_edge() {
  return Problem({
      .name = "knife_edge",
      .title = "knife edge on an inclined plane, nonholonomic, index 2",
      .source = "A. M. Bloch, Nonholonomic Mechanics and Control (2003)",
      .stop_time = 6,
      .equations = knife_edge_equations,
      .exact = knife_edge_exact,
      .structure = {.c = {0, 0, 0, 0, 0, 1}, .d = {1, 1, 2, 1, 1, 0}, .index = 2, .dof = 5},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
