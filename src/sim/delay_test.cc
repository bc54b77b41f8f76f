// delay() of signals that change at events only.
#include "sim/run_testing.h"

namespace hydae {
namespace {

// n counts the instants 0.25, 0.75, ..., 2.75; z = n 0.01 later; q' = z. Each count adds
// 3 - (t + 0.01) to q(3): 6 * 3 - (6 * 0.25 + 0.5 * 15) - 6 * 0.01 = 8.94.
TEST(Delay, of_a_held_signal_costs_an_event_for_each_change) {
  Model m("counts");
  Graph& graph = m.graph();
  const Expr n = counter(m, "n"), y = m.variable("y"), z = m.variable("z"), q = m.variable("q");
  const Expr tick(graph, graph.binary(Op::kSample, graph.constant(0.25), graph.constant(0.5)));
  m.when(when({tick}, {assign(n, pre(n) + 1)}));
  m.equation(y == n);
  const NodeId lag = graph.constant(0.01);
  m.equation(z == Expr(graph, graph.ternary(Op::kDelay, y.id(), lag, lag)));
  m.equation(der(q) == z);
  m.fix(q, 0);
  const Simulation simulation = run(m, 3);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "q"), 8.94, 1e-11);
  // Steps of the lag would be 300; a dozen changes take a few searches each.
  EXPECT_LT(simulation.summary.mode_cache_hits, 100);
}

}  // namespace
}  // namespace hydae
