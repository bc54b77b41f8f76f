// Dry friction. Where it can hold a body, the model says so with a Boolean and switches between a
// constraint and a force; or it only writes sign(v) and leaves the sticking to the solver.

#include <cmath>
#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr double kPi = std::numbers::pi;

// A mass on a spring and on a belt of speed vb. It sticks until the spring pulls with Fs, then
// slides with friction Fk about x = Fk/k until it has the speed of the belt again. Begins at the
// start of a sticking phase.
void stick_slip_equations(Model& m) {
  const Expr mass = m.parameter("m", 1), k = m.parameter("k", 1), vb = m.parameter("vb", 0.2);
  const Expr Fs = m.parameter("Fs", 1.5), Fk = m.parameter("Fk", 1);
  const Expr x = m.variable("x"), F = m.variable("F"), sticks = boolean(m, "sticks", true);
  m.equation(mass * der(x, 2) == F - k * x);
  m.equation(select(sticks, der(x) - vb, F - Fk) == 0);
  m.when(when({pre(sticks) && F > Fs}, {assign(sticks, false)}));
  m.when(when({!pre(sticks) && der(x) > vb}, {assign(sticks, true)}));
  m.fix(x, 0.5), m.start(der(x), 0.2), m.start(F, 0.5);
}

const double kSlip = 2 * (kPi - std::atan(0.5 / 0.2)), kStick = 5;

ExactComponents stick_slip_exact(const Expr& t) {
  Expr x = 0, F = 0, sticks = 0;
  for (int cycle = 0; cycle < 4; ++cycle) {
    const double start = cycle * (kStick + kSlip), slips = start + kStick;
    const Expr stick = 0.5 + 0.2 * (t - start), phase = t - slips;
    const Expr slip = 1 + 0.5 * cos(phase) + 0.2 * sin(phase);
    x = select(t < start, x, select(t < slips, stick, slip));
    F = select(t < start, F, select(t < slips, stick, 1));
    sticks = select(t < start, sticks, select(t < slips, 1, 0));
  }
  return {{"x", x}, {"F", F}, {"sticks", sticks}};
}

std::vector<KnownEvent> stick_slip_events() {
  std::vector<KnownEvent> events;
  for (int cycle = 0; cycle < 3; ++cycle) {
    const double start = cycle * (kStick + kSlip);
    events.push_back({.t = start + kStick, .accuracy = 1e-14, .what = "slips"});
    events.push_back({.t = start + kStick + kSlip, .accuracy = 1e-14, .what = "sticks"});
  }
  return events;
}

// A brake with torque T = 4 on a wheel driven by 2t: w = t^2 - 4t + 2 stops at 2 - sqrt 2; it turns
// again when 2t > T.
void dry_brake_equations(Model& m) {
  const Expr J = m.parameter("J", 1), T = m.parameter("T", 4);
  const Expr w = m.variable("w"), tau = m.variable("tau"), stuck = boolean(m, "stuck", false);
  m.equation(J * der(w) == 2 * m.time() - tau);
  m.equation(select(stuck, w, tau - T) == 0);
  m.when(when({!pre(stuck) && w < 0}, {assign(stuck, true)}));
  m.when(when({pre(stuck) && tau > T}, {assign(stuck, false)}));
  m.fix(w, 2), m.start(tau, 4);
}

ExactComponents dry_brake_exact(const Expr& t) {
  const double stops = 2 - std::sqrt(2.0);
  const Expr is_stuck = t >= stops && t < 2;
  return {{"w", select(is_stuck, 0, sqr(t) - 4 * t + select(t < 2, 2, 4))},
          {"tau", select(is_stuck, 2 * t, 4)},
          {"stuck", select(is_stuck, 1, 0)}};
}

// The sign with events where it changes; sign() of the language switches silently.
Expr direction(const Expr& v) { return select(v > 0, 1, -1); }

// m x'' + k x = -Fc sign x': half periods of pi about +-Fc/k, each loses 2 Fc/k. From 1 with Fc =
// 0.15: -0.7, 0.4, -0.1, where |k x| < Fc holds it.
void coulomb_equations(Model& m) {
  const Expr mass = m.parameter("m", 1), k = m.parameter("k", 1), Fc = m.parameter("Fc", 0.15);
  const Expr x = m.variable("x");
  m.equation(mass * der(x, 2) + k * x == -Fc * direction(der(x)));
  m.fix(x, 1), m.fix(der(x), 0);
}

// x' = 0.5 - sign x: slides along x = 0 from t = 2 on, where sign x acts like 0.5.
void relay_equations(Model& m) {
  const Expr x = m.variable("x");
  m.equation(der(x) == 0.5 - sign(x));
  m.fix(x, 1);
}

// Two relays: the distance from the origin falls by 0.98 in each quarter turn, infinitely many in
// finite time.
void relay_spiral_equations(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), a = m.parameter("a", 0.01);
  m.equation(der(x) == -500 * (a * direction(x) + (1 - a) * direction(y)));
  m.equation(der(y) == -500 * (-(1 - a) * direction(x) + a * direction(y)));
  m.fix(x, 10), m.fix(y, 10);
}

}  // namespace

Problem stick_slip() {
  return Problem({
      .name = "stick_slip",
      .title = "oscillator on a moving belt: sticks and slips",
      .source =
          "after R. I. Leine, D. H. van Campen, A. de Kraker, L. van den Steen, Stick-slip "
          "vibrations induced by alternate friction models, Nonlinear Dynamics 16 (1998) 41-54",
      .kind = ProblemKind::kHybrid,
      .stop_time = 30,
      .equations = stick_slip_equations,
      .exact = stick_slip_exact,
      .events = stick_slip_events(),
      .structure = {.dof = 1},  // sticking, the velocity is given
      .start_accuracy = 0,
  });
}

Problem dry_brake() {
  return Problem({
      .name = "dry_brake",
      .title = "braked wheel stops and breaks away",
      .description = "Breaks away at t = 2 exactly, with zero speed and zero acceleration.",
      .source = "textbook",
      .kind = ProblemKind::kHybrid,
      .stop_time = 3,
      .equations = dry_brake_equations,
      .exact = dry_brake_exact,
      .events = {{.t = 2 - std::sqrt(2.0), .accuracy = 1e-15, .what = "stops"},
                 {.t = 2, .accuracy = 1e-15, .what = "breaks away"}},
      .structure = {.c = {0, 0}, .d = {1, 0}, .index = 1, .dof = 1},
      .start_accuracy = 0,
  });
}

Problem coulomb_oscillator() {
  return Problem({
      .name = "coulomb_oscillator",
      .title = "oscillator with Coulomb friction, comes to rest away from its equilibrium",
      .description = "At rest the equation as written has no solution: sign x' must take a value "
                     "between -1 and 1 (Filippov).",
      .source = "textbook",
      .kind = ProblemKind::kHybrid,
      .stop_time = 12,
      .equations = coulomb_equations,
      .references = {{.t = 12,
                      .values = absolute(1e-14, {{"x", -0.1}, {"x", 0, 1}}),
                      .source = "closed form"}},
      .events = {{.t = kPi, .accuracy = 1e-15, .what = "turns at -0.7"},
                 {.t = 2 * kPi, .accuracy = 1e-15, .what = "turns at 0.4"},
                 {.t = 3 * kPi, .accuracy = 1e-15, .what = "rests at -0.1"}},
      .structure = {.c = {0}, .d = {2}, .index = 0, .dof = 2},
  });
}

Problem relay() {
  return Problem({
      .name = "relay",
      .title = "scalar relay x' = 0.5 - sign x with a sliding mode",
      .source = "A. F. Filippov, Differential Equations with Discontinuous Righthand Sides (1988)",
      .kind = ProblemKind::kHybrid,
      .stop_time = 4,
      .equations = relay_equations,
      .references = {{.t = 4, .values = absolute(1e-15, {{"x", 0}}), .source = "closed form"}},
      .events = {{.t = 2, .accuracy = 1e-15, .what = "begins to slide"}},
      .structure = {.c = {0}, .d = {1}, .index = 0, .dof = 1},
      .start_accuracy = 0,
  });
}

Problem relay_spiral() {
  return Problem({
      .name = "relay_spiral",
      .title = "two relays: a spiral of infinitely many switches into sliding along both surfaces",
      .source = "Siconos, example Filippov",
      .kind = ProblemKind::kHybrid,
      .stop_time = 2.5,
      .equations = relay_spiral_equations,
      .references = {{.t = 2.5,
                      .values = absolute(1e-12, {{"x", 0}, {"y", 0}}),
                      .source = "closed form"}},
      .events = {{.t = 0.02, .accuracy = 1e-16, .what = "x changes sign at y = 19.8"},
                 {.t = 0.0596, .accuracy = 1e-16, .what = "y changes sign at x = -19.404"},
                 {.t = 2, .accuracy = 1e-13, .what = "switches accumulate at the origin"}},
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
