#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/expr.h>

#include "expr/random_expression_testing.h"

namespace hydae {
namespace {

class GraphTest : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  std::string text(const Expr& expr) const { return to_string(*expr.graph(), expr.id(), names); }
  Expr node(double value) { return {graph, graph.constant(value)}; }

  Graph graph;
  Names names{[](VarId id) { return std::string(1, "xyzuvw"[id.index()]); }, {}, {}};
  Expr x = variable(0), y = variable(1), z = variable(2);
};

TEST_F(GraphTest, equal_expressions_are_one_node) {
  EXPECT_EQ((sin(x) * y + 1).id(), (sin(x) * y + 1).id());
  EXPECT_NE((x - y).id(), (y - x).id());
  EXPECT_NE(der(x).id(), x.id());
  EXPECT_NE(pre(x).id(), x.id());
  EXPECT_NE(graph.boolean(true), graph.constant(1));
  EXPECT_NE((x < y).id(), no_event(x < y).id());
}

TEST_F(GraphTest, order_of_commutative_operands_does_not_matter_and_is_kept_as_written) {
  const Expr product = x * y;
  EXPECT_EQ(product.id(), (y * x).id());
  EXPECT_EQ((x + y).id(), (y + x).id());
  EXPECT_EQ(min(x, y).id(), min(y, x).id());
  EXPECT_EQ(((x < y) && (x < z)).id(), ((x < z) && (x < y)).id());
  EXPECT_EQ(equal(x, y).id(), equal(y, x).id());
  EXPECT_EQ(text(y * x), "x*y");  // x*y came first
  EXPECT_EQ(text(z * x), "z*x");
  EXPECT_NE(pow(x, y).id(), pow(y, x).id());
  EXPECT_NE((x < y).id(), (y < x).id());
}

TEST_F(GraphTest, calls_are_shared_by_function_output_and_arguments) {
  const NodeId xy[] = {x.id(), y.id()}, yx[] = {y.id(), x.id()};
  const NodeId f = graph.call(FunctionId(0), 0, xy);
  EXPECT_EQ(f, graph.call(FunctionId(0), 0, xy));
  EXPECT_NE(f, graph.call(FunctionId(0), 0, yx));
  EXPECT_NE(f, graph.call(FunctionId(0), 1, xy));
  EXPECT_NE(f, graph.call(FunctionId(1), 0, xy));
  EXPECT_NE(f, graph.call_derivative(FunctionId(0), 0, 0, -1, xy));
  EXPECT_EQ(graph.call_derivative(FunctionId(0), 0, 0, 1, xy),
            graph.call_derivative(FunctionId(0), 0, 1, 0, xy));
  EXPECT_THAT(graph.operands(f), testing::ElementsAre(x.id(), y.id()));
  // Arguments that live in the graph's own memory.
  EXPECT_EQ(graph.node(graph.call(FunctionId(2), 0, graph.operands(f))).arguments.size(), 2u);
}

TEST_F(GraphTest, zeros_and_ones_vanish) {
  EXPECT_EQ((x + 0).id(), x.id());
  EXPECT_EQ((x - 0).id(), x.id());
  EXPECT_EQ((x * 1).id(), x.id());
  EXPECT_EQ(text(x * 0), "0");
  EXPECT_EQ((x / 1).id(), x.id());
  EXPECT_EQ(text(0 / x), "0");
  EXPECT_EQ(text(x - x), "0");
  EXPECT_EQ(pow(x, 1).id(), x.id());
  EXPECT_EQ(text(pow(x, 0)), "1");
  EXPECT_EQ(text(pow(node(1), x)), "1");
  EXPECT_EQ(text(0 - x), "-x");
  EXPECT_EQ(text(-1 * x), "-x");
}

TEST_F(GraphTest, signs_move_outward_and_cancel) {
  EXPECT_EQ((-(-x)).id(), x.id());
  EXPECT_EQ(text(x + -y), "x - y");
  EXPECT_EQ(text(x - -y), "x + y");
  EXPECT_EQ(text(-x + y), "y - x");
  EXPECT_EQ(text(-(x - y)), "y - x");
  EXPECT_EQ(text(-x * -y), "x*y");
  EXPECT_EQ(text(-x / y), "-x/y");
  EXPECT_EQ(text(-x / -y), "x/y");
  EXPECT_EQ(text(-(-2 * x)), "2*x");
  EXPECT_EQ(text(x - -2 * y), "x + 2*y");
  EXPECT_EQ(text(-2 * x * y), "-2*x*y");
  EXPECT_EQ(abs(-x).id(), abs(x).id());
}

TEST_F(GraphTest, constants_merge_where_that_is_exact) {
  EXPECT_EQ(text(x + 1 + 2), "x + 3");
  EXPECT_EQ(text(x + 1 - 1), "x");
  EXPECT_EQ(text(1 - (2 - x)), "x - 1");
  EXPECT_EQ(text(1 - (x + 2)), "-1 - x");
  EXPECT_EQ(text(3 - x + 1), "4 - x");
  EXPECT_EQ(text(2 * (3 * x)), "6*x");
  EXPECT_EQ(text(4 * x / 2), "2*x");
  EXPECT_EQ(text(3 * (1 / x)), "3/x");
  EXPECT_EQ(text(y * (1 / x)), "y/x");
  EXPECT_EQ(text(x + x), "2*x");
  EXPECT_EQ(text(x * x), "x^2");
  EXPECT_EQ(sqr(x).id(), (x * x).id());
  // 0.1 + 0.2 and 0.1 * 0.2 have rounding errors; 1/3 is no double.
  EXPECT_EQ(text(x + 0.1 + 0.2), "x + 0.1 + 0.2");
  EXPECT_EQ(text(0.1 * (0.2 * x)), "0.1*(0.2*x)");
  EXPECT_EQ(text(1 * x / 3), "x/3");
  EXPECT_EQ(text(5 * x / 3), "5*x/3");
  // The products of 1e200 overflow, those of 1e-200 lose all digits.
  EXPECT_EQ(text(1e200 * (1e200 * x)), "1e+200*(1e+200*x)");
  EXPECT_EQ(text(1e-200 * (1e-200 * x)), "1e-200*(1e-200*x)");
}

TEST_F(GraphTest, constants_fold_but_not_into_undefined_values) {
  EXPECT_EQ(text(node(2) + 3), "5");
  EXPECT_EQ(text(sqrt(node(4))), "2");
  EXPECT_EQ(text(pow(node(2), 10)), "1024");
  EXPECT_EQ(text(min(node(2), 3)), "2");
  EXPECT_EQ(text(node(1) / node(0)), "1/0");
  EXPECT_EQ(text(node(0) / node(0)), "0/0");
  EXPECT_EQ(text(log(node(-1))), "log(-1)");
  EXPECT_EQ(text(sqrt(node(-4))), "sqrt(-4)");
  EXPECT_EQ(text(exp(node(1000))), "exp(1000)");
  EXPECT_EQ(text(node(1e308) * 10), "1e+308*10");
  EXPECT_EQ(text(pow(node(-2), 0.5)), "(-2)^0.5");
  EXPECT_EQ(graph.constant(-0.0), graph.constant(0.0));
}

TEST_F(GraphTest, conditions_simplify) {
  EXPECT_EQ(text(node(1) < node(2)), "true");
  EXPECT_EQ(text(x < x), "false");
  EXPECT_EQ(text(x <= x), "true");
  EXPECT_EQ(text(not_equal(x, x)), "false");
  const Expr c = x < y;
  EXPECT_EQ((!!c).id(), c.id());
  EXPECT_EQ((c && true).id(), c.id());
  EXPECT_EQ(text(c && false), "false");
  EXPECT_EQ((false || c).id(), c.id());
  EXPECT_EQ(text(c || true), "true");
  EXPECT_EQ((c && c).id(), c.id());
  EXPECT_EQ(select(c, x, x).id(), x.id());
  EXPECT_EQ(select(true, x, y).id(), x.id());
  EXPECT_EQ(select({graph, graph.boolean(false)}, x, y).id(), y.id());
  EXPECT_EQ(select(!c, x, y).id(), select(c, y, x).id());
  EXPECT_EQ(select(c, true, false).id(), c.id());
  EXPECT_EQ(select(c, false, true).id(), (!c).id());
  EXPECT_EQ(text(select(c, 1, 0)), "if x < y then 1 else 0");  // numbers, not Booleans
}

TEST_F(GraphTest, plain_numbers_compute_without_a_graph) {
  const Expr a = Expr(2) * 3 + 1;
  EXPECT_TRUE(a.is_number());
  EXPECT_EQ(a.value(), 7);
  EXPECT_TRUE((Expr(1) < Expr(2)).is_boolean_number());
  EXPECT_EQ(select(Expr(1) < 2, x, y).id(), x.id());
  EXPECT_EQ(der(Expr(5)).value(), 0);
  Expr sum = 0;
  for (const Expr& term : {x, y, z}) sum += term;
  EXPECT_EQ(text(sum), "x + y + z");
}

TEST_F(GraphTest, misuse_is_reported) {
  Graph other;
  const Expr foreign(other, other.variable(VarId(0)));
  const auto message = [](auto action) -> std::string {
    try {
      action();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { x + foreign; }), "expressions of two models meet in one operation");
  EXPECT_EQ(message([&] { foreign.in(graph); }), "expressions of two models meet in one operation");
  EXPECT_EQ(message([&] { der(x, -1); }), "der() takes an order of 0 or more");
  EXPECT_EQ(message([&] { pre(x + 1); }), "pre() takes a variable or a derivative of one");
  EXPECT_EQ(message([&] { x + std::nan(""); }),
            "a constant of an expression must be a finite number");
  EXPECT_EQ(message([&] { graph.variable(VarId(0), -1); }),
            "a derivative must have an order of 0 or more");
}

// --- simplification never changes the value
// -------------------------------------------------------

using random_expression::Generator;
using random_expression::Ingredients;
using random_expression::Recipe;

TEST(GraphRandom, simplification_is_exact_in_integers) {
  // Small integers under these operations stay integers below 2^53 or the case is skipped: every
  // value is exact, so the two must agree to the last bit.
  Ingredients ingredients = random_expression::switching_ingredients(3);
  ingredients.unary = {Op::kNeg, Op::kAbs, Op::kSign};
  ingredients.binary = {Op::kAdd, Op::kSub, Op::kMul, Op::kMin, Op::kMax};
  ingredients.constants = {0, 1, -1, 2, -2, 3, 5};
  Generator generator(ingredients, 1);
  int num_checked = 0;
  for (int round = 0; round < 20000; ++round) {
    const Recipe recipe = generator.next(12);
    double values[3];
    for (double& value : values) value = static_cast<double>(generator.below(9)) - 4;
    const std::function<long double(Leaf)> at = [&](Leaf leaf) {
      return values[leaf.variable.index()];
    };
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    const auto steps = random_expression::compute_steps(recipe, at);
    if (steps.empty() || std::abs(steps.back()) > 0x1p53L) continue;
    ++num_checked;
    ASSERT_EQ(random_expression::compute(graph, root, at), steps.back())
        << to_string(graph, root, {});
  }
  EXPECT_GT(num_checked, 15000);
}

TEST(GraphRandom, simplification_keeps_values_of_all_functions) {
  Generator generator(random_expression::switching_ingredients(3), 2);
  int num_checked = 0;
  for (int round = 0; round < 30000; ++round) {
    const Recipe recipe = generator.next(8);
    double values[3];
    for (double& value : values) value = generator.uniform(-2, 2);
    const std::function<double(Leaf)> at = [&](Leaf leaf) { return values[leaf.variable.index()]; };
    const long double expected = random_expression::well_conditioned_value(recipe, at);
    if (std::isnan(expected)) continue;
    ++num_checked;
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    // No step loses more than 1e-13; a few of them add up.
    ASSERT_NEAR(random_expression::compute(graph, root, at), static_cast<double>(expected),
                1e-12 * (1 + std::abs(static_cast<double>(expected))))
        << to_string(graph, root, {});
  }
  EXPECT_GT(num_checked, 10000);
}

TEST(GraphRandom, swapping_commutative_operands_gives_the_same_node) {
  Generator generator(random_expression::switching_ingredients(4), 3);
  for (int round = 0; round < 2000; ++round) {
    Recipe recipe = generator.next(15);
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    for (auto& step : recipe)
      if (is_commutative(step.op) && generator.below(2) == 0) std::swap(step.a, step.b);
    ASSERT_EQ(random_expression::build(graph, recipe), root);
  }
}

}  // namespace
}  // namespace hydae
