// Rows at events, and results without them.
#include <gmock/gmock.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

using ::testing::ElementsAre;

// x' = 1 from 0: n counts at t = 0.5, which is an output time, and k at x = 0.6, which is none.
Model counting_model() {
  Model m("counting");
  const Expr x = m.variable("x");
  const Expr n = counter(m, "n"), k = counter(m, "k");
  m.equation(der(x) == 1);
  m.when(when({m.time() > 0.5}, {assign(n, pre(n) + 1)}));
  m.when(when({x > 0.6}, {assign(k, pre(k) + 1)}));
  m.fix(x, 0);
  return m;
}

class EventRows : public ::testing::TestWithParam<Solver> {};

TEST_P(EventRows, are_both_limits_or_the_output_times_alone) {
  const Model m = counting_model();
  SimulateOptions options;
  options.solver = GetParam();
  options.points = 5;
  const Simulation with = simulate(m, options);
  EXPECT_EQ(with.trajectory.num_rows(), 8u);  // two limits at 0.5 (one more) and 0.6 (two more)
  options.sinks.event_rows = false;
  for (const bool is_divided : {false, true}) {
    if (is_divided) {  // where a state is saved there is no row either
      options.state.save_at = 0.4;
      options.state.save = [](const SavedState&) {};
    }
    const Simulation without = simulate(m, options);
    ASSERT_TRUE(without.summary.succeeded());
    EXPECT_THAT(without.trajectory.times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
    EXPECT_THAT(without.trajectory.series("n"), ElementsAre(0, 0, 1, 1, 1));
    EXPECT_THAT(without.trajectory.series("k"), ElementsAre(0, 0, 0, 1, 1));
    EXPECT_EQ(without.summary.events.size(), 2u);
  }
}

INSTANTIATE_TEST_SUITE_P(Solvers, EventRows, ::testing::Values(Solver::kTaylor, Solver::kIda));

// Output times that leave out the start, at which there is an event.
TEST(EventRows, of_an_event_at_the_start_are_none) {
  Model m("start");
  const Expr x = m.variable("x");
  const Expr n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({x > 0}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  SimulateOptions options;
  options.times = {0.5, 1};
  options.sinks.event_rows = false;
  EXPECT_THAT(simulate(m, options).trajectory.times(), ElementsAre(0.5, 1));
}

}  // namespace
}  // namespace hydae
