#include "expr/substitute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/random_expression_testing.h"

namespace hydae {
namespace {

class Substitute : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  std::string replaced(const Expr& expr, const Substitution& substitution) {
    return to_string(graph, substitute(graph, expr.id(), substitution), names);
  }

  Graph graph;
  Names names{[](VarId id) { return std::string(1, "xyz"[id.index()]); },
              [](ParamId) { return std::string("p"); },
              {}};
  Expr x = variable(0), y = variable(1), z = variable(2);
  Expr p{graph, graph.parameter(ParamId(0))};
};

TEST_F(Substitute, replaces_exactly_the_leaves_named) {
  EXPECT_EQ(replaced(x * x + der(x) + y, {{{{VarId(0), 0}, (y + 1).id()}}, {}}),
            "(y + 1)^2 + der(x) + y");
  EXPECT_EQ(replaced(x + der(x), {{{{VarId(0), 1}, y.id()}}, {}}), "x + y");
  EXPECT_EQ(replaced(p * x + sin(p), {{}, {{ParamId(0), graph.constant(2)}}}),
            "2*x + " + number_to_string(std::sin(2.0)));
}

TEST_F(Substitute, replaces_all_at_once) {
  EXPECT_EQ(replaced(x - 2 * y, {{{{VarId(0), 0}, y.id()}, {{VarId(1), 0}, x.id()}}, {}}),
            "y - 2*x");
}

TEST_F(Substitute, simplifies_and_drops_dead_branches) {
  EXPECT_EQ(replaced(select(x < 0, log(x), y), {{{{VarId(0), 0}, graph.constant(1)}}, {}}), "y");
  EXPECT_EQ(replaced(x * sin(y) + z, {{{{VarId(0), 0}, graph.constant(0)}}, {}}), "z");
}

TEST_F(Substitute, reaches_into_calls_and_keeps_silence) {
  const NodeId arguments[] = {x.id(), y.id()};
  const Expr f(graph, graph.call_derivative(FunctionId(0), 0, 1, -1, arguments));
  EXPECT_EQ(replaced(f, {{{{VarId(0), 0}, z.id()}}, {}}), "f0[1, 2](z, y)");
  EXPECT_EQ(replaced(no_event(x < y), {{{{VarId(0), 0}, z.id()}}, {}}), "noEvent(z < y)");
}

TEST(SubstituteRandom, putting_numbers_for_leaves_evaluates) {
  random_expression::Generator generator(random_expression::switching_ingredients(3), 8);
  int num_checked = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto recipe = generator.next(10);
    double values[3];
    for (double& value : values) value = generator.uniform(-2, 2);
    const std::function<double(Leaf)> at = [&](Leaf leaf) { return values[leaf.variable.index()]; };
    const auto expected =
        static_cast<double>(random_expression::well_conditioned_value(recipe, at));
    if (std::isnan(expected)) continue;
    ++num_checked;
    Graph graph;
    Substitution numbers;
    for (std::size_t i = 0; i < 3; ++i) numbers.leaves[{VarId(i), 0}] = graph.constant(values[i]);
    const NodeId value = substitute(graph, random_expression::build(graph, recipe), numbers);
    ASSERT_TRUE(graph.is_constant(value)) << to_string(graph, value, {});
    ASSERT_NEAR(graph.constant_value(value), expected, 1e-12 * (1 + std::abs(expected)));
  }
  EXPECT_GT(num_checked, 500);
}

}  // namespace
}  // namespace hydae
