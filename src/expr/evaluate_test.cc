#include "expr/evaluate.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

#include <hydae/error.h>

#include "base/count_allocations_testing.h"
#include "expr/derivative.h"
#include "expr/jacobian.h"
#include "expr/random_expression_testing.h"
#include "expr/tangents.h"

namespace hydae {

namespace {

using testing::ElementsAre;

class Evaluate : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }
  std::string text(NodeId id) const { return to_string(graph, id, {}); }

  // Value at x = values[0], y = values[1], with the functions declared so far.
  double value(const Expr& expr, std::vector<double> values) {
    const NodeId root = expr.id();
    evaluator.emplace(graph, std::span(&root, 1), &functions,
                      [](Leaf leaf) { return leaf.variable.index(); });
    Point point;
    point.values = values;
    return evaluator->evaluate(point)[0];
  }
  std::string undefined() const { return text(evaluator->find_undefined().value()); }

  Graph graph;
  Evaluator::Functions functions;
  std::optional<Evaluator> evaluator;
  Expr x = variable(0), y = variable(1);
};

TEST_F(Evaluate, computes_roots_at_points_in_the_order_of_its_leaves) {
  const NodeId roots[] = {(x * y + sin(x)).id(), (der(x) / y).id()};
  Evaluator both(graph, roots);
  EXPECT_THAT(both.leaves(), ElementsAre(Leaf{VarId(0), 0}, Leaf{VarId(0), 1}, Leaf{VarId(1), 0}));
  Point point;
  const double first[] = {2, 3, 4}, second[] = {0, 1, 8};
  point.values = first;
  EXPECT_THAT(both.evaluate(point), ElementsAre(8 + std::sin(2.0), 0.75));
  point.values = second;
  EXPECT_THAT(both.evaluate(point), ElementsAre(0, 0.125));
}

TEST_F(Evaluate, takes_everything_else_from_the_point) {
  const Expr p(graph, graph.parameter(ParamId(1))), t(graph, graph.time());
  const Expr initial(graph, graph.leaf(Op::kInitial)), terminal(graph, graph.leaf(Op::kTerminal));
  const Expr delayed(graph, graph.ternary(Op::kDelay, sin(x).id(), p.id(), p.id()));
  const Expr ticks(graph, graph.binary(Op::kSample, p.id(), p.id()));
  const Expr eased(graph, graph.binary(Op::kHomotopy, t.id(), p.id()));
  const Expr smoothed(graph, graph.binary(Op::kSmooth, graph.constant(1), t.id()));
  const NodeId roots[] = {(p * t).id(), (pre(x) + pre(der(y))).id(), initial.id(), terminal.id(),
                          delayed.id(), select(ticks, 5, 6).id(),    eased.id(),   smoothed.id()};
  Evaluator all(graph, roots);
  EXPECT_TRUE(all.leaves().empty());  // the x under the delay is not asked for
  EXPECT_THAT(all.pre_leaves(), ElementsAre(Leaf{VarId(0), 0}, Leaf{VarId(1), 1}));
  EXPECT_THAT(all.given(), ElementsAre(delayed.id(), ticks.id()));
  const double parameters[] = {0, 3}, pre_values[] = {10, 0.5}, given[] = {0.25, 1};
  Point point{.time = 2, .parameters = parameters, .pre_values = pre_values, .given = given};
  point.is_initial = true;
  EXPECT_THAT(all.evaluate(point), ElementsAre(6, 10.5, 1, 0, 0.25, 5, 2, 2));
  point.homotopy = 0.25;
  EXPECT_EQ(all.evaluate(point)[6], 0.25 * 2 + 0.75 * 3);
  point.homotopy = 0;
  EXPECT_EQ(all.evaluate(point)[6], 3);
}

TEST_F(Evaluate, says_which_input_is_missing) {
  const Expr p(graph, graph.parameter(ParamId(1)));
  const NodeId root = (x + p + pre(y)).id();
  Evaluator sum(graph, std::span(&root, 1));
  const auto message = [&](const Point& point) -> std::string {
    try {
      sum.evaluate(point);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  const double two[] = {1, 2};
  EXPECT_EQ(message({}), "evaluation needs 2 parameter values, not 0");
  EXPECT_EQ(message({.parameters = two}), "evaluation needs 1 variable values, not 0");
  EXPECT_EQ(message({.parameters = two, .values = two}),
            "evaluation needs 1 values before the event, not 0");
}

TEST_F(Evaluate, an_evaluation_allocates_nothing) {
  Function twice{"twice", 1, 1, [](auto in, auto out) { out[0] = 2 * in[0]; }, {}, {}};
  functions.push_back(twice);
  const NodeId argument = (x * y).id();
  const Expr f(graph, graph.call(FunctionId(0), 0, std::span(&argument, 1)));
  const NodeId roots[] = {(f + sin(x)).id(), select(x < y, f, 0).id()};
  Evaluator both(graph, roots, &functions);
  Jacobian jacobian(both, both.leaves());
  const double values[] = {1, 2};
  const Point point{.values = values};
  jacobian.evaluate(point);
  jacobian.row(0);
  const long before = num_allocations;
  both.evaluate(point);
  jacobian.evaluate(point);
  jacobian.row(0);
  jacobian.row(1);
  EXPECT_EQ(num_allocations, before);
}

TEST_F(Evaluate, tangents_are_the_sum_over_the_rows_of_the_jacobian) {
  // The branch that is not taken, log(-1), spoils neither.
  const NodeId roots[] = {(sin(x) * y + x).id(), select(x < y, x * x * y, log(x - 2)).id(),
                          Expr(graph, graph.constant(3)).id()};
  Evaluator all(graph, roots, &functions);
  Jacobian jacobian(all, all.leaves());
  const double values[] = {1, 2}, matrix[] = {2, 3, 5, 7, 11, 13};
  std::vector<double> product;
  const auto roots_there =
      Tangents(all, all.leaves()).evaluate({.values = values}, matrix, 3, product);
  EXPECT_EQ(roots_there[0], std::sin(1.0) * 2 + 1);
  jacobian.evaluate({.values = values});
  ASSERT_EQ(product.size(), 9u);
  for (std::size_t root = 0; root < 3; ++root)
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (const JacobianEntry& entry : jacobian.row(root))
        sum += entry.value * matrix[entry.column * 3 + j];
      EXPECT_DOUBLE_EQ(product[root * 3 + j], sum) << root << " " << j;
    }
}

// --- undefined values
// -----------------------------------------------------------------------------

TEST_F(Evaluate, names_the_innermost_undefined_node) {
  EXPECT_TRUE(std::isnan(value(1 + sqrt(log(x)) * y, {-1, 2})));
  EXPECT_EQ(undefined(), "log(x0)");
  EXPECT_TRUE(std::isnan(value(1 + sqrt(log(x)) * y, {0.5, 2})));
  EXPECT_EQ(undefined(), "sqrt(log(x0))");
  value(y / (x - x * 1.0 + 0 * y + x), {0, 2});
  EXPECT_EQ(undefined(), "x1/x0");
  value(exp(x) + log(y), {1000, -1});
  EXPECT_EQ(undefined(), "exp(x0)");
  value(x + y, {std::nan(""), 0});
  EXPECT_EQ(undefined(), "x0");
  value(sin(x), {1});
  EXPECT_FALSE(evaluator->find_undefined());
}

TEST_F(Evaluate, inactive_branches_may_be_undefined) {
  const Expr e = select(x > 0, log(x), y);
  EXPECT_EQ(value(e, {-1, 3}), 3);
  EXPECT_FALSE(evaluator->find_undefined());
  EXPECT_TRUE(std::isnan(value(select(x > 0, log(x) / y, sqrt(y)), {-1, -3})));
  EXPECT_EQ(undefined(), "sqrt(x1)");
}

TEST_F(Evaluate, a_condition_on_an_undefined_number_is_undefined) {
  EXPECT_TRUE(std::isnan(value(select(log(x) < 1, x, y), {-1, 3})));
  EXPECT_EQ(undefined(), "log(x0)");
  EXPECT_TRUE(std::isnan(value(!(log(x) < 1) && y > 0, {-1, 3})));
  EXPECT_EQ(value(log(x) < 1 && y < 0, {-1, 3}), 0);  // false and anything
  EXPECT_EQ(value(log(x) < 1 || y > 0, {-1, 3}), 1);  // true or anything
}

// --- functions
// ------------------------------------------------------------------------------------

// f(a, b) = (a^2 b, sin(a)); counts its evaluations.
Function polynomial(int* count, bool has_jacobian) {
  Function f{"lib.f", 2, 2, {}, {}, {}};
  f.evaluate = [count](std::span<const double> in, std::span<double> out) {
    if (count) ++*count;
    if (in[1] < -100) throw std::domain_error("b is too small");
    out[0] = in[0] * in[0] * in[1];
    out[1] = std::sin(in[0]);
  };
  if (has_jacobian)
    f.jacobian = [](std::span<const double> in, std::span<double> jacobian) {
      jacobian[0] = 2 * in[0] * in[1];
      jacobian[1] = in[0] * in[0];
      jacobian[2] = std::cos(in[0]);
      jacobian[3] = 0;
    };
  return f;
}

TEST_F(Evaluate, a_function_runs_once_for_all_its_outputs) {
  int count = 0;
  functions.push_back(polynomial(&count, false));
  const NodeId arguments[] = {x.id(), y.id()};
  const Expr f0(graph, graph.call(FunctionId(0), 0, arguments));
  const Expr f1(graph, graph.call(FunctionId(0), 1, arguments));
  EXPECT_EQ(value(f0 + f1, {2, 3}), 12 + std::sin(2.0));
  EXPECT_EQ(count, 1);
}

TEST_F(Evaluate, derivatives_of_functions_come_from_the_jacobian_or_from_differences) {
  functions.push_back(polynomial(nullptr, true));
  functions.push_back(polynomial(nullptr, false));
  const NodeId arguments[] = {x.id(), y.id()};
  for (std::size_t k = 0; k < 2; ++k) {
    const bool is_exact = k == 0;
    const auto d = [&](int output, int i, int j) {
      return value({graph, graph.call_derivative(FunctionId(k), output, i, j, arguments)}, {2, 3});
    };
    // Central differences: truncation h^2 = 4e-11 times the third derivative, rounding eps/h =
    // 4e-11 times the value; second differences with h = 1e-4: rounding eps/h^2 = 1.5e-8.
    const double first = is_exact ? 0 : 1e-9, second = is_exact ? 1e-9 : 1e-6;
    EXPECT_NEAR(d(0, 0, -1), 12, first);
    EXPECT_NEAR(d(0, 1, -1), 4, first);
    EXPECT_NEAR(d(1, 0, -1), std::cos(2.0), first);
    EXPECT_NEAR(d(0, 0, 0), 6, second);
    EXPECT_NEAR(d(0, 0, 1), 4, second);
    EXPECT_NEAR(d(0, 1, 1), 0, second);
    EXPECT_NEAR(d(1, 0, 0), -std::sin(2.0), second);
  }
}

TEST_F(Evaluate, differences_stay_inside_the_domain) {
  Function root{"root", 1, 1, {}, {}, {}};
  root.evaluate = [](std::span<const double> in, std::span<double> out) {
    if (in[0] < 0) throw std::domain_error("negative");
    out[0] = 3 * in[0];
  };
  functions.push_back(root);
  const NodeId argument = x.id();
  const Expr slope(graph, graph.call_derivative(FunctionId(0), 0, 0, -1, std::span(&argument, 1)));
  EXPECT_NEAR(value(slope, {0}), 3, 1e-9);
}

TEST_F(Evaluate, a_failing_function_is_undefined_and_says_why) {
  functions.push_back(polynomial(nullptr, true));
  const NodeId arguments[] = {x.id(), y.id()};
  const Expr f(graph, graph.call(FunctionId(0), 0, arguments));
  EXPECT_TRUE(std::isnan(value(f + 1, {2, -200})));
  EXPECT_EQ(evaluator->call_failure(), "lib.f(2, -200): b is too small");
  EXPECT_EQ(undefined(), "f0(x0, x1)");
  EXPECT_EQ(value(select(y > -100, f, 7), {2, -200}), 7);
  EXPECT_EQ(value(f, {2, 3}), 12);
  EXPECT_EQ(evaluator->call_failure(), "");
}

TEST_F(Evaluate, calls_need_their_functions) {
  const NodeId argument = x.id();
  const NodeId root = graph.call(FunctionId(0), 0, std::span(&argument, 1));
  EXPECT_THROW(Evaluator(graph, std::span(&root, 1)), UsageError);
}

// --- Jacobians
// ------------------------------------------------------------------------------------

std::vector<std::pair<std::size_t, double>> entries(std::span<const JacobianEntry> row) {
  std::vector<std::pair<std::size_t, double>> pairs;
  for (const JacobianEntry& entry : row) pairs.push_back({entry.column, entry.value});
  return pairs;
}

TEST_F(Evaluate, jacobian_rows_hold_the_chosen_columns) {
  const NodeId roots[] = {(x * y + sin(x)).id(), (der(x) / y).id(), (y + 1).id()};
  Evaluator all(graph, roots);
  const Leaf columns[] = {{VarId(1), 0}, {VarId(7), 0}, {VarId(0), 0}};
  Jacobian jacobian(all, columns);
  const double values[] = {2, 3, 4};
  EXPECT_THAT(jacobian.evaluate({.values = values}), ElementsAre(8 + std::sin(2.0), 0.75, 5));
  using Entry = std::pair<std::size_t, double>;
  EXPECT_THAT(entries(jacobian.row(0)), ElementsAre(Entry(0, 2), Entry(2, 4 + std::cos(2.0))));
  EXPECT_THAT(entries(jacobian.row(1)), ElementsAre(Entry(0, -3.0 / 16)));
  EXPECT_THAT(entries(jacobian.row(2)), ElementsAre(Entry(0, 1)));
}

TEST_F(Evaluate, the_pattern_of_a_jacobian_does_not_depend_on_the_point) {
  const NodeId root = select(x > 0, sqrt(x), 3 * y).id();
  Evaluator switching(graph, std::span(&root, 1));
  Jacobian jacobian(switching, switching.leaves());
  using Entry = std::pair<std::size_t, double>;
  const double positive[] = {4, 1}, zero[] = {0, 1};
  jacobian.evaluate({.values = positive});
  EXPECT_THAT(entries(jacobian.row(0)), ElementsAre(Entry(0, 0.25), Entry(1, 0)));
  jacobian.evaluate({.values = zero});  // the infinite slope of sqrt is not active
  EXPECT_THAT(entries(jacobian.row(0)), ElementsAre(Entry(0, 0), Entry(1, 3)));
}

TEST_F(Evaluate, jacobians_go_through_functions_and_their_derivatives) {
  functions.push_back(polynomial(nullptr, true));
  const NodeId arguments[] = {(x + y).id(), (2 * y).id()};
  const NodeId roots[] = {graph.call(FunctionId(0), 0, arguments),
                          graph.call_derivative(FunctionId(0), 0, 0, -1, arguments)};
  Evaluator both(graph, roots, &functions);
  Jacobian jacobian(both, both.leaves());
  const double values[] = {2, 3};
  jacobian.evaluate({.values = values});
  // f = (x+y)^2 2y: f_x = 2 (x+y) 2y = 60, f_y = f_x + 2 (x+y)^2 = 110.
  const auto first = entries(jacobian.row(0));
  EXPECT_EQ(first[0].second, 60);
  EXPECT_EQ(first[1].second, 110);
  // g = 2 (x+y) 2y: g_x = 4y = 12, g_y = g_x + 4 (x+y) = 32; by differences of the jacobian.
  const auto second = entries(jacobian.row(1));
  EXPECT_NEAR(second[0].second, 12, 1e-8);
  EXPECT_NEAR(second[1].second, 32, 1e-8);
}

TEST_F(Evaluate, a_column_is_asked_for_once) {
  const NodeId root = x.id();
  Evaluator one(graph, std::span(&root, 1));
  const Leaf twice[] = {{VarId(0), 0}, {VarId(0), 0}};
  EXPECT_THROW(Jacobian(one, twice), UsageError);
}

TEST(EvaluateRandom, numbers_agree_with_the_reference_and_jacobians_with_symbolic_gradients) {
  using random_expression::compute;
  random_expression::Generator generator(random_expression::switching_ingredients(3), 5);
  int num_checked = 0;
  for (int round = 0; round < 5000; ++round) {
    const auto recipe = generator.next(12);
    double values[3];
    for (double& value : values) value = generator.uniform(0.1, 2);
    const std::function<double(Leaf)> at = [&](Leaf leaf) { return values[leaf.variable.index()]; };
    const long double expected = random_expression::well_conditioned_value(recipe, at);
    if (std::isnan(expected)) continue;
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    const auto partials = gradient(graph, root);
    Evaluator evaluator(graph, std::span(&root, 1), nullptr,
                        [](Leaf leaf) { return leaf.variable.index(); });
    std::vector<Leaf> columns;
    for (std::size_t i = 0; i < 3; ++i) columns.push_back({VarId(i), 0});
    Jacobian jacobian(evaluator, columns);
    const double value = jacobian.evaluate({.values = values})[0];
    const double scale = 1 + std::abs(static_cast<double>(expected));
    ASSERT_NEAR(value, static_cast<double>(expected), 1e-12 * scale) << to_string(graph, root, {});
    double by_symbols[3] = {}, by_numbers[3] = {};
    for (const Partial& entry : partials)
      by_symbols[entry.leaf.variable.index()] = compute(graph, entry.derivative, at);
    for (const JacobianEntry& entry : jacobian.row(0)) by_numbers[entry.column] = entry.value;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!(std::abs(by_symbols[i]) < 1e4)) continue;
      ++num_checked;
      ASSERT_NEAR(by_numbers[i], by_symbols[i], 1e-9 * (1 + std::abs(by_symbols[i])))
          << to_string(graph, root, {});
    }
  }
  EXPECT_GT(num_checked, 3000);
}

}  // namespace
}  // namespace hydae
