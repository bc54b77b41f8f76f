// Expressions up to a million operators deep: every walk must be iterative, in linear time.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/expr.h>

#include "expr/derivative.h"
#include "expr/evaluate.h"
#include "expr/incidence.h"
#include "expr/jacobian.h"
#include "expr/linearity.h"
#include "expr/substitute.h"
#include "expr/switches.h"

namespace hydae {
namespace {

constexpr int kDeepest = 1'000'000;
constexpr int kDepth = 200'000;  // still far past what a stack of 8 MB bears

class Depth : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }

  double value(NodeId root, double everywhere) {
    Evaluator evaluator(graph, std::span(&root, 1));
    const std::vector<double> values(evaluator.leaves().size(), everywhere);
    return evaluator.evaluate({.values = values})[0];
  }

  // Everything there is, on one root.
  void walk_all(NodeId root) {
    EXPECT_EQ(incidence(graph, root).size(), 1u);
    EXPECT_TRUE(contents(graph, root).has_variables);
    EXPECT_NE(linearity(graph, root, [](Leaf) { return true; }), Linearity::kFree);
    const std::string text = to_string(graph, root, {});
    EXPECT_GE(text.size(), static_cast<std::size_t>(kDepth));
    const Substitution other{{{{VarId(0), 0}, graph.variable(VarId(1))}}, {}};
    EXPECT_EQ(incidence(graph, substitute(graph, root, other))[0].variable, VarId(1));
    EXPECT_EQ(lower_switches(graph, root), root);
    EXPECT_FALSE(contents(graph, silence(graph, root)).has_event_relations);
    const Truth unknown = [](NodeId) { return std::optional<bool>(); };
    EXPECT_EQ(resolve(graph, root, unknown), root);
  }

  Graph graph;
  Expr x = variable(0);
};

TEST_F(Depth, nested_functions) {
  Expr nested = x;
  for (int i = 0; i < kDeepest; ++i) nested = sin(nested);
  walk_all(nested.id());
  // d/dx of n nested sines is the product of n cosines: 1 at x = 0, where all arguments are 0.
  EXPECT_EQ(value(partial(graph, nested.id(), VarId(0), 0), 0), 1);
  EXPECT_EQ(value(gradient(graph, nested.id()).at(0).derivative, 0), 1);
  EXPECT_EQ(value(der(nested).id(), 0), 0);  // with der(x) = 0
}

TEST_F(Depth, sums_leaning_left_and_right) {
  // Terms k*x with k = 1 to n differ, so that nothing folds: the sum is n (n + 1) / 2 x.
  const double expected = 0.5 * kDepth * (kDepth + 1.0);
  Expr left = x, right = kDepth * x;
  for (int k = 2; k <= kDepth; ++k) left = left + k * x;
  for (int k = kDepth - 1; k >= 1; --k) right = k * x + right;
  for (const Expr& sum : {left, right}) {
    walk_all(sum.id());
    EXPECT_EQ(value(sum.id(), 1), expected);
    EXPECT_EQ(value(partial(graph, sum.id(), VarId(0), 0), 1), expected);
    EXPECT_EQ(value(gradient(graph, sum.id()).at(0).derivative, 1), expected);
    EXPECT_EQ(value(der(sum).id(), 1), expected);
    const NodeId root = sum.id();
    Evaluator evaluator(graph, std::span(&root, 1));
    Jacobian jacobian(evaluator, evaluator.leaves());
    const double one = 1;
    jacobian.evaluate({.values = std::span(&one, 1)});
    EXPECT_EQ(jacobian.row(0)[0].value, expected);
  }
}

TEST_F(Depth, chains_of_conditions) {
  // if x < 1 then 1*x else if x < 2 then 2*x else ...
  Expr chain = 0;
  for (int k = kDepth; k >= 1; --k) chain = select(x < k, k * x, chain);
  walk_all(chain.id());
  EXPECT_EQ(value(chain.id(), 2.5), 3 * 2.5);
  EXPECT_EQ(value(partial(graph, chain.id(), VarId(0), 0), 2.5), 3);
  EXPECT_EQ(value(gradient(graph, chain.id()).at(0).derivative, 2.5), 3);
  const NodeId mode = resolve(graph, chain.id(), [&](NodeId relation) -> std::optional<bool> {
    return graph.constant_value(graph.operands(relation)[1]) >= kDepth;
  });
  EXPECT_EQ(mode, (kDepth * x).id());
}

}  // namespace
}  // namespace hydae
