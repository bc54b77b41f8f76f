#include "expr/linearity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/derivative.h"
#include "expr/random_expression_testing.h"

namespace hydae {
namespace {

using enum Linearity;

class LinearityTest : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  // In a = der(x, 2) and b = y, jointly.
  Linearity in_ab(const Expr& expr) const {
    const Leaf chosen[] = {{VarId(1), 0}, {VarId(0), 2}};
    return linearity(graph, expr.id(), chosen);
  }

  Graph graph;
  Expr x = variable(0), b = variable(1), z = variable(2), a = der(x, 2);
};

TEST_F(LinearityTest, sums_and_products_with_free_factors_are_linear) {
  EXPECT_EQ(in_ab(x * z + der(x) - sin(z)), kFree);
  EXPECT_EQ(in_ab(a), kLinear);
  EXPECT_EQ(in_ab(a + b * z - x), kLinear);
  EXPECT_EQ(in_ab(-(a * sin(x)) / (1 + z * z)), kLinear);
  EXPECT_EQ(in_ab(z * (a - x * b)), kLinear);
}

TEST_F(LinearityTest, everything_else_is_not) {
  EXPECT_EQ(in_ab(a * b), kNonlinear);
  EXPECT_EQ(in_ab(a * a), kNonlinear);
  EXPECT_EQ(in_ab(z / a), kNonlinear);  // a leading derivative in a denominator
  EXPECT_EQ(in_ab(a / b), kNonlinear);
  EXPECT_EQ(in_ab(pow(a, 2)), kNonlinear);
  EXPECT_EQ(in_ab(pow(a, 0.5) + z), kNonlinear);
  EXPECT_EQ(in_ab(pow(z, b)), kNonlinear);
  EXPECT_EQ(in_ab(sin(a)), kNonlinear);
  EXPECT_EQ(in_ab(z + x * exp(b + 1)), kNonlinear);
  EXPECT_EQ(in_ab(abs(a)), kNonlinear);
  EXPECT_EQ(in_ab(min(a, z)), kNonlinear);
  EXPECT_EQ(in_ab(floor(a)), kNonlinear);
  const NodeId argument = a.id();
  EXPECT_EQ(in_ab({graph, graph.call(FunctionId(0), 0, std::span(&argument, 1))}), kNonlinear);
}

TEST_F(LinearityTest, a_select_is_linear_if_its_condition_is_free) {
  EXPECT_EQ(in_ab(select(x < 0, a, 2 * b)), kLinear);
  EXPECT_EQ(in_ab(select(x < 0, a, z)), kLinear);
  EXPECT_EQ(in_ab(select(a < 0, z, 2 * z)), kNonlinear);
  EXPECT_EQ(in_ab(select(x < 0, a * b, z)), kNonlinear);
}

TEST_F(LinearityTest, operators_of_the_simulation) {
  const Expr smooth(graph, graph.binary(Op::kSmooth, graph.constant(1), a.id()));
  EXPECT_EQ(in_ab(smooth), kLinear);
  EXPECT_EQ(in_ab({graph, graph.binary(Op::kHomotopy, a.id(), b.id())}), kLinear);
  EXPECT_EQ(in_ab({graph, graph.ternary(Op::kDelay, a.id(), z.id(), z.id())}), kFree);  // the past
  EXPECT_EQ(in_ab({graph, graph.ternary(Op::kDelay, z.id(), b.id(), z.id())}), kNonlinear);
  EXPECT_EQ(in_ab(pre(b) * b), kLinear);
}

TEST(LinearityRandom, linear_expressions_have_a_gradient_free_of_the_leaves) {
  auto ingredients = random_expression::switching_ingredients(4);
  ingredients.unary = {Op::kNeg, Op::kNeg, Op::kSin, Op::kAbs};
  ingredients.binary = {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kPow, Op::kMax};
  random_expression::Generator generator(ingredients, 4);
  const auto is_chosen = [](Leaf leaf) { return leaf.variable.index() < 2; };
  int count[3] = {};
  for (int round = 0; round < 5000; ++round) {
    Graph graph;
    const NodeId root = random_expression::build(graph, generator.next(7));
    const Linearity found = linearity(graph, root, is_chosen);
    ++count[static_cast<int>(found)];
    for (std::size_t i = 0; i < 2; ++i) {
      const NodeId slope = partial(graph, root, VarId(i), 0);
      // The slope itself is free of the chosen leaves, and 0 if the root is.
      if (found == kLinear) {
        ASSERT_EQ(linearity(graph, slope, is_chosen), kFree);
      }
      if (found == kFree) {
        ASSERT_TRUE(graph.is_constant(slope, 0));
      }
    }
  }
  for (int each : count) EXPECT_GT(each, 300);
}

}  // namespace
}  // namespace hydae
