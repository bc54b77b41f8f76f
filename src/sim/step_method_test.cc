// Steps of both methods, before and after they are accepted.
#include "sim/step_method.h"

#include <cmath>

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// h = 1 - 5 t^2: on the ground at sqrt(0.2).
Model falling() {
  Model m("falling");
  const Expr h = m.variable("h"), v = m.variable("v"), n = counter(m, "n");
  m.equation(der(h) == v);
  m.equation(der(v) == -10);
  m.when(when({h < 0}, {assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0);
  return m;
}

const double kGround = std::sqrt(0.2);

TEST(SeriesSteps, a_step_ends_at_the_root_of_a_guard_and_the_series_stay_before_it) {
  const Model m = falling();
  ActiveRun run(m, solved_by(Solver::kTaylor));
  const Outcome<Step> step = run.advance_to_event(run.series);
  ASSERT_TRUE(step) << step.failure().message;
  EXPECT_EQ(step->end, Step::End::kCrossing);
  const double from = run.active.time();
  EXPECT_EQ(step->from, from);
  EXPECT_LT(from, kGround);
  EXPECT_NEAR(step->t, kGround, 1e-14);
  EXPECT_EQ(step->cause.relations, std::set<std::size_t>{0});
  ASSERT_TRUE(run.series.accept(*step));
  EXPECT_EQ(run.active.time(), from);
  EXPECT_NEAR(run.value("h", step->t), 0, 1e-14);
}

// The polynomial of degree two is exact for any step.
TEST(SeriesSteps, a_plain_step_moves_the_solution_once_it_is_accepted) {
  const Model m = falling();
  ActiveRun run(m, solved_by(Solver::kTaylor));
  const Outcome<Step> step = run.series.advance(run.next());
  ASSERT_TRUE(step) << step.failure().message;
  EXPECT_EQ(step->end, Step::End::kPlain);
  const double t = step->t;
  EXPECT_GT(t, 0);
  EXPECT_EQ(run.active.time(), 0);
  ASSERT_TRUE(run.series.accept(*step));
  EXPECT_EQ(run.active.time(), t);
  EXPECT_NEAR(run.value("h"), 1 - 5 * t * t, 1e-15);
  EXPECT_EQ(run.active.state().last_step, t);
}

// The ground moves up at the very time at which the ball arrives: x = 1 - 2 t is zero at 0.5, where
// a tick is due. Two events one rounding error apart would be the wrong answer.
TEST(SeriesSteps, a_root_at_the_time_of_a_tick_is_the_same_event) {
  Model m("together");
  const Expr x = m.variable("x"), n = counter(m, "n"), k = counter(m, "k");
  m.equation(der(x) == -2 - 0 * x);
  m.when(when({x < 0}, {assign(n, pre(n) + 1)}));
  m.when(when({sample(m, 0.5, 1)}, {assign(k, pre(k) + 1)}));
  m.fix(x, 1);
  ActiveRun run(m, solved_by(Solver::kTaylor));
  const Outcome<Step> step = run.advance_to_event(run.series);
  ASSERT_TRUE(step) << step.failure().message;
  ASSERT_EQ(step->end, Step::End::kCrossing);
  EXPECT_EQ(step->t, 0.5);
  EXPECT_TRUE(step->cause.is_time_event);
  EXPECT_EQ(step->cause.relations, std::set<std::size_t>{0});
  EXPECT_EQ(step->cause.ticks, std::set<std::size_t>{0});
}

// y = sqrt(1 - t) has no series at 1. No state feels it, so BDF may try; the solution stays where
// it was.
TEST(SeriesSteps, where_the_series_end_no_step_is_made_and_it_is_the_turn_of_bdf) {
  Model m("root");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == -1);
  m.equation(y == sqrt(x));
  m.equation(z == select(x > -1, y, 0));
  m.fix(x, 1);
  SimulateOptions options;
  options.stop = 2;
  ActiveRun run(m, options);
  const Outcome<Step> step = run.advance_to_event(run.series);
  ASSERT_TRUE(step) << step.failure().message;
  EXPECT_EQ(step->end, Step::End::kNone);
  EXPECT_EQ(step->t, run.active.time());
  EXPECT_LT(step->t, 1);
  EXPECT_NEAR(step->t, 1, 1e-3);
  EXPECT_TRUE(run.choice.is_turn_of_bdf());
}

// Up to the ground BDF goes by itself; there it hands over, a little before the root and never
// behind it, and the series find it.
TEST(BdfSteps, hands_over_to_the_series_before_a_guard_vanishes) {
  const Model m = falling();
  ActiveRun run(m, solved_by(Solver::kIda));
  for (int k = 0; k < 1000; ++k) {
    const Outcome<Step> step = run.bdf.advance(run.next());
    ASSERT_TRUE(step) << step.failure().message;
    ASSERT_LE(step->t, kGround + 1e-6);
    ASSERT_TRUE(run.bdf.accept(*step));
    if (step->end != Step::End::kPlain) {
      EXPECT_EQ(step->end, Step::End::kHandOver);
      break;
    }
  }
  ASSERT_EQ(run.active.bdf(), nullptr);
  EXPECT_LT(run.active.time(), kGround);
  EXPECT_FALSE(run.choice.is_turn_of_bdf());
  const Outcome<Step> last = run.series.advance(run.next());
  ASSERT_TRUE(last) << last.failure().message;
  EXPECT_EQ(last->end, Step::End::kCrossing);
  EXPECT_NEAR(last->t, kGround, 1e-5);  // ten tolerances
}

// At a tick BDF stops exactly, and there are series for what happens.
TEST(BdfSteps, ends_at_a_time_event_with_series_that_begin_there) {
  Model m("ticking");
  const Expr x = m.variable("x"), k = counter(m, "k");
  m.equation(der(x) == -x);
  m.when(when({sample(m, 0.5, 1)}, {assign(k, pre(k) + 1)}));
  m.fix(x, 1);
  ActiveRun run(m, solved_by(Solver::kIda));
  Outcome<Step> step = run.bdf.advance(run.next());
  while (step && step->end == Step::End::kPlain) step = run.bdf.advance(run.next());
  ASSERT_TRUE(step) << step.failure().message;
  EXPECT_EQ(step->end, Step::End::kTimeEvent);
  EXPECT_EQ(step->t, 0.5);
  ASSERT_TRUE(run.bdf.accept(*step));
  EXPECT_EQ(run.active.bdf(), nullptr);
  EXPECT_EQ(run.active.time(), 0.5);
  EXPECT_NEAR(run.value("x"), std::exp(-0.5), 1e-5);
}

}  // namespace
}  // namespace hydae
