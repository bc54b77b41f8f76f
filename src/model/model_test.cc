#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/model.h>

#include "expr/incidence.h"

namespace hydae {
namespace {

using testing::ElementsAre;

TEST(Model, reads_back_what_was_said) {
  Model m("pendulum");
  Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  Expr g = m.parameter("g", 9.81), L = m.parameter("L", 1.0);
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda - g == 0);
  const EqId rod = m.equation(x * x + y * y == L * L, "rod");
  m.fix(x, 1.0);
  m.start(y, 0.0);
  m.fix(der(x), 0.0);
  EXPECT_EQ(m.num_variables(), 3u);
  EXPECT_EQ(m.num_equations(), 3u);
  EXPECT_EQ(m.equations()[EqId(0)].name, "f1");
  EXPECT_EQ(m.equations()[rod].name, "rod");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(EqId(1))}), "der(y, 2) + y*lambda - g");
  EXPECT_EQ(m.to_string({m.graph(), m.residual(rod)}), "x^2 + y^2 - L^2");
  EXPECT_EQ(m.variable_name(VarId(1), 2), "der(y, 2)");
  EXPECT_THAT(m.parameter_values(), ElementsAre(9.81, 1.0));
  EXPECT_EQ(m.find_variable("lambda"), VarId(2));
  EXPECT_FALSE(m.find_variable("g"));
  const auto row = incidence(m.graph(), m.residual(EqId(0)));
  EXPECT_THAT(row, ElementsAre(Leaf{VarId(0), 2}, Leaf{VarId(2), 0}));
}

}  // namespace
}  // namespace hydae
