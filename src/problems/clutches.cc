// Ideal clutches: two shafts that turn freely or, engaged, at the same speed. Engaging shafts of
// different speed takes a torque impulse; the speed after it follows from the balance of momentum
// alone.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// J1 w1' = -k1 w1 + f1, J2 w2' = -k2 w2 + f2, f1 + f2 = 0; engaged from t = 5 to 7.
void ideal_clutch_equations(Model& m) {
  const Expr J1 = m.parameter("J1", 1), J2 = m.parameter("J2", 2);
  const Expr k1 = m.parameter("k1", 0.01), k2 = m.parameter("k2", 0.0125), t = m.time();
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2");
  const Expr f1 = m.variable("f1"), f2 = m.variable("f2");
  m.equation(J1 * der(w1) == -k1 * w1 + f1);
  m.equation(J2 * der(w2) == -k2 * w2 + f2);
  m.equation(f1 + f2 == 0);
  m.equation(select(t >= 5 && t < 7, w1 - w2, f1) == 0);
  m.fix(w1, 1), m.fix(w2, 1.5), m.start(f1, 0), m.start(f2, 0);
}

const double kEngaged = (std::exp(-0.05) + 2 * 1.5 * std::exp(-0.03125)) / 3;  // speed at t = 5

ExactComponents ideal_clutch_exact(const Expr& t) {
  const Expr engaged = kEngaged * exp(-0.0075 * (t - 5)), is_engaged = t >= 5 && t < 7;
  const double released = kEngaged * std::exp(-0.015);
  const auto speed = [&](double start, double rate) {
    return select(t < 5, start * exp(-rate * t),
                  select(t < 7, engaged, released * exp(-rate * (t - 7))));
  };
  const Expr f1 = select(is_engaged, 0.0025 * engaged, 0);
  return {{"w1", speed(1, 0.01)}, {"w2", speed(1.5, 0.00625)}, {"f1", f1}, {"f2", -f1}};
}

// A motor with a capacitor across its terminals: the capacitor adds C k^2 to the inertia of the
// first shaft, in the impulse too. Engaged for 0 <= t < 100 and t >= 300.
void clutch_motor_equations(Model& m) {
  const Expr J1 = m.parameter("J1", 0.1), J2 = m.parameter("J2", 0.4), R = m.parameter("R", 10);
  const Expr C = m.parameter("C", 2), k = m.parameter("k", 0.25), V0 = m.parameter("V0", 10);
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2"), tau = m.variable("tau");
  const Expr i = m.variable("i"), vC = m.variable("vC"), iC = m.variable("iC");
  const Expr iR = m.variable("iR"), t = m.time();
  m.equation(J1 * der(w1) == k * i - tau, "motor_shaft");
  m.equation(J2 * der(w2) == tau, "load_shaft");
  m.equation(vC == k * w1, "motor_voltage");
  m.equation(iC == C * der(vC), "capacitor");
  m.equation(R * iR == V0 - vC, "resistor");
  m.equation(i == iR - iC, "node");
  m.equation(select((t >= 0 && t < 100) || t >= 300, w1 - w2, tau) == 0, "clutch");
  m.fix(w1, 40 * (1 - std::exp(1.0 / 36))), m.fix(w2, 10);
  m.start(tau, 0), m.start(i, 0), m.start(vC, 0), m.start(iC, 0), m.start(iR, 1);
}

// Speeds where the pieces of the solution meet.
const double kAt0 = 6.4, kAt100 = 40 - (40 - kAt0) * std::exp(-1.0);
const double kMotorAt300 = 40 - (40 - kAt100) * std::exp(-200.0 / 36);
const double kAt300 = (0.225 * kMotorAt300 + 0.4 * kAt100) / 0.625;

ExactComponents clutch_motor_exact(const Expr& t) {
  // Towards 40 with time constant 36 when released, 100 when engaged.
  const auto approach = [&](double w, double since, double constant) {
    return 40 - (40 - w) * exp(-(t - since) / constant);
  };
  const Expr together = select(t < 300, approach(kAt0, 0, 100), approach(kAt300, 300, 100));
  const Expr is_engaged = (t >= 0 && t < 100) || t >= 300;
  const Expr w1 =
      select(is_engaged, together, select(t < 0, approach(0, 0, 36), approach(kAt100, 100, 36)));
  const Expr w2 = select(is_engaged, together, select(t < 0, 10, kAt100));
  const Expr vC = 0.25 * w1, iC = 2 * der(vC), iR = (10 - vC) / 10;
  return {{"w1", w1}, {"w2", w2}, {"tau", 0.4 * der(w2)}, {"i", iR - iC}, {"vC", vC},
          {"iC", iC}, {"iR", iR}};
}

// w_i' = b_i tau_i, engaged at t = 1.
void benveniste_equations(Model& m) {
  const Expr b1 = m.parameter("b1", 1), b2 = m.parameter("b2", 2);
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2");
  const Expr tau1 = m.variable("tau1"), tau2 = m.variable("tau2");
  const Expr is_engaged = m.time() >= 1;
  m.equation(der(w1) == b1 * tau1);
  m.equation(der(w2) == b2 * tau2);
  m.equation(select(is_engaged, w1 - w2, tau1) == 0);
  m.equation(select(is_engaged, tau1 + tau2, tau2) == 0);
  m.fix(w1, 10), m.fix(w2, 1), m.start(tau1, 0), m.start(tau2, 0);
}

// J1 w1' = -r tau, J2 w2' = tau, w2 = r w1; the ratio changes from 1 to 3 at t = 1.
void gear_shift_equations(Model& m) {
  const Expr J1 = m.parameter("J1", 1), J2 = m.parameter("J2", 1);
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2"), tau = m.variable("tau");
  const Expr r = select(m.time() < 1, 1, 3);
  m.equation(J1 * der(w1) == -r * tau);
  m.equation(J2 * der(w2) == tau);
  m.equation(w2 == r * w1);
  m.fix(w1, 3), m.start(w2, 3), m.start(tau, 0);
}

}  // namespace

Problem ideal_clutch() {
  const double jump = kEngaged - std::exp(-0.05);
  return Problem({
      .name = "ideal_clutch",
      .title = "two shafts engaged and released, index 1 - 2 - 1, torque impulse",
      .source = "A. Benveniste et al., Structural analysis of multi-mode DAE systems, HSCC 2017; "
                "constants of the DySMo example",
      .kind = ProblemKind::kHybrid,
      .stop_time = 10,
      .equations = ideal_clutch_equations,
      .exact = ideal_clutch_exact,
      .references = {{.t = 5,
                      .values =
                          absolute(1e-15, {{"w1", 0.9512294245007140}, {"w2", 1.453849851714516}}),
                      .source = "closed form",
                      .limit = Limit::kLeft},
                     {.t = 5,
                      .values = absolute(1e-15, {{"w1", 1.286309709309915},
                                                 {"w2", 1.286309709309915},
                                                 {"f1", 3.215774273274789e-3}}),
                      .source = "closed form"},
                     {.t = 10,
                      .values =
                          absolute(1e-15, {{"w1", 1.229708842957746}, {"w2", 1.243621177591993}}),
                      .source = "closed form"}},
      .events = {{.t = 5, .what = "engages", .impulses = {{"f1", 0, jump}, {"f2", 0, -jump}}},
                 {.t = 7, .what = "releases"}},
      .start_accuracy = 0,
  });
}

Problem clutch_motor() {
  const double at_300 = 0.4 * (kAt300 - kAt100), charge = 0.5 * (kAt300 - kMotorAt300);
  return Problem({
      .name = "clutch_motor",
      .title = "clutch between a load and a motor with capacitor: impulses through two domains",
      .description =
          "After the impulse at t = 0 both turn at 6.4: leaving the electrical path out gives 8, "
          "the nearest point on the constraint 5. ModiaMath starts at t = 0 before the impulse; "
          "here the shafts run free from t = -1 so that they have its speeds 0 and 10 at t = 0. "
          "Its printed end value 38.92774666 is wrong by 7e-4.",
      .source = "M. Otter, H. Elmqvist, ModiaMath, example IdealClutch",
      .kind = ProblemKind::kHybrid,
      .start_time = -1,
      .stop_time = 500,
      .equations = clutch_motor_equations,
      .exact = clutch_motor_exact,
      .references = {{.t = 100,
                      .values = absolute(1e-13, {{"w1", 27.63925077663954}}),
                      .source = "closed form"},
                     {.t = 300,
                      .values = absolute(1e-13, {{"w1", 39.95221433063844}}),
                      .source = "closed form",
                      .limit = Limit::kLeft},
                     {.t = 300,
                      .values = absolute(1e-13, {{"w1", 32.07191765607914}}),
                      .source = "closed form"},
                     {.t = 500,
                      .values = absolute(1e-13, {{"w1", 38.92705073046228}}),
                      .source = "closed form"}},
      .events = {{.t = 0,
                  .what = "engages",
                  .impulses = {{"tau", 0, -1.44}, {"iC", 0, 3.2}, {"i", 0, -3.2}}},
                 {.t = 100, .what = "releases"},
                 {.t = 300,
                  .what = "engages",
                  .impulses = {{"tau", 0, at_300}, {"iC", 0, charge}, {"i", 0, -charge}}}},
  });
}

Problem clutch_benveniste() {
  return Problem({
      .name = "clutch_benveniste",
      .title = "clutch given by coefficients: w+ = (b2 w1 + b1 w2)/(b1 + b2)",
      .source =
          "A. Benveniste, B. Caillaud, M. Malandain, The mathematical foundations of physical "
          "systems modeling languages, Annual Reviews in Control 50 (2020) 72-118",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = benveniste_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{{"w1", select(t < 1, 10, 7)},
                                   {"w2", select(t < 1, 1, 7)},
                                   {"tau1", 0},
                                   {"tau2", 0}};
          },
      .events = {{.t = 1, .what = "engages", .impulses = {{"tau1", 0, -3}, {"tau2", 0, 3}}}},
      .start_accuracy = 0,
  });
}

Problem gear_shift() {
  return Problem({
      .name = "gear_shift",
      .title = "gear ratio that jumps: coefficient of an impulsive variable",
      .description = "The product of a jump and a delta is a convention. With the ratio after the "
                     "shift the speeds are 1.2 and 3.6 and energy falls; with the ratio before it, "
                     "1.5 and 4.5, energy is created.",
      .source = "P. Junglas, slides on structural variability, 2025",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2,
      .equations = gear_shift_equations,
      .exact =
          [](const Expr& t) {
            return ExactComponents{
                {"w1", select(t < 1, 3, 1.2)}, {"w2", select(t < 1, 3, 3.6)}, {"tau", 0}};
          },
      .events = {{.t = 1, .what = "shifts", .impulses = {{"tau", 0, 0.6}}}},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
