#include "sim/run_instants.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

double discrete_value(ActiveRun& run, const std::string& name) {
  return run.active.state().discrete[run.parts.model.model().find_variable(name)->index()];
}

TEST(RunInstants, a_tick_at_the_start_is_part_of_the_start) {
  Model m("ticking");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({sample(m, 0, 0.5)}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  ActiveRun run(m);
  const auto begun = run.instants.begin({});
  ASSERT_TRUE(begun) << begun.failure().message;
  EXPECT_EQ(discrete_value(run, "n"), 1);
  EXPECT_EQ(run.active.time(), 0);
}

TEST(RunInstants, a_start_at_which_nothing_happens_is_no_event) {
  Model m("quiet");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({x > 0.5}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  ActiveRun run(m);
  ASSERT_TRUE(run.instants.begin({}));
  EXPECT_TRUE(run.parts.report.summary().events.empty());
}

// What was forecast about the old solution says nothing about the new one.
TEST(RunInstants, an_event_makes_the_watches_forget) {
  Model m("counted");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({x > 0.5}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  ActiveRun run(m, solved_by(Solver::kTaylor));
  Outcome<Step> step = run.advance_to_event(run.series);
  ASSERT_TRUE(step && step->end == Step::End::kCrossing);
  ASSERT_TRUE(run.instants.process(step->t, std::move(step->cause)));
  EXPECT_EQ(discrete_value(run, "n"), 1);
  EXPECT_EQ(run.active.time(), 0.5);
  EXPECT_FALSE(run.choice.singularity().forecast());
}

TEST(RunInstants, terminal_is_true_at_the_end) {
  Model m("ending");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({Expr(m.graph(), m.graph().leaf(Op::kTerminal))}, {assign(n, 7)}));
  m.fix(x, 0);
  ActiveRun run(m);
  ASSERT_TRUE(run.instants.begin({}));
  EXPECT_EQ(discrete_value(run, "n"), 0);
  ASSERT_TRUE(run.instants.end());
  EXPECT_EQ(discrete_value(run, "n"), 7);
}

}  // namespace
}  // namespace hydae
