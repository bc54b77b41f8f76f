// Random expressions on the numeric tape against a recursive evaluation of the graph that shares no
// code with it, bit by bit; derivatives by lanes and by adjoints against each other, against
// complex steps and against the symbolic gradient. The module ops and what lowers to it are
// compiled into this program with address and undefined-behaviour sanitizers: a register that is
// out of range, a lane that is read before it is written and the like end it.
#include <cmath>
#include <gtest/gtest.h>
#include <map>

#include "expr/derivative.h"
#include "expr/jacobian.h"
#include "expr/random_expression_testing.h"
#include "expr/tangents.h"

namespace hydae {
namespace {

using random_expression::Generator;

constexpr std::size_t kNumVariables = 3;

// What an expression means, operation by operation.
class Oracle {
 public:
  Oracle(const Graph& graph, std::span<const double> values) : graph_(graph), values_(values) {}

  double value(NodeId id) {
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    const double found = compute(graph_.node(id));
    known_[id] = found;
    return found;
  }

 private:
  double compute(const Node& node) {
    if (node.op == Op::kConstant) return node.value;
    if (node.op == Op::kVariable) return values_[node.variable.index()];
    const double a = value(node.a);
    if (node.op == Op::kSelect) {
      const double b = value(node.b), c = value(node.c);
      return std::isnan(a) ? a : a != 0 ? b : c;
    }
    if (!node.b.is_valid()) return unary(node.op, a);
    return binary(node.op, a, value(node.b));
  }

  static double unary(Op op, double a) {
    switch (op) {
      case Op::kNeg: return -a;
      case Op::kSqrt: return std::sqrt(a);
      case Op::kExp: return std::exp(a);
      case Op::kLog: return std::log(a);
      case Op::kLog10: return std::log10(a);
      case Op::kSin: return std::sin(a);
      case Op::kCos: return std::cos(a);
      case Op::kTan: return std::tan(a);
      case Op::kAsin: return std::asin(a);
      case Op::kAcos: return std::acos(a);
      case Op::kAtan: return std::atan(a);
      case Op::kSinh: return std::sinh(a);
      case Op::kCosh: return std::cosh(a);
      case Op::kTanh: return std::tanh(a);
      case Op::kAbs: return std::fabs(a);
      case Op::kSign: return std::isnan(a) ? a : (a > 0) - (a < 0);
      case Op::kFloor: return std::floor(a);
      case Op::kCeil: return std::ceil(a);
      case Op::kTrunc: return std::trunc(a);
      case Op::kNot: return std::isnan(a) ? a : a == 0;
      default: throw std::logic_error("an operation without a meaning");
    }
  }

  static double binary(Op op, double a, double b) {
    switch (op) {
      case Op::kAdd: return a + b;
      case Op::kSub: return a - b;
      case Op::kMul: return a * b;
      case Op::kDiv: return a / b;
      case Op::kPow: return b == 2 ? a * a : std::pow(a, b);
      case Op::kAtan2: return std::atan2(a, b);
      case Op::kAnd: return a == 0 || b == 0 ? 0 : std::isnan(a + b) ? std::nan("") : 1;
      case Op::kOr: return is_true(a) || is_true(b) ? 1 : std::isnan(a + b) ? std::nan("") : 0;
      default: break;
    }
    if (std::isnan(a) || std::isnan(b)) return std::nan("");
    switch (op) {
      case Op::kMin: return b < a ? b : a;
      case Op::kMax: return a < b ? b : a;
      case Op::kLess: return a < b;
      case Op::kLessEqual: return a <= b;
      case Op::kGreater: return a > b;
      case Op::kGreaterEqual: return a >= b;
      case Op::kEqual: return a == b;
      case Op::kNotEqual: return a != b;
      default: throw std::logic_error("an operation without a meaning");
    }
  }

  static bool is_true(double a) { return !std::isnan(a) && a != 0; }

  const Graph& graph_;
  std::span<const double> values_;
  std::map<NodeId, double> known_;
};

std::vector<Leaf> all_leaves() {
  std::vector<Leaf> leaves;
  for (std::size_t k = 0; k < kNumVariables; ++k) leaves.push_back({VarId(k), 0});
  return leaves;
}

Evaluator evaluator_of(const Graph& graph, std::span<const NodeId> roots) {
  return Evaluator(graph, roots, nullptr, [](Leaf leaf) { return leaf.variable.index(); });
}

// The derivatives of all roots by all variables, root by root: by lanes with unit directions.
std::vector<double> by_lanes(Evaluator& evaluator, std::span<const double> values) {
  std::vector<double> unit(kNumVariables * kNumVariables), rows;
  for (std::size_t k = 0; k < kNumVariables; ++k) unit[k * kNumVariables + k] = 1;
  const std::vector<Leaf> leaves = all_leaves();
  Tangents(evaluator, leaves).evaluate({.values = values}, unit, kNumVariables, rows);
  return rows;
}

std::vector<double> by_adjoints(Evaluator& evaluator, std::span<const double> values) {
  const std::vector<Leaf> leaves = all_leaves();
  Jacobian jacobian(evaluator, leaves);
  jacobian.evaluate({.values = values});
  std::vector<double> rows(evaluator.num_roots() * kNumVariables);
  for (std::size_t i = 0; i < evaluator.num_roots(); ++i)
    for (const JacobianEntry& entry : jacobian.row(i))
      rows[i * kNumVariables + entry.column] = entry.value;
  return rows;
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What the node is made of is defined. A sum may hide the product that overflows, a select the
// branch.
void expect_innermost(const Graph& graph, NodeId undefined, Oracle& oracle) {
  const Op op = graph.op(undefined);
  if (op == Op::kSelect || op == Op::kAdd || op == Op::kSub) return;
  for (const NodeId operand : graph.operands(undefined))
    EXPECT_TRUE(std::isfinite(oracle.value(operand))) << to_string(graph, undefined, {});
}

// Of everything, also of what is undefined at the point: several roots that share their parts.
TEST(RandomExpressions, have_the_values_of_the_recursive_evaluation_bit_by_bit) {
  Generator generator(random_expression::switching_ingredients(kNumVariables), 17);
  int num_defined = 0;
  for (int round = 0; round < 10'000; ++round) {
    Graph graph;
    std::vector<NodeId> roots;
    for (int k = 0; k < 3; ++k)
      roots.push_back(random_expression::build(graph, generator.next(3 + 5 * k)));
    double values[kNumVariables];
    for (double& value : values) value = generator.uniform(-2, 2);
    Evaluator evaluator = evaluator_of(graph, roots);
    const auto found = evaluator.evaluate({.values = values});
    Oracle oracle(graph, values);
    for (std::size_t k = 0; k < roots.size(); ++k) {
      const double expected = oracle.value(roots[k]);
      ASSERT_TRUE(is_same(found[k], expected))
          << to_string(graph, roots[k], {}) << ": " << found[k] << " instead of " << expected;
      num_defined += std::isfinite(expected);
    }
    if (const auto undefined = evaluator.find_undefined())
      expect_innermost(graph, *undefined, oracle);
  }
  EXPECT_GT(num_defined, 15'000);
}

// Both sweeps take the same local derivatives and differ in the order of sums; what is undefined or
// infinite in one may be so in other places of the other.
TEST(RandomExpressions, have_the_same_derivatives_by_lanes_and_by_adjoints) {
  Generator generator(random_expression::switching_ingredients(kNumVariables), 29);
  int num_checked = 0;
  for (int round = 0; round < 10'000; ++round) {
    Graph graph;
    const NodeId roots[] = {random_expression::build(graph, generator.next(12)),
                            random_expression::build(graph, generator.next(6))};
    double values[kNumVariables];
    for (double& value : values) value = generator.uniform(0.1, 2);
    Evaluator evaluator = evaluator_of(graph, roots);
    const auto forward = by_lanes(evaluator, values), back = by_adjoints(evaluator, values);
    ASSERT_EQ(forward.size(), back.size());
    for (std::size_t k = 0; k < back.size(); ++k) {
      if (!(std::abs(back[k]) < 1e4) || !(std::abs(forward[k]) < 1e4)) continue;
      ++num_checked;
      ASSERT_NEAR(forward[k], back[k], 1e-9 * (1 + std::abs(back[k])))
          << to_string(graph, roots[k / kNumVariables], {});
    }
  }
  EXPECT_GT(num_checked, 20'000);
}

// Im f(x + ih)/h is exact to rounding for h = 1e-150 where f is analytic; expressions that lose
// digits in doubles are left out.
TEST(RandomExpressions, have_the_derivatives_of_complex_steps_and_of_the_symbolic_gradient) {
  using Complex = std::complex<double>;
  constexpr double kStep = 1e-150;
  Generator generator(random_expression::smooth_ingredients(kNumVariables), 41);
  int num_checked = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto recipe = generator.next(8);
    double values[kNumVariables];
    for (double& value : values) value = generator.uniform(0.1, 2);
    const std::function<double(Leaf)> at = [&](Leaf leaf) { return values[leaf.variable.index()]; };
    if (std::isnan(random_expression::well_conditioned_value(recipe, at))) continue;
    Graph graph;
    const NodeId root = random_expression::build(graph, recipe);
    Evaluator evaluator = evaluator_of(graph, std::span(&root, 1));
    const auto lanes = by_lanes(evaluator, values);
    std::vector<double> symbolic(kNumVariables);
    for (const Partial& partial : gradient(graph, root))
      symbolic[partial.leaf.variable.index()] =
          random_expression::compute(graph, partial.derivative, at);
    for (std::size_t k = 0; k < kNumVariables; ++k) {
      const std::function<Complex(Leaf)> moved = [&](Leaf leaf) {
        return Complex(at(leaf), leaf.variable.index() == k ? kStep : 0);
      };
      const double by_step = random_expression::compute<Complex>(graph, root, moved).imag() / kStep;
      if (!(std::abs(by_step) < 1e4)) continue;
      ++num_checked;
      const double tolerance = 1e-9 * (1 + std::abs(by_step));
      ASSERT_NEAR(lanes[k], by_step, tolerance) << to_string(graph, root, {});
      ASSERT_NEAR(symbolic[k], by_step, tolerance) << to_string(graph, root, {});
    }
  }
  EXPECT_GT(num_checked, 3000);
}

}  // namespace
}  // namespace hydae
