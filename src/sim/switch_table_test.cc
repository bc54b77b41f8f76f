#include "sim/switch_table.h"

#include <cmath>

#include "sim/run_testing.h"

namespace hydae {
namespace {

// A relation, a counter floor(x), a tick and an integer n.
Model switching_model() {
  Model m("switching");
  const Expr x = m.variable("x"), y = m.variable("y"), n = counter(m, "n");
  m.equation(der(x) == select(x > 2, n, 1));
  m.equation(y == floor(x));
  Graph& graph = m.graph();
  const Expr tick(graph, graph.binary(Op::kSample, graph.constant(0.5), graph.constant(1)));
  m.when(when({tick}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  return m;
}

HybridState some_state(const HybridModel& model, bool bit, double count, double n) {
  HybridState state;
  state.switches.bits.assign(model.relations().size(), bit);
  state.switches.counts.assign(model.counters().size(), count);
  state.discrete.assign(model.model().num_variables(), 0.0);
  for (VarId variable : model.discrete_variables()) state.discrete[variable.index()] = n;
  return state;
}

TEST(SwitchTable, has_the_numbers_of_the_state) {
  const Model m = switching_model();
  const HybridModel model(m);
  SwitchTable table(model);
  const std::vector<double> numbers = table.fill(content_of(some_state(model, true, 3, 7)));
  EXPECT_EQ(numbers[model.bit_slot(0)], 1);
  ASSERT_EQ(model.counters().size(), 1u);
  // floor(x) = 3 as long as 3 <= x <= 4.
  const std::size_t slot = model.counters()[0].slot;
  EXPECT_EQ(numbers[slot], 3);
  EXPECT_EQ(numbers[slot + 1], 3);
  EXPECT_EQ(numbers[slot + 2], 4);
  ASSERT_EQ(model.discrete_variables().size(), 1u);
  EXPECT_EQ(numbers[model.value_slot(model.discrete_variables()[0])], 7);
  EXPECT_EQ(numbers[model.tick_slot(0)], 0);
}

TEST(SwitchTable, is_that_of_one_state_whatever_it_was_filled_with_before) {
  const Model m = switching_model();
  const HybridModel model(m);
  const HybridState a = some_state(model, true, 3, 7), b = some_state(model, false, -2, 1);
  SwitchTable table(model), fresh(model);
  table.fill(content_of(a));
  const std::set<std::size_t> ticks{0};
  table.fill({b.switches, b.discrete, a.discrete, b.pieces, &ticks});
  EXPECT_EQ(table.numbers()[model.tick_slot(0)], 1);
  EXPECT_EQ(table.fill(content_of(a)), fresh.fill(content_of(a)));
}

}  // namespace
}  // namespace hydae
