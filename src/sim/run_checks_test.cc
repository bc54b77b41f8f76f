#include "sim/run_checks.h"

#include <cmath>

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// x = t.
struct Rising {
  Model m{"rising"};
  Expr x = m.variable("x");
  Rising() {
    m.equation(der(x) == 1);
    m.fix(x, 0);
  }
};

// An assertion reads the bit of its relation, which an event without effect changes.
void cease(ActiveRun& run) {
  run.active.state().switches.bits.assign(1, false);
  run.active.committed().fill_table();
}

void expand(ActiveRun& run) { ASSERT_TRUE(run.active.stepper().expand(1)); }

TEST(RunChecks, an_assertion_fails_with_its_text_and_time) {
  Rising r;
  r.m.assertion({r.x < 0.5, "x is too large", false, {}});
  ActiveRun run(r.m);
  expand(run);
  EXPECT_TRUE(run.parts.checks.check(run.active.view(), 0.25));
  cease(run);
  const auto failed = run.parts.checks.check(run.active.view(), 0.75);
  ASSERT_TRUE(failed.has_failed_with(Status::kAssertionFailed));
  EXPECT_EQ(failed.failure().message, "assertion at t = 0.75: x is too large");
}

// Violated at 0.75, not at 0.25: two violations.
TEST(RunChecks, an_assertion_is_told_again_when_it_is_violated_again) {
  Rising r;
  r.m.assertion({r.x < 0.5, "x is large", true, {}});
  ActiveRun run(r.m);
  expand(run);
  const auto look = [&](double t, bool holds) {
    run.active.state().switches.bits.assign(1, holds);
    run.active.committed().fill_table();
    EXPECT_TRUE(run.parts.checks.check(run.active.view(), t));
  };
  look(0.75, false);
  look(0.8, false);
  look(0.25, true);
  look(0.9, false);
  EXPECT_EQ(run.parts.report.summary().warnings,
            (std::vector<std::string>{"assertion at t = 0.75: x is large",
                                      "assertion at t = 0.9: x is large"}));
}

TEST(RunChecks, an_assertion_of_level_warning_is_told_once) {
  Rising r;
  r.m.assertion({r.x < 0.5, "x is large", true, {}});
  ActiveRun run(r.m);
  expand(run);
  cease(run);
  for (int k = 0; k < 2; ++k) EXPECT_TRUE(run.parts.checks.check(run.active.view(), 0.75));
  EXPECT_EQ(run.parts.report.summary().warnings,
            std::vector<std::string>{"assertion at t = 0.75: x is large"});
}

// 2^53 + 1 is no number of this kind: from 2^53 on counting stands still.
TEST(RunChecks, integers_are_exact_or_refused) {
  Rising r;
  counter(r.m, "n");
  ActiveRun run(r.m);
  double& n = run.active.state().discrete[r.m.find_variable("n")->index()];
  n = -0x1p53 + 1;
  EXPECT_TRUE(run.parts.checks.check_integers(run.active.state(), 2));
  n = 0x1p53;
  const auto refused = run.parts.checks.check_integers(run.active.state(), 2);
  ASSERT_TRUE(refused.has_failed_with(Status::kOverflow));
  EXPECT_EQ(refused.failure().message,
            "event at t = 2: the Integer `n` becomes 9007199254740992; it is exact below 2^53");
  n = std::nan("");
  EXPECT_FALSE(run.parts.checks.check_integers(run.active.state(), 2));
}

TEST(RunChecks, initial_is_true_where_it_is_asked_for_only) {
  Rising r;
  r.m.assertion(
      {!Expr(r.m.graph(), r.m.graph().leaf(Op::kInitial)), "not at the start", false, {}});
  ActiveRun run(r.m);
  EXPECT_TRUE(run.parts.checks.check(run.active.view(), 0));
  EXPECT_FALSE(run.parts.checks.check_initially(run.active.view(), 0));
}

TEST(RunChecks, without_equations_left_out_a_step_is_not_looked_at_inside) {
  const Rising r;
  ActiveRun run(r.m);
  EXPECT_TRUE(run.parts.checks.times_inside(0, 1).empty());
  EXPECT_EQ(run.parts.checks.largest_implied_residual(), 0);
}

}  // namespace
}  // namespace hydae
