#include "expr/evaluate.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>

#include "expr/jacobian.h"

namespace hydae {
namespace {

using testing::ElementsAre;

class Evaluate : public testing::Test {
 protected:
  Expr variable(std::size_t i) { return {graph, graph.variable(VarId(i))}; }

  Graph graph;
  Expr x = variable(0), y = variable(1);
};

TEST_F(Evaluate, computes_roots_and_jacobian_rows) {
  const NodeId roots[] = {(x * y + sin(x)).id(), (der(x) / y).id()};
  Evaluator evaluator(graph, roots);
  EXPECT_THAT(evaluator.leaves(),
              ElementsAre(Leaf{VarId(0), 0}, Leaf{VarId(0), 1}, Leaf{VarId(1), 0}));
  const double values[] = {2, 3, 4};
  Point point;
  point.values = values;
  EXPECT_THAT(evaluator.evaluate(point), ElementsAre(8 + std::sin(2.0), 0.75));
  const Leaf columns[] = {{VarId(1), 0}, {VarId(0), 0}};
  Jacobian jacobian(evaluator, columns);
  jacobian.evaluate(point);
  auto row = jacobian.row(0);
  ASSERT_EQ(row.size(), 2u);
  EXPECT_EQ(row[0].column, 0u);
  EXPECT_EQ(row[0].value, 2);
  EXPECT_EQ(row[1].value, 4 + std::cos(2.0));
  row = jacobian.row(1);
  ASSERT_EQ(row.size(), 1u);
  EXPECT_EQ(row[0].value, -3.0 / 16);
}

}  // namespace
}  // namespace hydae
