#include "expr/incidence.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "expr/random_expression_testing.h"

namespace hydae {
namespace {

using testing::ElementsAre;

class IncidenceTest : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  static Leaf leaf(std::size_t i, int order) { return {VarId(i), order}; }

  Graph graph;
  Expr x = variable(0), y = variable(1), z = variable(2);
  Expr p{graph, graph.parameter(ParamId(0))}, t{graph, graph.time()};
};

TEST_F(IncidenceTest, each_variable_has_its_highest_order) {
  EXPECT_THAT(incidence(graph, (der(z, 2) + z * der(z) + x * sin(y) + p).id()),
              ElementsAre(leaf(0, 0), leaf(1, 0), leaf(2, 2)));
  EXPECT_TRUE(incidence(graph, (p * t).id()).empty());
}

TEST_F(IncidenceTest, what_cancels_does_not_occur) {
  EXPECT_THAT(incidence(graph, (x + y - y + 0 * z).id()), ElementsAre(leaf(0, 0), leaf(1, 0)));
  EXPECT_THAT(incidence(graph, (x + (y - y)).id()), ElementsAre(leaf(0, 0)));
}

TEST_F(IncidenceTest, conditions_count_and_the_past_does_not) {
  EXPECT_THAT(incidence(graph, select(der(x) < 1, y, 0).id()), ElementsAre(leaf(0, 1), leaf(1, 0)));
  const Expr delayed(graph, graph.ternary(Op::kDelay, x.id(), (p * y).id(), p.id()));
  EXPECT_THAT(incidence(graph, delayed.id()), ElementsAre(leaf(1, 0)));
  EXPECT_THAT(incidence(graph, (pre(x) + z).id()), ElementsAre(leaf(2, 0)));
  const NodeId arguments[] = {der(y).id(), t.id()};
  EXPECT_THAT(incidence(graph, graph.call(FunctionId(0), 0, arguments)), ElementsAre(leaf(1, 1)));
}

TEST_F(IncidenceTest, one_scratch_serves_many_roots) {
  Incidence scratch;
  EXPECT_THAT(scratch.of(graph, (x + der(y)).id()), ElementsAre(leaf(0, 0), leaf(1, 1)));
  EXPECT_THAT(scratch.of(graph, y.id()), ElementsAre(leaf(1, 0)));
  const NodeId both[] = {(x + y).id(), der(x, 3).id()};
  EXPECT_THAT(scratch.of(graph, both), ElementsAre(leaf(0, 3), leaf(1, 0)));
  EXPECT_THAT(scratch.leaves(graph, both), ElementsAre(leaf(0, 0), leaf(0, 3), leaf(1, 0)));
}

TEST_F(IncidenceTest, contents_are_named) {
  const Contents none = contents(graph, graph.constant(1));
  EXPECT_FALSE(none.has_time || none.has_variables || none.has_relations || none.has_calls ||
               none.has_parameters || none.has_pre || none.has_switching || none.has_counters ||
               none.has_delays || none.has_samples || none.has_event_relations);
  const Contents some = contents(graph, select(no_event(x < t), floor(p), abs(pre(y))).id());
  EXPECT_TRUE(some.has_time && some.has_variables && some.has_parameters && some.has_pre);
  EXPECT_TRUE(some.has_relations && some.has_counters && some.has_switching);
  EXPECT_FALSE(some.has_event_relations || some.has_calls || some.has_delays);
  EXPECT_TRUE(contents(graph, (x < y).id()).has_event_relations);
}

TEST(IncidenceRandom, agrees_with_a_search_of_the_whole_graph) {
  auto ingredients = random_expression::switching_ingredients(4);
  for (std::size_t i = 0; i < 4; ++i) ingredients.leaves.push_back({VarId(i), static_cast<int>(i)});
  std::sort(ingredients.leaves.begin(), ingredients.leaves.end());
  random_expression::Generator generator(ingredients, 21);
  Incidence scratch;
  for (int round = 0; round < 3000; ++round) {
    Graph graph;
    const NodeId root = random_expression::build(graph, generator.next(20));
    // Marks from the root down: operands are older than the node.
    std::vector<bool> below(graph.size());
    below[root.index()] = true;
    std::map<VarId, int> highest;
    for (std::size_t i = graph.size(); i-- > 0;) {
      if (!below[i]) continue;
      for (NodeId operand : graph.operands(NodeId(i))) below[operand.index()] = true;
      if (graph.op(NodeId(i)) != Op::kVariable) continue;
      const Leaf leaf = graph.leaf_of(NodeId(i));
      highest[leaf.variable] = std::max(highest[leaf.variable], leaf.order);
    }
    std::vector<Leaf> expected;
    for (const auto& [variable, order] : highest) expected.push_back({variable, order});
    const auto found = scratch.of(graph, root);
    ASSERT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
  }
}

TEST(IncidenceRandom, does_not_depend_on_the_order_of_terms) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> terms(12);
    for (int& term : terms) term = static_cast<int>(random() % 20);
    std::vector<Leaf> first;
    for (int attempt = 0; attempt < 3; ++attempt) {
      std::shuffle(terms.begin(), terms.end(), random);
      Graph graph;
      Expr sum = 0;
      for (int term : terms) {
        const Expr v(graph, graph.variable(VarId(static_cast<std::size_t>(term))));
        sum += sin(v) * der(v, term % 3);
      }
      const auto row = incidence(graph, sum.id());
      if (attempt == 0) first = row;
      ASSERT_EQ(row, first);
    }
  }
}

}  // namespace
}  // namespace hydae
