// Sliding modes and friction: a relation that is held at its surface.
#include "sim/test_run.h"

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

}  // namespace
}  // namespace hydae
