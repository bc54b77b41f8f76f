#include "sim/hybrid_initializer.h"

#include "sim/run_testing.h"
#include "sim/started_run_testing.h"

namespace hydae {
namespace {

// y = x - 3 is negative at x = 1, although the guess y = 0 is not: z = 5.
TEST(HybridInitializer, switches_agree_with_the_solution_and_not_with_the_guess) {
  Model m("start");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == 0);
  m.equation(y == x - 3);
  m.equation(z == select(y >= 0, 4, 5));
  m.fix(x, 1);
  StartedRun started(m);
  EXPECT_EQ(started.run.state.switches.bits, std::vector<bool>{false});
  EXPECT_EQ(started.value(*started.run.solution, "z"), 5);
}

TEST(HybridInitializer, trials_share_nothing_with_what_they_return) {
  Model m("twice");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == select(x > 2, n, 1));
  m.when(when({x > 1}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  StartedRun started(m);
  HybridInitializer initializer(
      started.parts.model, started.parts.settings, started.options,
      {started.parts.discrete_part, started.parts.selector, started.parts.workspaces,
       started.parts.signs, started.parts.delays, started.parts.report, started.parts.inputs});
  const Outcome<HybridStart> again = initializer.find_start();
  ASSERT_TRUE(again);
  EXPECT_NE(again->solution, started.run.solution);
  EXPECT_EQ(again->state.choice(), started.run.state.choice());
  EXPECT_EQ(again->state.discrete, started.run.state.discrete);
  EXPECT_EQ(again->state.conditions, started.run.state.conditions);
}

// At x = 0 the two truths of x > 0 lead back to each other: which relation, is said.
TEST(HybridInitializer, a_start_that_neither_side_agrees_with_is_a_conflict_for_the_first_event) {
  Model m("contested");
  const Expr x = m.variable("x");
  m.equation(der(x) == select(x > 0, -2, 1));
  m.fix(x, 0);
  StartedRun started(m);
  HybridInitializer initializer(
      started.parts.model, started.parts.settings, started.options,
      {started.parts.discrete_part, started.parts.selector, started.parts.workspaces,
       started.parts.signs, started.parts.delays, started.parts.report, started.parts.inputs});
  const Outcome<HybridStart> start = initializer.find_start();
  ASSERT_TRUE(start);
  EXPECT_EQ(start->conflict, std::set<std::size_t>{0});
}

// x' = 1 while initial() holds, and 2 behind it: x(1) = 2.
TEST(HybridInitializer, initial_is_over_once_the_run_begins) {
  Model m("begins");
  const Expr x = m.variable("x");
  Graph& graph = m.graph();
  m.equation(der(x) == select(Expr(graph, graph.leaf(Op::kInitial)), 1, 2));
  m.fix(x, 0);
  const Simulation simulation = run(m, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "x"), 2, 1e-12);
}

// The last pass reads x = t where the run ends, not where its last step began.
TEST(Terminal, the_last_pass_reads_the_end) {
  Model m("ends");
  const Expr x = m.variable("x"), a = counter(m, "a");
  Graph& graph = m.graph();
  m.equation(der(x) == 4 + sin(m.time()));
  m.when(when({Expr(graph, graph.leaf(Op::kTerminal))}, {assign(a, floor(x))}));
  m.fix(x, 0);
  // x(1) = 5 - cos 1 = 4.46.
  const Simulation simulation = run(m, 1, 1e-9);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(final_value(simulation, "a"), 4);
  EXPECT_NEAR(final_value(simulation, "x"), 5 - std::cos(1), 1e-8);
}

}  // namespace
}  // namespace hydae
