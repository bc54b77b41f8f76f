#include "sim/event_instant.h"

#include "sim/run_testing.h"
#include "sim/started_run_testing.h"

namespace hydae {
namespace {

EventInstant::Tools tools_of(StartedRun& started) {
  return {started.parts.trials,
          started.parts.contacts,
          started.parts.impacts,
          started.parts.selector,
          started.parts.settings,
          started.parts.report,
          [](const TaylorSolution&, double limit) { return limit; },
          [](const TaylorSolution&, double) {}};
}

Event event_at_start(const StartedRun& started, std::set<std::size_t> relations) {
  Event event;
  event.cause.relations = std::move(relations);
  for (std::size_t k : event.cause.relations) event.cause.left_guards[k] = 0;
  event.before = started.run.state.choice();
  event.left = started.left();
  return event;
}

// A ball that touches the ground with v = -3: reinit gives 0.5 * 3 upwards in the next pass, and
// the pass after that changes nothing.
TEST(EventInstant, a_reset_acts_on_the_left_limit_of_the_next_pass) {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v"), n = counter(m, "n");
  m.equation(der(h) == v);
  m.equation(der(v) == -kGravity);
  m.when(when({h < 0}, {reinit(v, -0.5 * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 0), m.fix(v, -3);
  StartedRun started(m);
  // As if the run had come from above.
  started.run.state.switches.bits[0] = false;
  started.run.state.conditions.assign(1, false);
  started.run.state.discrete[started.variable("n").index()] = 0;
  const EventInstant::Tools tools = tools_of(started);
  Event event = event_at_start(started, {0});
  const Outcome<Done> settled = EventInstant(tools, started.run).settle(event);
  ASSERT_TRUE(settled) << settled.failure().message;
  EXPECT_EQ(started.value(*started.run.solution, "v"), 1.5);
  EXPECT_EQ(started.run.state.discrete[started.variable("n").index()], 1);
  EXPECT_EQ(event.resets, std::vector<VarId>{started.variable("v")});
  EXPECT_FALSE(started.run.state.switches.bits[0]);
}

// sqrt(x - 1) has no value where the relation leads: the event fails, and neither the solution nor
// the discrete values of the run have moved.
TEST(EventInstant, an_event_without_a_solution_leaves_the_state_as_it_was) {
  Model m("nowhere");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 1);
  m.equation(y == select(x >= 0, sqrt(x - 1), 2));
  m.fix(x, -1);
  StartedRun started(m);
  const SolutionPtr before = started.run.solution;
  const ModeChoice choice = started.run.state.choice();
  const std::vector<double> table = started.run.table.numbers();
  const EventInstant::Tools tools = tools_of(started);
  Event event = event_at_start(started, {0});
  event.left.set({started.variable("x"), 0}, 0);
  const Outcome<Done> settled = EventInstant(tools, started.run).settle(event);
  ASSERT_FALSE(settled);
  EXPECT_EQ(settled.failure().status, Status::kUndefinedFunction);
  EXPECT_EQ(started.run.solution, before);
  EXPECT_EQ(started.run.state.choice(), choice);
  EXPECT_EQ(started.run.table.numbers(), table);
}

}  // namespace
}  // namespace hydae
