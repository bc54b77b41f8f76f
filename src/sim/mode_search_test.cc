// Modes that no violated relation leads to, or that look like sliding; many relations, so that not
// all of their combinations are tried.
#include "sim/run_testing.h"

namespace hydae {
namespace {

// Relations that never switch.
void add_idle_relations(Model& m, const Expr& x, int count) {
  for (int k = 0; k < count; ++k) {
    const Expr idle = m.variable("idle" + std::to_string(k));
    m.equation(idle == select(x > 100 + k, 1, 2));
  }
}

// A comparator with positive feedback: out = v between -1 and 1, else its sign, with
// v = 10 (out/2 - u). From out = 1 it stays there as long as v = 5 - 10 u > 1; between the ends
// out = 2.5 u would leave at once. So it falls to -1 where u = sin t reaches 0.4, at asin 0.4, and
// comes back where u = -0.4, at pi + asin 0.4.
TEST(ModeSearch, a_trigger_jumps_from_end_to_end) {
  Model m("trigger");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v"), out = m.variable("out");
  m.equation(der(x) == 1);
  m.equation(u == sin(x));
  m.equation(v == 10 * (out / 2 - u));
  m.equation(out == select(v > 1, 1, select(v < -1, -1, v)));
  add_idle_relations(m, x, 12);
  m.fix(x, 0);
  m.start(v, 5), m.start(out, 1);
  const Simulation simulation = run(m, 4, 1e-10);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  const std::vector<double> times = event_times(simulation);
  ASSERT_EQ(times.size(), 2u);
  const double first = std::asin(0.4), second = std::acos(-1.0) + first;
  EXPECT_NEAR(times[0], first, 1e-9);
  EXPECT_NEAR(times[1], second, 1e-9);
  EXPECT_EQ(right_limit(simulation.summary.events[0], "out"), -1);
  EXPECT_EQ(right_limit(simulation.summary.events[1], "out"), 1);
}

// An integrator that stops above its limit: on the limit one side acts alone, for good.
TEST(ModeSearch, a_limited_integrator_stays_at_its_limit) {
  Model m("limited");
  const Expr y = m.variable("y"), i = m.variable("i");
  m.equation(i == exp(-m.time() / 300) * (1 + 0.1 * sin(m.time())));
  m.equation(der(y) == select(y > 0.01, 0, 1e-4 * i));
  m.fix(y, 0);
  const Simulation simulation = run(m, 2000, 1e-8);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.events.size(), 1u);
  EXPECT_NEAR(final_value(simulation, "y"), 0.01, 1e-14);
}

// With f guessed to be zero the equation z (f + 2) = 0 acts, which leaves z open at f = -2; there
// z = 1 is meant.
TEST(ModeSearch, a_point_without_a_series_says_which_mode_is_meant) {
  Model m("flow");
  const Expr x = m.variable("x"), f = m.variable("f"), z = m.variable("z"), q = m.variable("q");
  m.equation(der(x) == 0);
  m.equation(f == x - 2);
  m.equation(select(f >= 0, z * (f + 2), z - 1) == 0);
  m.equation(der(q) == z);
  add_idle_relations(m, x, 12);
  m.fix(x, 0), m.fix(q, 0);
  const Simulation simulation = run(m, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "q"), 1, 1e-12);
}

}  // namespace
}  // namespace hydae
