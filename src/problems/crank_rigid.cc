// Slider crank with a rigid rod and prescribed rotation phi1 = Omega t: the limit of problem
// `crank` for infinite stiffness, no gravity. Everything is prescribed, so the multipliers are what
// is looked for. Exact solution by kinematics and back substitution.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr double kCrankLength = 0.15, kRodLength = 0.30, kCrankInertia = 0.002727,
                 kRodInertia = 0.0045339259;
constexpr double kRodMass = 0.151104, kSliderMass = 0.075552, kOmega = 150;

void crank_rigid_equations(Model& m) {
  const Expr L1 = m.parameter("L1", kCrankLength), L2 = m.parameter("L2", kRodLength);
  const Expr J1 = m.parameter("J1", kCrankInertia), J2 = m.parameter("J2", kRodInertia);
  const Expr m2 = m.parameter("m2", kRodMass), m3 = m.parameter("m3", kSliderMass);
  const Expr Omega = m.parameter("Omega", kOmega);
  const Expr phi1 = m.variable("phi1"), phi2 = m.variable("phi2"), x3 = m.variable("x3");
  const Numbered lambda(m, "lambda", 3);
  const Expr coupling = L1 * L2 * m2 / 2, c = cos(phi1 - phi2), s = sin(phi1 - phi2);

  m.equation((J1 + m2 * sqr(L1)) * der(phi1, 2) + coupling * c * der(phi2, 2) +
                 coupling * s * sqr(der(phi2)) + L1 * cos(phi1) * lambda(1) +
                 L1 * sin(phi1) * lambda(2) + lambda(3) ==
             0);
  m.equation(coupling * c * der(phi1, 2) + J2 * der(phi2, 2) - coupling * s * sqr(der(phi1)) +
                 L2 * cos(phi2) * lambda(1) + L2 * sin(phi2) * lambda(2) ==
             0);
  m.equation(m3 * der(x3, 2) + lambda(2) == 0);
  m.equation(L1 * sin(phi1) + L2 * sin(phi2) == 0);
  m.equation(x3 - L1 * cos(phi1) - L2 * cos(phi2) == 0);
  m.equation(phi1 == Omega * m.time());

  m.start(phi1, 0), m.start(der(phi1), 150);
  m.start(phi2, 0), m.start(der(phi2), -75);
  m.start(x3, 0.45), m.start(der(x3), 0);
  m.start(lambda(1), 0), m.start(lambda(2), 382.482), m.start(lambda(3), 0);
}

ExactComponents crank_rigid_exact(const Expr& t) {
  const Expr phi1 = kOmega * t, phi2 = -asin(kCrankLength / kRodLength * sin(phi1));
  const Expr x3 = kCrankLength * cos(phi1) + kRodLength * cos(phi2);
  const Expr coupling = kCrankLength * kRodLength * kRodMass / 2, c = cos(phi1 - phi2),
             s = sin(phi1 - phi2);
  const Expr lambda2 = -kSliderMass * der(x3, 2);
  const Expr lambda1 = -(kRodInertia * der(phi2, 2) - coupling * s * sqr(der(phi1)) +
                         kRodLength * sin(phi2) * lambda2) /
                       (kRodLength * cos(phi2));
  const Expr lambda3 = -(coupling * c * der(phi2, 2) + coupling * s * sqr(der(phi2)) +
                         kCrankLength * cos(phi1) * lambda1 + kCrankLength * sin(phi1) * lambda2);
  return {{"phi1", phi1},       {"phi2", phi2},       {"x3", x3},
          {"lambda1", lambda1}, {"lambda2", lambda2}, {"lambda3", lambda3}};
}

}  // namespace

Problem crank_rigid() {
  return Problem({
      .name = "crank_rigid",
      .title = "slider crank with rigid rod and prescribed rotation, index 3, exact solution",
      .description = "No degree of freedom: an inverse dynamics problem.",
      .source = "the rigid limit of B. Simeon, Math. Modelling of Systems 2 (1996) 1-18",
      .stop_time = 0.1,
      .equations = crank_rigid_equations,
      .exact = crank_rigid_exact,
      .structure = {.c = {0, 0, 0, 2, 2, 2}, .d = {2, 2, 2, 0, 0, 0}, .index = 3, .dof = 0},
  });
}

}  // namespace hydae::problems
