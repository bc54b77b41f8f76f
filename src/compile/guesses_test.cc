// Start values that are not fixed: kept where that has a solution, let go together where it has
// none, and told when they move. The small cases are those of the rule in
// docs/math/initialization.md.
#include <cmath>
#include <gmock/gmock.h>

#include "compile/initial_point.h"

namespace hydae {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

double found(const InitialPoint& point, const std::string& variable, std::size_t order = 0) {
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    if (point.variables[j] == variable) return point.values[j].at(order);
  return std::nan("");
}

std::vector<std::string> moved_names(const InitialPoint& point) {
  std::vector<std::string> names;
  for (const MovedStart& start : point.moved) names.push_back(start.variable);
  return names;
}

InitialPoint closest(const Model& model) {
  InitializeOptions options;
  options.guesses = Guesses::kClosest;
  return initialize_in_mode(model, options);
}

// x' = u, y' = v, u' = -F x, v' = -F y - g, x^2 + y^2 = 1.
struct GuessedPendulum {
  Model m{"pendulum"};
  Expr x = m.variable("x"), y = m.variable("y"), u = m.variable("u"), v = m.variable("v"),
       F = m.variable("F");
  GuessedPendulum(double x0, double y0, double u0, double v0) {
    m.equation(der(x) == u), m.equation(der(y) == v);
    m.equation(der(u) == -F * x), m.equation(der(v) == -F * y - 9.81);
    m.equation(x * x + y * y == 1);
    m.start(x, x0), m.start(y, y0), m.start(u, u0), m.start(v, v0);
  }
};

// 0.6^2 + 0.8^2 = 1 and 0.6 * 1.6 - 0.8 * 1.2 = 0.
TEST(Guesses, consistent_ones_stay_as_they_are) {
  const InitialPoint point = initialize_in_mode(GuessedPendulum(0.6, -0.8, 1.6, 1.2).m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(found(point, "x"), 0.6, 1e-15);
  EXPECT_NEAR(found(point, "y"), -0.8, 1e-15);
  EXPECT_NEAR(found(point, "u"), 1.6, 2e-15);
  EXPECT_NEAR(found(point, "v"), 1.2, 2e-15);
  EXPECT_THAT(point.moved, IsEmpty());
}

// At y = 0 the circle does not say what y is: x follows, and of the velocities u.
TEST(Guesses, what_an_equation_does_not_depend_on_at_the_guesses_is_held) {
  const InitialPoint point = initialize_in_mode(GuessedPendulum(1, 0, 0, 3).m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "y"), 0);
  EXPECT_EQ(found(point, "v"), 3);
  EXPECT_NEAR(found(point, "x"), 1, 1e-15);
  EXPECT_NEAR(found(point, "u"), 0, 1e-15);
  EXPECT_THAT(point.kept, ElementsAre("y", "v"));
}

// What the options say is held before what the model says of the same stage: (0.6, -0.8) of (0.6,
// -0.1), where the model alone would move x.
TEST(Guesses, of_options_are_held_before_those_of_the_model) {
  const GuessedPendulum pendulum(0.3, -0.1, 0, 0);
  InitializeOptions options;
  options.start_values.push_back({"x", 0.6});
  const InitialPoint point = initialize_in_mode(pendulum.m, options);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "x"), 0.6);
  EXPECT_NEAR(found(point, "y"), -0.8, 1e-14);
}

// x = 1 and u = 0 are fixed, so y = 0, where y v = 0 says nothing about v: of v = 0 and y' = 1,
// which are equal, that of the options stays.
TEST(Guesses, what_singular_equations_leave_open_is_held) {
  GuessedPendulum pendulum(1, 0, 0, 0);
  pendulum.m.fix(pendulum.x, 1), pendulum.m.fix(pendulum.u, 0);
  for (const char* name : {"der(y)", "v"}) {
    InitializeOptions options;
    options.start_values.push_back({name, 1});
    const InitialPoint point = initialize_in_mode(pendulum.m, options);
    ASSERT_TRUE(point.succeeded()) << point.message;
    EXPECT_EQ(found(point, "v"), 1) << name;
    EXPECT_EQ(found(point, "y", 1), 1) << name;
    EXPECT_NEAR(found(point, "F"), 1, 1e-12) << name;  // u' + F x = 0, x'' = -1
  }
}

// With x = 1 held the circle leaves y = 0 only, a double root behind which F and v are infinite:
// no solution to start from. The closest point to (1, 1) is (1, 1)/sqrt(2), where u = 5 can stay.
TEST(Guesses, a_double_root_is_no_solution_with_values_held) {
  const InitialPoint point = initialize_in_mode(GuessedPendulum(1, 1, 5, 0).m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(found(point, "x"), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(found(point, "y"), std::sqrt(0.5), 1e-12);
  EXPECT_EQ(found(point, "u"), 5);
  EXPECT_NEAR(found(point, "v"), -5, 1e-11);
}

// der(x) = v, der(v) = -x and der(x) = 7 at the start: nothing forces x off its guess.
TEST(Guesses, an_initial_equation_moves_only_what_it_determines) {
  Model m("m");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v, "motion"), m.equation(der(v) == -x);
  m.start(x, 1), m.start(v, 3);
  m.initial_equation(der(x) == 7, "speed");
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "x"), 1);
  EXPECT_NEAR(found(point, "v"), 7, 1e-14);
  EXPECT_THAT(moved_names(point), ElementsAre("v"));
  EXPECT_EQ(point.moved[0].from, 3);
  EXPECT_NEAR(point.moved[0].to, 7, 1e-14);
  EXPECT_EQ(point.moved[0].because, "motion");
  EXPECT_THAT(to_text(point), HasSubstr("start value of `v` moved from 3 to 7: `motion`"));
}

// b = 5 - a and der(a) + 0.5 der(b) = 1: what nobody gave follows.
TEST(Guesses, a_default_is_no_wish) {
  Model m("given");
  const Expr a = m.variable("a"), b = m.variable("b");
  m.equation(der(a) + 0.5 * der(b) == 1), m.equation(b == 5 - a);
  m.start(a, 2);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "a"), 2);
  EXPECT_NEAR(found(point, "b"), 3, 1e-14);
  EXPECT_NEAR(found(point, "a", 1), 2, 1e-14);
}

// x + y = 3, x' = u, y' = v, u = 1: one of the two is held.
Model two_states(StateSelect of_x, StateSelect of_y) {
  Model m("m");
  Variable a, b;
  a.name = "x", b.name = "y";
  a.state_select = of_x, b.state_select = of_y;
  const Expr x = m.variable(std::move(a)), y = m.variable(std::move(b));
  const Expr u = m.variable("u"), v = m.variable("v");
  m.equation(x + y == 3), m.equation(der(x) == u), m.equation(der(y) == v), m.equation(u == 1);
  m.start(x, 1), m.start(y, 1);
  return m;
}

TEST(Guesses, state_select_decides_between_equals_then_the_order_of_declaration) {
  using S = StateSelect;
  EXPECT_EQ(found(initialize_in_mode(two_states(S::kDefault, S::kDefault)), "x"), 1);
  EXPECT_EQ(found(initialize_in_mode(two_states(S::kDefault, S::kPrefer)), "y"), 1);
  EXPECT_EQ(found(initialize_in_mode(two_states(S::kAvoid, S::kDefault)), "y"), 1);
}

// p = 2 leaves no q on the circle, and q is found in a later block: both are let go. (2,
// 1)/sqrt(5).
TEST(Guesses, those_that_can_reach_a_block_without_solution_are_let_go) {
  Model m("circle");
  const Expr p = m.variable("p"), q = m.variable("q"), w = m.variable("w"), z = m.variable("z");
  m.equation(der(p) == 0.3), m.equation(p * p + q * q == 1, "circle");
  m.equation(der(w) == -w), m.equation(z == w + 1);
  m.start(p, 2), m.start(q, 1), m.start(w, 5), m.start(z, 5);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(found(point, "p"), 2 / std::sqrt(5.0), 1e-9);
  EXPECT_NEAR(found(point, "q"), 1 / std::sqrt(5.0), 1e-9);
  EXPECT_EQ(found(point, "w"), 5);  // has nothing to do with it
  EXPECT_THAT(moved_names(point), ElementsAre("p", "q", "z"));
  EXPECT_EQ(point.moved[0].because, "circle");
}

// x + 2 y = 6 with y <= 1.5 from (0, 1): x = 0 would need y = 3. On the line (6 - 2y, y) the
// distance falls up to y = 2.6, so the bound holds.
TEST(Guesses, a_bound_that_is_left_lets_them_go_and_is_followed) {
  Model m("bound");
  const Expr x = m.variable("x"), y = m.variable("y"), u = m.variable("u"), v = m.variable("v");
  m.equation(x + 2 * y == 6), m.equation(der(x) == u), m.equation(der(y) == v);
  m.equation(u == 1);
  m.start(x, 0), m.start(y, 1);
  m.bounds(y, -1e30, 1.5);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(found(point, "x"), 3, 1e-12);
  EXPECT_EQ(found(point, "y"), 1.5);
}

// The centre is (1, 1), not (0.5, 1): on the circle with x <= 0.5 the distance to (1, 1) grows with
// the angle from 45 degrees, so the bound holds.
TEST(Guesses, one_outside_its_bounds_is_still_the_centre) {
  GuessedPendulum p(1, 1, 0, 0);
  p.m.bounds(p.x, -1e30, 0.5);
  const InitialPoint point = initialize_in_mode(p.m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "x"), 0.5);
  EXPECT_NEAR(found(point, "y"), std::sqrt(0.75), 1e-12);
}

// x is a free value and its guess is outside: x = 0.5, y = -sqrt(3.75), near (0.9, -1.4).
TEST(Guesses, a_free_value_does_not_start_beyond_its_bound) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 1), m.equation(x * x + y * y == 4);
  m.start(x, 0.9), m.start(y, -1.4);
  m.bounds(x, -1e30, 0.5);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(found(point, "x"), 0.5);
  EXPECT_NEAR(found(point, "y"), -std::sqrt(3.75), 1e-12);
  EXPECT_THAT(moved_names(point), ElementsAre("x", "y"));
  EXPECT_EQ(point.moved[0].because, "its bounds");
}

// Nothing but its bounds speaks of x.
TEST(Guesses, one_that_no_equation_reads_goes_to_its_bound) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == 1);
  m.start(x, 2), m.bounds(x, -1e30, 0.5);
  EXPECT_EQ(found(initialize_in_mode(m), "x"), 0.5);
}

// A DAE that is not linear in a = x'': a^2 + exp(a) >= 0.827 asks for x y <= 0.173. The closest
// such point has a double root for a, 2 a + exp(a) = 0, from which nothing can start: the default a
// = 0 counts as well then. Scipy's SLSQP finds (0.987, 0.159, -0.245), squared distance 0.76.
TEST(Guesses, a_closest_point_without_a_way_out_is_left) {
  Model m("nql");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x, 2) * der(x, 2) + exp(der(x, 2)) + x * y == 1);
  m.equation(x * x + y * y == 1);
  m.start(x, 0.6), m.start(y, 0.9), m.start(der(x), 0.1);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  const double a = found(point, "x", 2), x0 = found(point, "x"), y0 = found(point, "y");
  EXPECT_EQ(found(point, "x", 1), 0.1);
  EXPECT_NEAR(a * a + std::exp(a) + x0 * y0, 1, 1e-12);
  EXPECT_NEAR(x0 * x0 + y0 * y0, 1, 1e-12);
  EXPECT_GT(std::abs(2 * a + std::exp(a)), 0.1);
  EXPECT_LT(std::pow(x0 - 0.6, 2) + std::pow(y0 - 0.9, 2) + a * a, 0.76);
}

// All four together, as DAETS does: scipy finds (0.038, 0.999, 4.993, -0.192), squared distance
// 0.96; positions first, then velocities would be 15.8 away.
TEST(Guesses, closest_point_to_all_on_request) {
  const InitialPoint point = closest(GuessedPendulum(1, 1, 5, 0).m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  const double x = found(point, "x"), y = found(point, "y"), u = found(point, "u"),
               v = found(point, "v");
  EXPECT_NEAR(x, 0.038, 1e-3);
  EXPECT_NEAR(y, 0.999, 1e-3);
  EXPECT_NEAR(u, 4.993, 1e-3);
  EXPECT_NEAR(v, -0.192, 1e-3);
  EXPECT_NEAR(x * x + y * y, 1, 1e-12);
  EXPECT_NEAR(x * u + y * v, 0, 1e-12);
}

TEST(Guesses, moved_ones_are_in_the_json) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(2 * x == 8, "double");
  m.start(x, 3);
  EXPECT_THAT(to_json(initialize_in_mode(m)), HasSubstr("\"because\": \"double\""));
}

}  // namespace
}  // namespace hydae
