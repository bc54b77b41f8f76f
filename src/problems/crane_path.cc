// Planar crane whose load follows a prescribed path: x, z the load, d the trolley, r the cable
// length, theta the cable angle from the vertical, tau its tension, u1 and u2 the forces on trolley
// and winch.
//
//     M2 x'' = -tau sin theta,                       M2 z'' = -tau cos theta + m g,
//     M1 d'' = -C1 d' + u1 + tau sin theta,          J r'' = -C2 r' - C3 u2 + C3^2 tau,
//     theta = atan((x - d)/z),                       r^2 = (x - d)^2 + z^2,
//     x = 3 + 2.7 t - 0.0675 t^2,                    z = 21 - 2 t + 0.05 t^2.
//
// Traps in the paper: the path of z is printed with its sign reversed, and the printed d(0) = 1
// does not lie on it. Its constants are not printed either: m g = 980, M2 = 100 and M1 = 3000
// follow from the logarithmic norms that are; C1, C2, C3, J only scale the controls and are our
// choice (J = 45.8 C3^2 reproduces the norm 1.61502).
//
// Exact: tan theta = -M2 x'' / (m g - M2 z'') = 13.5/970 is constant, d = x - z tan theta, r = z /
// cos theta.

#include <cmath>

#include "problems/catalogue.h"

namespace hydae::problems {
namespace {

Expr path_x(const Expr& t) { return 3 + 2.7 * t - 0.0675 * sqr(t); }
Expr path_z(const Expr& t) { return 21 - 2 * t + 0.05 * sqr(t); }

const double kTangent = 13.5 / 970, kCosine = 1 / std::hypot(1, kTangent);
const double kTension = std::hypot(13.5, 970);

void crane_path_equations(Model& model) {
  const Expr M1 = model.parameter("M1", 3000), M2 = model.parameter("M2", 100);
  const Expr m = model.parameter("m", 100), g = model.parameter("g", 9.8);
  const Expr C1 = model.parameter("C1", 0), C2 = model.parameter("C2", 0);
  const Expr C3 = model.parameter("C3", 1), J = model.parameter("J", 45.8);
  const Expr x = model.variable("x"), z = model.variable("z"), d = model.variable("d");
  const Expr r = model.variable("r"), theta = model.variable("theta"), tau = model.variable("tau");
  const Expr u1 = model.variable("u1"), u2 = model.variable("u2"), t = model.time();
  model.equation(M2 * der(x, 2) == -tau * sin(theta));
  model.equation(M2 * der(z, 2) == -tau * cos(theta) + m * g);
  model.equation(M1 * der(d, 2) == -C1 * der(d) + u1 + tau * sin(theta));
  model.equation(J * der(r, 2) == -C2 * der(r) - C3 * u2 + sqr(C3) * tau);
  model.equation(theta == atan((x - d) / z));
  model.equation(sqr(r) == sqr(x - d) + sqr(z));
  model.equation(x == path_x(t));
  model.equation(z == path_z(t));

  model.start(x, 3), model.start(der(x), 2.7), model.start(z, 21), model.start(der(z), -2);
  model.start(d, 3 - 21 * kTangent), model.start(der(d), 2.7 + 2 * kTangent);
  model.start(r, 21 / kCosine), model.start(der(r), -2 / kCosine);
  model.start(theta, std::atan(kTangent)), model.start(tau, kTension);
  model.start(u1, 0), model.start(u2, 0);
}

ExactComponents crane_path_exact(const Expr& t) {
  const Expr x = path_x(t), z = path_z(t), d = x - z * kTangent, r = z / kCosine;
  const Expr u1 = 3000 * der(d, 2) - kTension * kTangent * kCosine;
  const Expr u2 = kTension - 45.8 * der(r, 2);
  return {{"x", x},          {"z", z},   {"d", d},  {"r", r}, {"theta", std::atan(kTangent)},
          {"tau", kTension}, {"u1", u1}, {"u2", u2}};
}

}  // namespace

Problem crane_path() {
  return Problem({
      .name = "crane_path",
      .title = "planar crane with prescribed path of the load, index 5",
      .description =
          "The constraint partitioning example. Constants that the paper does not print are "
          "inferred or chosen; its path of z has the wrong sign and its d(0) = 1 is inconsistent.",
      .source =
          "S. L. Campbell, High-index differential algebraic equations, Mech. Struct. Mach. 23 "
          "(1995) 199-222; S. Raha, L. R. Petzold, Constraint partitioning for structure in "
          "path-constrained dynamic optimization problems, section 5.6",
      .stop_time = 8,
      .equations = crane_path_equations,
      .exact = crane_path_exact,
      .structure = {.dof = 0, .true_index = 5},
  });
}

}  // namespace hydae::problems
