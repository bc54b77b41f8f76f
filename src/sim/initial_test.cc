// What a run begins with: values that are given before it, and the mode.
#include "sim/test_run.h"

namespace hydae {
namespace {

Expr discrete_real(Model& m, const std::string& name) {
  Variable variable;
  variable.name = name;
  variable.kind = VariableKind::kDiscrete;
  return m.variable(std::move(variable));
}

// d = u = 3 + t at the start, one more at t = 1; y' = d: y(2) = 3 + 4.
TEST(InitialDiscrete, value_of_a_continuous_variable) {
  Model m("taken");
  const Expr d = discrete_real(m, "d"), u = m.variable("u"), y = m.variable("y");
  m.equation(u == 3 + m.time());
  m.equation(der(y) == d);
  m.fix(y, 0);
  m.initial_equation(d == u);
  m.when(when({m.time() >= 1}, {assign(d, pre(d) + 1)}));
  const Simulation simulation = run(m, 2);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_EQ(simulation.trajectory.series("d").front(), 3);
  EXPECT_NEAR(final_value(simulation, "y"), 7, 1e-12);
}

// d = u with u = 1 + d/1000: both are 1000/999.
TEST(InitialDiscrete, value_of_a_variable_that_depends_on_it) {
  Model m("mutual");
  const Expr d = discrete_real(m, "d"), u = m.variable("u"), y = m.variable("y");
  m.equation(u == 1 + d / 1000);
  m.equation(der(y) == u);
  m.fix(y, 0);
  m.initial_equation(d == u);
  m.when(when({m.time() >= 1}, {assign(d, 2000)}));
  const Simulation simulation = run(m, 2);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_NEAR(simulation.trajectory.series("d").front(), 1000.0 / 999, 1e-12);
  EXPECT_NEAR(final_value(simulation, "y"), 1000.0 / 999 + 3, 1e-12);
}

// A choice that is made once: the root of x^2 = 4 on the side of y = 3, which begins unknown.
TEST(InitialDiscrete, choice_of_a_branch) {
  Model m("branch");
  Variable positive;
  positive.name = "positive";
  positive.kind = VariableKind::kBoolean;
  const Expr p = m.variable(std::move(positive)), x = m.variable("x"), y = m.variable("y");
  m.equation(p == pre(p));
  m.equation(y == 3 - m.time());
  m.equation(x == select(p, Expr(2), Expr(-2)) + m.time());
  m.initial_equation(p == no_event(y > 0));
  const Simulation simulation = run(m, 1);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "x"), 3, 1e-12);
}

// A fixed start value of d is an equation already: then d = x says what x is.
TEST(InitialDiscrete, fixed_values_determine_the_continuous_variable) {
  Model m("given");
  const Expr d = discrete_real(m, "d"), x = m.variable("x");
  m.fix(d, 5);
  m.equation(der(x) == 1);
  m.initial_equation(d == x);
  m.when(when({m.time() >= 1}, {assign(d, 0)}));
  const Simulation simulation = run(m, 2);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "x"), 7, 1e-12);
}

}  // namespace
}  // namespace hydae
