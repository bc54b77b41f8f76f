#include "sim/method_choice.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

Model switched() {
  Model m("switched");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x);
  m.equation(y == select(x > 0.2, 1, 0));
  m.fix(x, 1);
  return m;
}

const Failure kEnd{Status::kUndefinedFunction, "the series end"};

TEST(MethodChoice, a_method_that_the_user_names_is_kept_whatever_happens) {
  const Model m = switched();
  ActiveRun run(m, solved_by(Solver::kTaylor));
  const auto failed = run.choice.go_on_by_bdf(kEnd);
  ASSERT_TRUE(failed.has_failed_with(Status::kUndefinedFunction));
  EXPECT_FALSE(run.choice.uses_bdf());
}

TEST(MethodChoice, where_the_series_end_bdf_goes_on_and_says_why) {
  const Model m = switched();
  ActiveRun run(m);
  EXPECT_FALSE(run.choice.is_turn_of_bdf());
  ASSERT_TRUE(run.choice.go_on_by_bdf(kEnd));
  EXPECT_TRUE(run.choice.is_turn_of_bdf());
  EXPECT_EQ(run.choice.end_of_series()->message, "the series end");
  EXPECT_EQ(run.parts.report.summary().solver_choice,
            "the series end at t = 0 (undefined-function); ida from there on");
}

// A failed assertion is none of the solver's business.
TEST(MethodChoice, what_another_method_cannot_cure_stays_a_failure) {
  const Model m = switched();
  ActiveRun run(m);
  EXPECT_TRUE(run.choice.go_on_by_bdf({Status::kAssertionFailed, "no"})
                  .has_failed_with(Status::kAssertionFailed));
}

TEST(MethodChoice, bdf_waits_where_the_series_have_a_part_of_its_step_or_guards_at_zero) {
  const Model m = switched();
  ActiveRun run(m, solved_by(Solver::kIda));
  EXPECT_TRUE(run.choice.is_turn_of_bdf());
  run.choice.leave_to_series(0.25);
  EXPECT_FALSE(run.choice.is_turn_of_bdf());
  run.choice.resume(run.active.state());
  EXPECT_TRUE(run.choice.is_turn_of_bdf());
  run.active.state().guards.known_zeros = {0, 1};
  EXPECT_FALSE(run.choice.is_turn_of_bdf());
  run.active.state().guards.known_zeros = {0, 0};
  EXPECT_TRUE(run.choice.is_turn_of_bdf());
}

TEST(MethodChoice, a_state_that_was_integrated_by_bdf_is_gone_on_with_by_bdf) {
  const Model m = switched();
  ActiveRun run(m), named(m, solved_by(Solver::kTaylor));
  run.active.state().uses_bdf = named.active.state().uses_bdf = true;
  run.choice.resume(run.active.state());
  named.choice.resume(named.active.state());
  EXPECT_TRUE(run.choice.uses_bdf());
  EXPECT_FALSE(named.choice.uses_bdf());
}

}  // namespace
}  // namespace hydae
