#include "sim/sliding_search.h"

#include "sim/mode_search.h"
#include "sim/run_testing.h"
#include "sim/started_run_testing.h"

namespace hydae {
namespace {

// At x = 0 with x' = 1 below and x' = -2 above: with the share a of the upper side
// x' = (1 - a) - 2 a = 0, so a = 1/3.
TEST(SlidingSearch, a_solution_that_both_sides_push_back_stays_on_the_surface) {
  Model m("attractive");
  const Expr x = m.variable("x");
  m.equation(der(x) == select(x > 0, -2, 1));
  m.fix(x, 0);
  StartedRun started(m);
  const LeftLimit left = started.left();
  Cause cause;
  cause.relations = {0};
  cause.left_guards[0] = 0;
  const EventPass pass{0, started.run.state, left, cause};
  const Outcome<Trial> found =
      ModeSearch(started.parts.trials, pass).run(started.run.state.choice());
  ASSERT_TRUE(found) << found.failure().message;
  ASSERT_EQ(found->choice.pins.size(), 1u);
  EXPECT_TRUE(found->choice.pins[0].is_sliding());
  EXPECT_NEAR(started.value(*found->solution, "x", 1), 0, 1e-15);
  // The first exit is the share itself, the second what is left of 1.
  const OutputLayout& layout = found->solution->mode().layout;
  ASSERT_EQ(layout.num_exits, 2u);
  EXPECT_NEAR(found->solution->output(layout.exit(0))[0], 1.0 / 3, 1e-14);
  EXPECT_NEAR(found->solution->output(layout.exit(1))[0], 2.0 / 3, 1e-14);
}

// Where the sides push away, no trial is contested: each agrees with itself.
TEST(SlidingSearch, nothing_slides_where_the_sides_push_away) {
  Model m("repelling");
  const Expr x = m.variable("x");
  m.equation(der(x) == select(x > 0, 1, -1));
  m.fix(x, 0);
  StartedRun started(m);
  const LeftLimit left = started.left();
  const Cause none;
  const EventPass pass{0, started.run.state, left, none};
  const Outcome<Trial> trial = started.parts.trials.solve(pass, started.run.state.choice());
  ASSERT_TRUE(trial);
  EXPECT_TRUE(trial->is_consistent());
  EXPECT_FALSE(SlidingSearch(started.parts.trials, pass).run({*trial}));
}

}  // namespace
}  // namespace hydae
