// What an event costs.
#include "sim/run_testing.h"

namespace hydae {
namespace {

// x = cos t; a counter that no equation reads is raised at each of its zeros upwards.
Simulation count_zeros(double stop) {
  Model m("oscillator");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x, 2) == -x);
  m.when(when({x > 0}, {assign(n, pre(n) + 1)}));
  m.fix(x, 1), m.fix(der(x), 0);
  return run(m, stop, 1e-9);
}

TEST(EventCost, where_no_equation_changes_an_event_is_one_more_step) {
  const Simulation simulation = count_zeros(200);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  // Zeros at pi/2 + pi k below 200, both ways.
  EXPECT_EQ(simulation.summary.events.size(), 64u);
  EXPECT_EQ(final_value(simulation, "n"), 32);
  // An expansion for each step, for each event, and one at the start.
  const auto most = static_cast<long>(simulation.summary.steps) + 64 + 1;
  EXPECT_LE(simulation.summary.jacobians, most);
}

}  // namespace
}  // namespace hydae
