// Sliding modes and friction: a relation that is held at its surface.
#include "sim/run_testing.h"

namespace hydae {
namespace {

Model relay() {
  Model m("relay");
  const Expr x = m.variable("x");
  m.equation(der(x) == 0.5 - sign(x));
  m.fix(x, 1);
  return m;
}

Model coulomb_oscillator() {
  Model m("coulomb");
  const Expr x = m.variable("x");
  m.equation(der(x, 2) + x == -0.15 * select(der(x) > 0, 1, -1));
  m.fix(x, 1), m.fix(der(x), 0);
  return m;
}

// Two relays that turn the solution round the origin and pull it in.
Model relay_spiral() {
  Model m("spiral");
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr sx = select(x > 0, 1, -1), sy = select(y > 0, 1, -1);
  m.equation(der(x) == -500 * (0.01 * sx + 0.99 * sy));
  m.equation(der(y) == -500 * (-0.99 * sx + 0.01 * sy));
  m.fix(x, 10), m.fix(y, 10);
  return m;
}

TEST(Sliding, scalar_relay_stays_on_its_surface) {
  // x' = 0.5 - sign x from 1: at zero for t = 2, then sign acts like 0.5.
  const Simulation simulation = run(relay(), 4);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(event_kinds(simulation), std::vector<std::string>{"sliding"});
  EXPECT_NEAR(event_times(simulation)[0], 2, 1e-13);
  EXPECT_NEAR(final_value(simulation, "x"), 0, 1e-14);
  EXPECT_NEAR(final_value(simulation, "der(x)"), 0, 1e-14);
}

TEST(Sliding, relay_whose_drive_grows_leaves_the_surface) {
  // x' = u - sign x with u = t - 2 from x = 1: x = 1 - 3 t + t^2/2 reaches zero at 3 - sqrt 7,
  // where |u| < 1 does not hold (u = -1.65): it crosses and goes on with x' = u + 1 until u = -1
  // turns it; back at zero with |u| < 1 it slides until u = 1, t = 3. Then x = (t - 3)^2 / 2.
  Model m("drive");
  const Expr x = m.variable("x");
  m.equation(der(x) == m.time() - 2 - sign(x));
  m.fix(x, 1);
  const Simulation simulation = run(m, 4);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(event_kinds(simulation), (std::vector<std::string>{"sliding", "sliding"}));
  EXPECT_NEAR(event_times(simulation)[1], 3, 1e-12);
  EXPECT_NEAR(final_value(simulation, "x"), 0.5, 1e-12);
}

TEST(Sliding, frictions_of_one_body_stick_together_and_share_the_force) {
  // v' = t - f + 2 g with frictions of at most 1 at v and 1/4 at 2 v: from v = 1/10 it stops at
  // t = 1.5 - sqrt(2.25 - 0.2); at t = 1 both hold 2/3 of what they can, since 1.5 is
  // all; it breaks loose at t = 1.5, v = (t - 1.5)^2 / 2.
  Model m("brakes");
  const Expr v = m.variable("v"), w = m.variable("w"), f = m.variable("f"), g = m.variable("g");
  m.equation(w == -2 * v);
  m.equation(der(v) == m.time() - f + 2 * g);
  m.equation(f == sign(v));
  m.equation(g == 0.25 * sign(w));
  m.fix(v, 0.1);
  const Simulation stuck = run(m, 1);
  ASSERT_TRUE(stuck.summary.succeeded()) << stuck.summary.message;
  EXPECT_NEAR(final_value(stuck, "v"), 0, 1e-12);
  EXPECT_NEAR(final_value(stuck, "f"), 2.0 / 3, 1e-9);
  EXPECT_NEAR(final_value(stuck, "g"), -0.25 * 2 / 3, 1e-9);
  ASSERT_EQ(stuck.summary.warnings.size(), 1U);
  EXPECT_EQ(stuck.summary.warnings[0],
            "event at t = 0.06821789367: what holds `noEvent(v > 0)` and `noEvent(w > 0)` at zero "
            "is not unique, the motion is: they are used to the same degree");
  const Simulation loose = run(m, 2);
  ASSERT_TRUE(loose.summary.succeeded()) << loose.summary.message;
  EXPECT_NEAR(final_value(loose, "v"), 0.125, 1e-9);
}

TEST(Sliding, coulomb_friction_brings_an_oscillator_to_rest) {
  // Half periods of pi from 1 with Fc = 0.15: -0.7, 0.4, -0.1, where it sticks.
  const Simulation simulation = run(coulomb_oscillator(), 12);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.events.back().kind, "sliding");
  EXPECT_NEAR(simulation.summary.events.back().t, 3 * M_PI, 1e-11);
  EXPECT_NEAR(final_value(simulation, "x"), -0.1, 1e-12);
  EXPECT_NEAR(final_value(simulation, "der(x)"), 0, 1e-14);
}

TEST(Sliding, brake_stops_and_breaks_away) {
  // w' = 2 t - 4 sign w from 2: w = t^2 - 4 t + 2 stops at 2 - sqrt 2; stuck while |2 t| < 4; then
  // w = (t - 2)^2, w(3) = 1.
  Model m("brake");
  const Expr w = m.variable("w");
  m.equation(der(w) == 2 * m.time() - 4 * select(w > 0, 1, -1));
  m.fix(w, 2);
  const Simulation simulation = run(m, 3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(event_kinds(simulation), (std::vector<std::string>{"sliding", "sliding"}));
  EXPECT_NEAR(event_times(simulation)[0], 2 - std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(event_times(simulation)[1], 2, 1e-12);
  EXPECT_NEAR(final_value(simulation, "w"), 1, 1e-11);
}

TEST(Sliding, mode_sequence_does_not_depend_on_the_tolerance) {
  const auto modes = [](const Model& model, double tolerance) {
    std::vector<std::string> list;
    for (const EventRecord& event : run(model, 12, tolerance).summary.events)
      list.push_back(event.from_mode + ">" + event.to_mode);
    return list;
  };
  EXPECT_EQ(modes(relay(), 1e-6), modes(relay(), 1e-13));
  EXPECT_EQ(modes(coulomb_oscillator(), 1e-6), modes(coulomb_oscillator(), 1e-13));
}

TEST(Sliding, two_relays_with_a_spiral_end_in_both_surfaces) {
  // |x| shrinks by 0.98 in each quarter turn; the origin is reached at t = 2.
  const Simulation simulation = run(relay_spiral(), 2.5);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_FALSE(simulation.summary.events.empty());
  EXPECT_EQ(simulation.summary.events.back().kind, "zeno");
  EXPECT_NEAR(simulation.summary.events.back().t, 2, 1e-11);
  EXPECT_NEAR(final_value(simulation, "x"), 0, 1e-9);
  EXPECT_NEAR(final_value(simulation, "y"), 0, 1e-9);
}

TEST(Sliding, a_surface_that_repels_is_left) {
  // x' = sign x from -1e-3 upwards by a drive: x = -1 + 2 t crosses zero; then 3.
  Model m("repelling");
  const Expr x = m.variable("x");
  m.equation(der(x) == 2 + select(x > 0, 1, -1));
  m.fix(x, -1);
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(event_kinds(simulation), std::vector<std::string>{"state"});
  EXPECT_NEAR(final_value(simulation, "x"), 3, 1e-12);
}

// As many pendula with Coulomb friction as are asked for, all moving alike.
Model friction_pendula(int n, double angle) {
  Model m("pendula");
  for (int i = 1; i <= n; ++i) {
    const Expr phi = m.variable("phi" + std::to_string(i)), w = m.variable("w" + std::to_string(i));
    m.equation(der(phi) == w);
    m.equation(der(w) == -9.81 * sin(phi) - 0.5 * select(w > 0, 1, -1));
    m.fix(phi, angle), m.fix(w, 0);
  }
  return m;
}

TEST(Sliding, many_bodies_stick_at_one_instant) {
  // One alone passes through its turning points and sticks at the last one.
  const Simulation one = run(friction_pendula(1, 0.5), 10),
                   many = run(friction_pendula(30, 0.5), 10);
  ASSERT_TRUE(many.summary.succeeded()) << many.summary.message;
  EXPECT_EQ(many.summary.events.size(), one.summary.events.size());
  EXPECT_EQ(many.summary.events.back().kind, "sliding");
  EXPECT_NEAR(many.summary.events.back().t, one.summary.events.back().t, 1e-12);
  for (const char* name : {"phi1", "phi17", "phi30"})
    EXPECT_NEAR(final_value(many, name), final_value(one, "phi1"), 1e-12);
  // Modes: all to one side, all to the other, all stuck, and few more on the way to them.
  EXPECT_LT(many.summary.modes_visited, 10);
}

TEST(Sliding, many_bodies_that_start_at_rest_stay_there) {
  // 9.81 sin(0.02) < 0.5.
  const Simulation simulation = run(friction_pendula(30, 0.02), 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(final_value(simulation, "phi30"), 0.02);
  EXPECT_LT(simulation.summary.modes_visited, 10);
}

TEST(Sliding, some_of_many_relays_leave_when_the_others_stick) {
  // x_i' = a_i - sign x_i: all reach zero at t = 1 from x_i = 1 - a_i. Then each with
  // |a_i| < 1 sticks, and those with a_i = -1.5 pass with x' = -0.5: x(2) = -0.5.
  Model m("relays");
  for (int i = 0; i < 12; ++i) {
    const double a = i % 4 == 3 ? -1.5 : -0.9 + 0.15 * i;
    const Expr x = m.variable("x" + std::to_string(i));
    m.equation(der(x) == a - select(x > 0, 1, -1));
    m.fix(x, 1 - a);
  }
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(event_times(simulation).size(), 1u);
  for (int i = 0; i < 12; ++i)
    EXPECT_NEAR(final_value(simulation, "x" + std::to_string(i)), i % 4 == 3 ? -0.5 : 0, 1e-12)
        << i;
}

TEST(Sliding, a_chain_of_blocks_with_friction_sticks_one_after_the_other) {
  // Five blocks on a rough floor joined by springs, the last pulled with F = 0.3 t: the friction
  // 0.1 of a block is overcome when the spring before it pulls more. Whatever happens, energy
  // balances: the work of the pull is stored or dissipated.
  Model m("blocks");
  const int n = 5;
  std::vector<Expr> x, v;
  for (int i = 0; i < n; ++i) {
    x.push_back(m.variable("x" + std::to_string(i)));
    v.push_back(m.variable("v" + std::to_string(i)));
  }
  const Expr balance = m.variable("balance");
  Expr power = 0.3 * m.time() * v[n - 1];
  for (int i = 0; i < n; ++i) {
    const Expr friction = 0.1 * select(v[i] > 0, 1, -1);
    Expr force = -friction;
    if (i > 0) force = force - (x[i] - x[i - 1]);
    force = force + (i + 1 < n ? x[i + 1] - x[i] : 0.3 * m.time());
    m.equation(der(x[i]) == v[i]);
    m.equation(der(v[i]) == force);
    power = power - friction * v[i];
    m.fix(x[i], 0), m.fix(v[i], 0);
  }
  m.equation(der(balance) == power);
  m.fix(balance, 0);
  const Simulation simulation = run(m, 5);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  double energy = 0;
  for (int i = 0; i < n; ++i) {
    const double speed = final_value(simulation, "v" + std::to_string(i));
    energy += 0.5 * speed * speed;
    if (i == 0) continue;
    const double length = final_value(simulation, "x" + std::to_string(i)) -
                          final_value(simulation, "x" + std::to_string(i - 1));
    energy += 0.5 * length * length;
  }
  EXPECT_NEAR(final_value(simulation, "balance"), energy, 1e-11);
  EXPECT_EQ(event_times(simulation)[1], 1.0 / 3);  // the last one begins to move
}

}  // namespace
}  // namespace hydae
