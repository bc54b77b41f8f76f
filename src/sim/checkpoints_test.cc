#include "sim/checkpoints.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

Model swinging() {
  Model m("swinging");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(der(v) == -sin(x));
  m.fix(x, 1), m.fix(v, 0);
  return m;
}

SimulateOptions long_options() {
  SimulateOptions options;
  options.stop = 100;
  return options;
}

void take_step(ActiveRun& run) {
  Outcome<Step> step = run.series.advance(run.next());
  ASSERT_TRUE(step && step->end == Step::End::kPlain);
  ASSERT_TRUE(run.series.accept(*step));
}

TEST(Checkpoints, a_state_that_is_put_in_is_taken_out_unchanged) {
  const Model m = swinging();
  ActiveRun run(m, long_options()), other(m, long_options());
  take_step(run);
  const Outcome<HybridState> state = run.checkpoints.take();
  ASSERT_TRUE(state) << state.failure().message;
  ASSERT_TRUE(other.checkpoints.restore(*state));
  EXPECT_TRUE(other.checkpoints.is_fresh());
  const Outcome<HybridState> again = other.checkpoints.take();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->t, state->t);
  EXPECT_EQ(again->point, state->point);
  EXPECT_EQ(again->discrete, state->discrete);
}

// The run itself is brought to its own state: both make the same step, bit by bit.
TEST(Checkpoints, whoever_goes_on_from_a_state_makes_the_same_step) {
  const Model m = swinging();
  ActiveRun run(m, long_options()), other(m, long_options());
  take_step(run);
  const HybridState state = *run.checkpoints.take();
  ASSERT_TRUE(run.checkpoints.restore(state));
  ASSERT_TRUE(other.checkpoints.restore(state));
  for (ActiveRun* each : {&run, &other}) {
    EXPECT_TRUE(each->checkpoints.leave());
    EXPECT_FALSE(each->checkpoints.leave());
    take_step(*each);
  }
  EXPECT_GT(run.active.time(), state.t);
  EXPECT_EQ(run.active.time(), other.active.time());
  EXPECT_EQ(run.value("x"), other.value("x"));
}

TEST(Checkpoints, a_state_of_another_form_is_refused) {
  const Model m = swinging();
  ActiveRun run(m);
  const Outcome<SavedState> saved = run.checkpoints.save();
  ASSERT_TRUE(saved) << saved.failure().message;
  SavedContent content = saved->content();
  EXPECT_TRUE(run.checkpoints.restore(content));
  content.point.back().first = "w";
  const auto refused = run.checkpoints.restore(content);
  ASSERT_TRUE(refused.has_failed_with(Status::kInitializationFailed));
  EXPECT_EQ(refused.failure().message,
            "the state does not fit the model: the variables of its point are others; take "
            "the --solver that has saved it");
}

}  // namespace
}  // namespace hydae
