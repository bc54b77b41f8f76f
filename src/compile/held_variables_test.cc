#include "compile/held_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compile/system.h"

namespace hydae {
namespace {

using ::testing::ElementsAre;

// n is an Integer; a = 2 n, b = a + n and c = floor(x) change at events only, x = t + a and
// d = x + b do not.
TEST(HeldVariables, follow_from_values_that_change_at_events) {
  Model m("m");
  Variable integer;
  integer.name = "n";
  integer.kind = VariableKind::kInteger;
  const Expr n = m.variable(integer), a = m.variable("a"), b = m.variable("b"), c = m.variable("c"),
             d = m.variable("d"), x = m.variable("x");
  m.equation(b == a + n);
  m.equation(a == 2 * n);
  m.equation(c == floor(x));
  m.equation(d == x + b);
  m.equation(x == m.time() + a);
  const auto held = find_held_variables(m, continuous_residuals(m));
  EXPECT_THAT(held, ElementsAre(VarId(1), VarId(2), VarId(3)));
  Graph& graph = m.graph();
  EXPECT_TRUE(is_held(m, (a * n + b).in(graph), held));
  EXPECT_FALSE(is_held(m, (a + x).in(graph), held));
  EXPECT_FALSE(is_held(m, (a * m.time()).in(graph), held));
  EXPECT_TRUE(is_held(m, select(x > 0, a, b).in(graph), held));
}

}  // namespace
}  // namespace hydae
