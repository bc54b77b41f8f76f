#include "expr/switches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/incidence.h"
#include "expr/random_expression_testing.h"

namespace hydae {
namespace {

using testing::ElementsAre;

class Switches : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  std::string text(NodeId id) const { return to_string(graph, id, names); }
  std::string lowered(const Expr& expr) { return text(lower_switches(graph, expr.id())); }

  Graph graph;
  Names names{[](VarId id) { return std::string(1, "xyz"[id.index()]); }, {}, {}};
  Expr x = variable(0), y = variable(1), z = variable(2);
};

TEST_F(Switches, switching_functions_become_selects_with_silent_relations) {
  EXPECT_EQ(lowered(abs(x)), "if noEvent(x >= 0) then x else -x");
  EXPECT_EQ(lowered(sign(x)), "if noEvent(x > 0) then 1 else if noEvent(x < 0) then -1 else 0");
  EXPECT_EQ(lowered(min(x, y)), "if noEvent(x <= y) then x else y");
  EXPECT_EQ(lowered(max(x, y)), "if noEvent(x >= y) then x else y");
  EXPECT_EQ(lowered(sin(max(abs(x), 1))),
            "sin(if noEvent((if noEvent(x >= 0) then x else -x) >= 1) then if noEvent(x >= 0) then "
            "x else -x else 1)");
  EXPECT_EQ(lower_switches(graph, sin(x).id()), sin(x).id());
}

TEST_F(Switches, no_event_makes_relations_and_roundings_silent) {
  const Expr e = select(x > 0, floor(x + 1), ceil(y));
  const NodeId silent = no_event(e).id();
  EXPECT_EQ(text(silent), "if noEvent(x > 0) then noEvent(floor(x + 1)) else noEvent(ceil(y))");
  EXPECT_EQ(silence(graph, silent), silent);
  EXPECT_EQ(no_event(floor(Expr(graph, graph.constant(2.5)))).id(), graph.constant(2));
}

TEST_F(Switches, relations_come_in_document_order) {
  const Expr first = select(z > 1, x, y), second = select(x < y || z > 1, 1, no_event(y > 2));
  const NodeId roots[] = {first.id(), second.id()};
  EXPECT_THAT(relations(graph, roots),
              ElementsAre((z > 1).id(), (x < y).id(), no_event(y > 2).id()));
  const NodeId nested = (select(x < 0, y, z) < 1).id();  // the inner one first
  EXPECT_THAT(relations(graph, std::span(&nested, 1)), ElementsAre((x < 0).id(), nested));
}

TEST_F(Switches, a_mode_leaves_only_active_branches) {
  const Expr e = select(x < 0, sin(y), select(y > z, x * y, z)) + x;
  const auto mode = [&](bool is_negative, std::optional<bool> is_greater) {
    return text(resolve(graph, e.id(), [&](NodeId relation) -> std::optional<bool> {
      return relation == (x < 0).id() ? is_negative : is_greater;
    }));
  };
  EXPECT_EQ(mode(true, true), "sin(y) + x");
  EXPECT_EQ(mode(false, true), "x*y + x");
  EXPECT_EQ(mode(false, false), "z + x");
  EXPECT_EQ(mode(false, {}), "(if y > z then x*y else z) + x");
  EXPECT_EQ(mode(true, {}), "sin(y) + x");
}

TEST_F(Switches, relations_in_branches_that_vanish_are_not_asked_for) {
  const Expr e = select(x < 0, select(y < 0, 1, 2), 3);
  std::vector<NodeId> asked;
  resolve(graph, e.id(), [&](NodeId relation) -> std::optional<bool> {
    asked.push_back(relation);
    return false;
  });
  EXPECT_THAT(asked, ElementsAre((x < 0).id()));
}

TEST_F(Switches, no_event_reaches_all_relations) {
  const Expr e = no_event(select(x < y && !(y > z), abs(x), select(equal(x, z), 1, 2)));
  EXPECT_FALSE(contents(graph, e.id()).has_event_relations);
  EXPECT_TRUE(contents(graph, e.id()).has_relations);
}

TEST(SwitchesRandom, the_mode_of_a_point_has_the_value_of_the_point) {
  random_expression::Generator generator(random_expression::switching_ingredients(3), 13);
  int num_checked = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto recipe = generator.next(14);
    double values[3];
    for (double& value : values) value = generator.uniform(-2, 2);
    const std::function<double(Leaf)> at = [&](Leaf leaf) { return values[leaf.variable.index()]; };
    if (std::isnan(random_expression::well_conditioned_value(recipe, at))) continue;
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    const NodeId lowered = lower_switches(graph, root);
    ASSERT_FALSE(contents(graph, lowered).has_switching);
    const double expected = random_expression::compute(graph, root, at);
    // Angles are measured from another axis, and rounded there.
    ASSERT_NEAR(random_expression::compute(graph, lowered, at), expected,
                1e-12 * (1 + std::abs(expected)));
    const NodeId mode = resolve(graph, lowered, [&](NodeId relation) -> std::optional<bool> {
      return random_expression::compute(graph, relation, at) != 0;
    });
    ASSERT_FALSE(contents(graph, mode).has_relations);
    ASSERT_NEAR(random_expression::compute(graph, mode, at), expected,
                1e-12 * (1 + std::abs(expected)));
    ++num_checked;
  }
  EXPECT_GT(num_checked, 800);
}

}  // namespace
}  // namespace hydae
