// What a run begins with: values that are given before it, and the mode.
#include <cmath>

#include <hydae/initialize.h>

#include "sim/run_testing.h"

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

// x = pre(d) with d fixed says what x is, not what d is.
TEST(InitialDiscrete, a_known_value_under_pre_determines_the_other_side) {
  Model m("before1");
  const Expr d = discrete_real(m, "d"), x = m.variable("x");
  m.fix(d, 3);
  m.equation(der(x) == 0);
  m.initial_equation(x == pre(d));
  m.when(when({m.time() >= 0.5}, {assign(d, pre(d) + 1)}));
  const Simulation simulation = run(m, 1);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_EQ(simulation.trajectory.series("d").front(), 3);
  EXPECT_EQ(final_value(simulation, "d"), 4);
  EXPECT_NEAR(final_value(simulation, "x"), 3, 1e-14);
}

// d = 3 gives d, so x = d gives x; in either order.
TEST(InitialDiscrete, one_initial_equation_for_each_unknown) {
  for (const bool is_reversed : {false, true}) {
    Model m("before2");
    const Expr d = discrete_real(m, "d"), x = m.variable("x");
    m.equation(der(x) == 0);
    if (!is_reversed) m.initial_equation(d == 3);
    m.initial_equation(x == d);
    if (is_reversed) m.initial_equation(d == 3);
    m.when(when({m.time() >= 0.5}, {assign(d, pre(d) + 1)}));
    const Simulation simulation = run(m, 1);
    ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
    EXPECT_EQ(simulation.trajectory.series("d").front(), 3);
    EXPECT_NEAR(final_value(simulation, "x"), 3, 1e-14);
  }
}

// pre(i) = 1 by its start value, i = 3 by its equation: x = pre(i) is 1.
TEST(InitialDiscrete, a_value_under_pre_is_not_the_value) {
  Model m("before3");
  Variable integer;
  integer.name = "i";
  integer.kind = VariableKind::kInteger;
  const Expr i = m.variable(std::move(integer)), x = m.variable("x");
  m.fix(i, 1);
  m.equation(i == select(m.time() > 0.5, Expr(2), Expr(3)));
  m.equation(der(x) == 0);
  m.initial_equation(x == pre(i));
  const Simulation simulation = run(m, 1);
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_EQ(simulation.trajectory.series("i").front(), 3);
  EXPECT_NEAR(final_value(simulation, "x"), 1, 1e-14);
}

// x' = 1 while on, else -1; n counts one event at 0.5. From on = false and n = 5: x(1) = -1, n = 6.
TEST(InitialDiscrete, start_values_of_the_options_are_taken) {
  Model m("restart");
  Variable boolean, integer;
  boolean.name = "on", boolean.kind = VariableKind::kBoolean;
  integer.name = "n", integer.kind = VariableKind::kInteger;
  const Expr on = m.variable(std::move(boolean)), n = m.variable(std::move(integer));
  const Expr x = m.variable("x");
  m.fix(x, 0), m.fix(on, 1), m.fix(n, 0);
  m.equation(der(x) == select(on, Expr(1), Expr(-1)));
  m.when(when({m.time() >= 0.5}, {assign(n, pre(n) + 1), assign(on, pre(on))}));
  for (const bool is_fixed : {true, false}) {
    SimulateOptions options;
    options.stop = 1;
    options.start_values = {{"on", 0, is_fixed}, {"n", 5, is_fixed}};
    const Simulation simulation = simulate(m, options);
    ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
    EXPECT_NEAR(final_value(simulation, "x"), -1, 1e-12);
    EXPECT_EQ(final_value(simulation, "n"), 6);
  }
}

double found_at_start(const InitialPoint& point, const std::string& variable) {
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    if (point.variables[j] == variable) return point.values[j].at(0);
  return std::nan("");
}

// The guess x = 3 says x > 1, the equation x = 0.5 cos(t) says otherwise.
TEST(InitialMode, is_found_together_with_the_point) {
  Model m("im");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x == 0.5 * cos(m.time()));
  m.equation(y == select(x > 1, Expr(10.), Expr(20.)));
  m.start(x, 3);
  const InitialPoint point = initialize(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(found_at_start(point, "x"), 0.5, 1e-15);
  EXPECT_EQ(found_at_start(point, "y"), 20);
  ASSERT_EQ(point.mode.size(), 1u);
  EXPECT_FALSE(point.mode[0].second);
  InitializeOptions asked;
  asked.mode = {true};
  EXPECT_EQ(found_at_start(initialize(m, asked), "y"), 10);
}

// The point of initialize() is the first row of simulate(), observed and discrete variables too.
TEST(InitialMode, is_that_of_a_run) {
  Model m("both");
  const Expr d = discrete_real(m, "d"), x = m.variable("x"), seen = m.variable("seen");
  m.fix(x, 2), m.fix(d, 7);
  m.equation(der(x) == select(x > 1, -x, d));
  m.equation(seen == x * d);
  m.when(when({x < 1}, {assign(d, 0)}));
  const InitialPoint point = initialize(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  const Simulation simulation = run(m, 0.1);
  for (const char* name : {"x", "d", "seen"})
    EXPECT_EQ(found_at_start(point, name), simulation.trajectory.series(name).front()) << name;
}

TEST(InitialMode, moved_start_values_are_in_the_summary) {
  Model m("moved");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v), m.equation(der(v) == -x);
  m.start(x, 1), m.start(v, 3);
  m.initial_equation(der(x) == 7);
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    SimulateOptions options;
    options.stop = 0.1;
    options.solver = solver;
    const Simulation simulation = simulate(m, options);
    ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
    EXPECT_EQ(simulation.trajectory.series("x").front(), 1);
    ASSERT_EQ(simulation.summary.moved_starts.size(), 1u);
    EXPECT_EQ(simulation.summary.moved_starts[0].variable, "v");
    EXPECT_NE(to_json(simulation.summary).find("moved_starts"), std::string::npos);
  }
}

}  // namespace
}  // namespace hydae
