// Planar parallel robot, two arms of length L and two forearms of length l, with PID control in the
// joints. Equations (10)-(15) of the paper: positions x, z of the plate, joint angles q1, q2,
// angles qd1, qd2 on the prescribed path, torques Gamma1, Gamma2, multipliers y1, y2, integrals E1,
// E2 of the tracking errors. Two kinds of switches: the motors saturate at alpha, and dry friction
// changes sign.
//
// As printed, m1 g cos q in the arm torque is a force, not a torque; kept. sign(0) = +1, so dry
// friction has no stick mode: a solver that knows sliding modes may legitimately differ. The paper
// starts from x = (0, -0.6), q = 0, which does not satisfy the position equations, and moves to the
// nearest consistent point; here x is fixed and q follows.

#include <cmath>
#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

const double kStartAngle = std::acos(1 / std::sqrt(148.0)) - std::atan(6.0);

void parallel_robot_equations(Model& m) {
  const Expr xp = m.parameter("xp", 0.1), L = m.parameter("L", 0.3), l = m.parameter("l", 0.7);
  const Expr m1 = m.parameter("m1", 0.82), m2 = m.parameter("m2", 0.14),
             m3 = m.parameter("m3", 0.5);
  const Expr ml = m.parameter("ml", 5), Jmot = m.parameter("Jmot", 0.37e-4);
  const Expr Jred = m.parameter("Jred", 9.09e-4), I = m.parameter("I", 0.018895002);
  const Expr Fs = m.parameter("Fs", 3), Fv = m.parameter("Fv", 0.5),
             alpha = m.parameter("alpha", 50);
  const Expr eta = m.parameter("eta", 5), g = m.parameter("g", 9.81);
  const Expr Kc = m.parameter("Kc", 600), Ti = m.parameter("Ti", 300), Td = m.parameter("Td", 0.05);

  const Expr x = m.variable("x"), z = m.variable("z"), q1 = m.variable("q1"), q2 = m.variable("q2");
  const Expr qd1 = m.variable("qd1"), qd2 = m.variable("qd2");
  const Expr y1 = m.variable("y1"), y2 = m.variable("y2");
  const Expr Gamma1 = m.variable("Gamma1"), Gamma2 = m.variable("Gamma2");
  const Expr E1 = m.variable("E1"), E2 = m.variable("E2");
  const Expr omega = 2 * std::numbers::pi, t = m.time();
  const Expr xd = -0.35 * sin(omega * t), zd = -0.7 + 0.1 * cos(omega * t);

  // Elbow of arm 1 and 2, and half the gradient of the squared forearm length.
  const auto ax = [&](const Expr& q, int side) { return side * (xp + L * cos(q)); };
  const auto az = [&](const Expr& q) { return -L * sin(q); };
  const auto phi = [&](const Expr& px, const Expr& pz, const Expr& q, int side) {
    return sqr(px - ax(q, side)) + sqr(pz - az(q)) - sqr(l);
  };
  m.equation(phi(x, z, q1, 1) == 0, "position1");
  m.equation(phi(x, z, q2, -1) == 0, "position2");
  m.equation(phi(xd, zd, qd1, 1) == 0, "path1");
  m.equation(phi(xd, zd, qd2, -1) == 0, "path2");

  // Plate: Jx^T y, with Jx = d phi / d (x, z).
  const Expr mass = m2 + m3 + ml;
  m.equation(2 * (x - ax(q1, 1)) * y1 + 2 * (x - ax(q2, -1)) * y2 + mass * der(x, 2) == 0,
             "plate_x");
  m.equation(2 * (z - az(q1)) * y1 + 2 * (z - az(q2)) * y2 + mass * (der(z, 2) - g) == 0,
             "plate_z");

  // Arms: Jq y, with Jq = d phi / d q.
  const auto arm = [&](const Expr& q, const Expr& y, const Expr& Gamma, int side) {
    const Expr gears = sqr(eta) * (Jmot + Jred) * der(q, 2);
    const Expr friction = select(der(q) >= 0, 1, -1) * Fs + Fv * der(q);
    const Expr inertia = I * der(q, 2) - m1 * g * cos(q);
    const Expr forearm = 0.5 * m2 * L * (L * der(q, 2) - g * cos(q));
    const Expr Jq = 2 * (x - ax(q, side)) * side * L * sin(q) + 2 * (z - az(q)) * L * cos(q);
    return -Gamma + gears + friction + inertia + forearm + Jq * y;
  };
  m.equation(arm(q1, y1, Gamma1, 1) == 0, "arm1");
  m.equation(arm(q2, y2, Gamma2, -1) == 0, "arm2");

  const auto motor = [&](const Expr& e, const Expr& E, const Expr& Gamma) {
    const Expr Gamma0 = Kc * (e + E / Ti + Td * der(e));
    return select(Gamma0 > alpha, Gamma - alpha,
                  select(Gamma0 < -alpha, Gamma + alpha, Gamma - Gamma0));
  };
  m.equation(motor(qd1 - q1, E1, Gamma1) == 0, "motor1");
  m.equation(motor(qd2 - q2, E2, Gamma2) == 0, "motor2");
  m.equation(der(E1) == qd1 - q1, "integral1");
  m.equation(der(E2) == qd2 - q2, "integral2");

  m.fix(x, 0), m.fix(z, -0.6), m.fix(der(x), 0), m.fix(der(z), 0), m.fix(E1, 0), m.fix(E2, 0);
  for (const Expr& angle : {q1, q2, qd1, qd2}) m.start(angle, 0), m.start(der(angle), 0);
}

}  // namespace

Problem parallel_robot() {
  return Problem({
      .name = "parallel_robot",
      .title = "parallel robot with saturating motors and dry friction, index 3",
      .description =
          "The report says 18 of 64 modes; the equations as printed give 22 events in 6 modes. At "
          "the start the unsaturated mode is rejected: its controls exceed the limit. The "
          "saturated one is not quasilinear. Throughout |Gamma| <= "
          "50.",
      .source =
          "N. S. Nedialkov, N. Ramdani, Towards integrating hybrid DAEs with a high-index DAE "
          "solver, INRIA report 6834 (2009), sections 4 and 5",
      .kind = ProblemKind::kHybrid,
      .stop_time = 5,
      .equations = parallel_robot_equations,
      // At the start 2 cos q - 12 sin q = 1 in both arms; the controls ask for +-144.7.
      .references = {{.t = 0,
                      .values = absolute(1e-15, {{"q1", kStartAngle},
                                                 {"q2", kStartAngle},
                                                 {"qd1", kStartAngle},
                                                 {"qd2", kStartAngle},
                                                 {"Gamma1", 50},
                                                 {"Gamma2", -50}}),
                      .source = "position equations"}},
      .structure = {.dof = 6},
  });
}

}  // namespace hydae::problems
