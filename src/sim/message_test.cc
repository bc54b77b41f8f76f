// The texts that a user reads when an event cannot be carried through, or only with a doubt.
#include <hydae/contact.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

std::string failure_of(const Model& model, double stop = 2) {
  const Summary summary = run(model, stop).summary;
  return summary.message + " [" + std::string(name_of(summary.status)) + "]";
}

std::vector<std::string> warnings_of(const Model& model, double stop = 2,
                                     double tolerance = 1e-13) {
  const Summary summary = run(model, stop, tolerance).summary;
  EXPECT_TRUE(summary.succeeded()) << summary.message;
  return summary.warnings;
}

TEST(EventFailures, a_mode_that_leaves_a_variable_without_equation) {
  Model m("singular");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 1, "motion");
  m.equation(select(m.time() < 1, y - 1, x - 1) == 0, "switched");
  m.fix(x, 0);
  EXPECT_EQ(failure_of(m), "event at t = 1: variable `y` occurs in no equation [ill-posed-mode]");
}

// After t = 1 the sum of x and y is given twice.
Model doubled(double second_sum) {
  Model m("doubled");
  const Expr x = m.variable("x"), y = m.variable("y"), u = m.variable("u"), w = m.variable("w");
  m.equation(der(x) == u, "motion of x");
  m.equation(der(y) == w, "motion of y");
  m.equation(x + y == 1, "sum");
  m.equation(select(m.time() < 1, w, x + y - second_sum) == 0, "switched");
  m.fix(x, 0);
  return m;
}

TEST(EventFailures, a_change_that_leaves_a_jump_free) {
  EXPECT_EQ(
      failure_of(doubled(1)),
      "event at t = 1: the change of mode leaves one jump free: nothing determines `x`, `y`, `u` "
      "and `w`; add a law (reinit, or an equation in the when-clause); the system Jacobian of the "
      "new mode is singular at the restart (condition number inf) [under-specified-change]");
}

TEST(EventFailures, a_change_that_contradicts_itself) {
  EXPECT_EQ(failure_of(doubled(2)),
            "event at t = 1: the change of mode is over-determined: `sum` and `switched` "
            "contradict each other by 1; the system Jacobian of the new mode is singular at the "
            "restart (condition number inf) [over-specified-change]");
}

TEST(EventFailures, an_impulse_squared) {
  Model m("squared");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x == select(m.time() < 1, 0, 2), "step");
  m.equation(y == der(x) * der(x), "power");
  EXPECT_EQ(failure_of(m),
            "event at t = 1: equation `power` contains an impulse more than linearly "
            "[superlinear-impulse]");
}

TEST(EventFailures, the_derivative_of_an_impulse_times_a_jump) {
  Model m("doublet");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x == select(m.time() < 1, 1, 2), "step");
  m.equation(y == x * der(x, 2), "product");
  EXPECT_EQ(failure_of(m),
            "event at t = 1: equation `product` multiplies a derivative of an impulse, of `x`, by "
            "a coefficient that jumps from -1 to -2 [impulse-times-jump]");
}

TEST(EventFailures, a_relation_that_denies_itself) {
  // b = (y > 0) and y = if b then -1 else 1: a Boolean cannot be between the two.
  Model m("liar");
  Variable boolean;
  boolean.name = "b";
  boolean.kind = VariableKind::kBoolean;
  const Expr b = m.variable(boolean), y = m.variable("y");
  m.equation(b == (y > 0), "truth");
  m.equation(y == select(m.time() < 1, 1, select(b > 0.5, -1, 1)), "liar");
  EXPECT_EQ(failure_of(m),
            "event at t = 1: no mode agrees with its own solution (2 tried); switching: `y > 0` "
            "[mode-cycle]");
}

TEST(EventFailures, a_contact_force_that_pulls) {
  // m v' = -F - g: the more the ground pushes, the faster the ball comes.
  Model m("painleve");
  const Expr h = m.variable("h"), v = m.variable("v"), F = m.variable("F");
  m.equation(der(h) == v, "motion");
  m.equation(der(v) == -F - 10, "momentum");
  Contact contact;
  contact.gap = h;
  contact.force = F;
  contact.restitution = 0.5;
  add_contact(m, std::move(contact));
  m.fix(h, 1), m.fix(v, 0);
  EXPECT_EQ(failure_of(m),
            "impact at t = 0.4472135955 of `contact1`: the impact law has no solution "
            "[no-impact-solution]");
}

TEST(EventFailures, a_sliding_motion_that_may_go_two_ways) {
  // x and y reach zero together at t = 1. x stays there with u = 0; then y' = v + 0.9 has the sign
  // of v for both its values.
  Model m("ambiguous");
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr u = select(x > 0, 1, -1), v = select(y > 0, 1, -1);
  m.equation(der(x) == -u, "first");
  m.equation(der(y) == v + 0.9 * (1 + u), "second");
  m.fix(x, 1), m.fix(y, -0.8);
  EXPECT_EQ(failure_of(m),
            "event at t = 1: 2 sliding modes are possible; surfaces: `x > 0` and `y > 0` "
            "[ambiguous-sliding]");
}

TEST(EventWarnings, a_coefficient_that_jumps_under_an_impulse) {
  Model m("gear");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x == select(m.time() < 1, 1, 3), "step");
  m.equation(y == 3 * x * x * der(x), "work");
  EXPECT_EQ(warnings_of(m),
            std::vector<std::string>{"event at t = 1: the coefficient of impulsive `x` in equation "
                                     "`work` jumps: right -27, used -13, left -3"});
}

TEST(EventWarnings, a_guard_that_meets_its_limit_almost_tangentially) {
  // x = 1 - (1 + d) (1 - (t - 1)^2) falls to -d at t = 1: slope -2 sqrt(d) at the crossing.
  const double d = 1e-10;
  Model m("tangential");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 2 * (1 + d) * (m.time() - 1), "approach");
  m.equation(der(y) == select(x > 0, 1, -1), "switched");
  m.fix(x, 1), m.fix(y, 0);
  EXPECT_EQ(warnings_of(m, 0.999999, 1e-8),
            std::vector<std::string>{"event at t = 0.99999: `x > 0` reaches its limit almost "
                                     "tangentially; errors grow 5e+04 times there"});
}

TEST(EventWarnings, a_start_on_a_surface_that_repels) {
  Model m("repelling");
  const Expr x = m.variable("x");
  m.equation(der(x) == select(x > 0, 1, -1), "flight");
  m.fix(x, 0);
  EXPECT_EQ(warnings_of(m),
            std::vector<std::string>{
                "initialization: `x > 0` starts at its limit, and either "
                "truth value has a solution of its own that agrees with it; false was taken"});
}

TEST(EventWarnings, none_for_a_counter_that_starts_and_stops_at_a_whole_number) {
  // x = t^2 / 2 to t = 1, then 1 - (2 - t)^2 / 2 to rest at x = 1: floor(x) is 1 from t = 2 on.
  Model m("lift");
  const Expr x = m.variable("x"), v = m.variable("v"), n = m.variable("n");
  m.equation(der(x) == v, "motion");
  m.equation(der(v) == select(m.time() < 1, 1, select(m.time() < 2, -1, 0)), "drive");
  m.equation(n == floor(x), "floor");
  m.fix(x, 0), m.fix(v, 0);
  EXPECT_EQ(warnings_of(m, 3), std::vector<std::string>{});
}

TEST(EventWarnings, two_contacts_where_one_would_do) {
  Model m("redundant");
  const Expr h = m.variable("h"), v = m.variable("v"), F = m.variable("F"), G = m.variable("G");
  m.equation(der(h) == v, "motion");
  m.equation(der(v) == F + G - 10, "momentum");
  for (const Expr& force : {F, G}) {
    Contact contact;
    contact.gap = h;
    contact.force = force;
    contact.restitution = 1;
    add_contact(m, std::move(contact));
  }
  m.fix(h, 1), m.fix(v, 0);
  EXPECT_EQ(
      warnings_of(m, 0.6),
      std::vector<std::string>{
          "the contacts `contact1` and `contact2` are redundant: their impulses are not unique"});
}

TEST(Sliding, a_start_on_a_surface_that_attracts_stays_there) {
  // x' = 0.5 - sign x from 0: no side agrees; x = 0 with the relay at 0.5.
  Model m("relay");
  const Expr x = m.variable("x"), u = m.variable("u");
  m.equation(der(x) == 0.5 - u);
  m.equation(u == select(x > 0, 1, -1));
  m.fix(x, 0);
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "x"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "u"), 0.5, 1e-12);
}

}  // namespace
}  // namespace hydae
