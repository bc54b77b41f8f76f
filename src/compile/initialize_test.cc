// Consistent initialization of models: what is held, what moves, what cannot be.
#include <cmath>
#include <gmock/gmock.h>

#include "compile/initial_point.h"

namespace hydae {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

double value_of(const InitialPoint& point, const std::string& variable, std::size_t order = 0) {
  for (std::size_t j = 0; j < point.variables.size(); ++j)
    if (point.variables[j] == variable) return point.values[j].at(order);
  return std::nan("");
}

// x'' + x lambda = 0, y'' + y lambda = g, x^2 + y^2 = 1, y downwards.
struct Pendulum {
  Model m{"pendulum"};
  Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  Pendulum() {
    m.equation(der(x, 2) + x * lambda == 0);
    m.equation(der(y, 2) + y * lambda == 9.8);
    m.equation(x * x + y * y == 1);
  }
};

// From x = 0.6 the circle gives y = 0.8, from x' = 0.8 its derivative gives y' = -0.6, and the
// second one lambda = x'^2 + y'^2 + g y = 1 + 9.8 * 0.8.
TEST(Initialize, holds_fixed_values_and_moves_guesses) {
  Pendulum p;
  p.m.fix(p.x, 0.6), p.m.fix(der(p.x), 0.8);
  p.m.start(p.y, 1), p.m.start(p.lambda, 1);
  const InitialPoint point = initialize_in_mode(p.m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_EQ(value_of(point, "x"), 0.6);
  EXPECT_EQ(value_of(point, "x", 1), 0.8);
  EXPECT_NEAR(value_of(point, "y"), 0.8, 1e-14);
  EXPECT_NEAR(value_of(point, "y", 1), -0.6, 1e-14);
  EXPECT_NEAR(value_of(point, "lambda"), 1 + 9.8 * 0.8, 1e-13);
  EXPECT_THAT(point.fixed, ElementsAre("x", "der(x)"));
  EXPECT_THAT(point.free, UnorderedElementsAre("der(x,2)", "y", "der(y)", "der(y,2)", "lambda"));
  EXPECT_LT(point.residual_norm, 1e-14);
}

// x = 3 leaves no y: the closest point of the circle to (3, 4). Of the velocities one can be held:
// x' = 1, and 0.6 x' + 0.8 y' = 0 gives the other.
TEST(Initialize, guesses_that_cannot_be_held_move_as_little_as_possible) {
  Pendulum p;
  p.m.start(p.x, 3), p.m.start(p.y, 4), p.m.start(der(p.x), 1), p.m.start(der(p.y), 0);
  const InitialPoint point = initialize_in_mode(p.m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(value_of(point, "x"), 0.6, 1e-9);
  EXPECT_NEAR(value_of(point, "y"), 0.8, 1e-9);
  EXPECT_EQ(value_of(point, "x", 1), 1);
  EXPECT_NEAR(value_of(point, "y", 1), -0.75, 1e-9);
}

// x and y are not on the circle; the velocities, and the clock, have nothing to do with that.
TEST(Initialize, a_contradiction_is_a_minimal_set) {
  Pendulum p;
  const Expr clock = p.m.variable("clock");
  p.m.equation(der(clock) == 1);
  p.m.fix(clock, 5), p.m.fix(p.x, 0.6), p.m.fix(p.y, 0.9), p.m.fix(der(p.x), 0);
  const InitialPoint point = initialize_in_mode(p.m);
  EXPECT_EQ(point.status, "conflicting-start-values");
  EXPECT_THAT(point.message, HasSubstr("`x = 0.6` and `y = 0.9`"));
  EXPECT_THAT(point.message, Not(HasSubstr("clock")));
  EXPECT_THAT(point.message, Not(HasSubstr("der(x)")));
}

TEST(Initialize, names_the_over_determined_part) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x), m.equation(der(y) == x);
  m.fix(y, 0);
  m.initial_equation(x == 1, "one"), m.initial_equation(x == 2, "two");
  const InitialPoint point = initialize_in_mode(m);
  EXPECT_EQ(point.status, "conflicting-start-values");
  EXPECT_THAT(point.over.equations, UnorderedElementsAre("one", "two"));
  EXPECT_THAT(point.over.unknowns, ElementsAre("x"));
  EXPECT_THAT(point.message,
              HasSubstr("initial equations cannot hold together: `x = 1` and `x = 2`"));
}

// Nothing says where y starts: it stays at its guess. x is determined.
TEST(Initialize, names_the_under_determined_part) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x), m.equation(der(y) == -2 * y);
  m.fix(x, 1), m.start(y, 3);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_TRUE(point.over.equations.empty());
  EXPECT_THAT(point.under.unknowns, UnorderedElementsAre("y", "der(y)"));
  EXPECT_THAT(to_text(point),
              HasSubstr("under-determined: 1 of 2 unknowns may be chosen, and stay close to their "
                        "guesses: `y` and `der(y)`"));
}

// Equations that are too many but agree are solved all the same.
TEST(Initialize, over_determined_but_consistent_equations_are_solved) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == -x);
  m.initial_equation(x * x == 4, "square"), m.initial_equation(x == 2, "two");
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(value_of(point, "x"), 2, 1e-9);
  EXPECT_THAT(point.over.equations, UnorderedElementsAre("square", "two"));
}

TEST(Initialize, bounds_choose_the_solution_and_are_kept) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(x * x == 4);
  m.start(x, 1);
  EXPECT_NEAR(value_of(initialize_in_mode(m), "x"), 2, 1e-12);
  m.bounds(x, -10, -0.5);
  EXPECT_NEAR(value_of(initialize_in_mode(m), "x"), -2, 1e-12);
  m.bounds(x, -1, 1);
  const InitialPoint none = initialize_in_mode(m);
  EXPECT_FALSE(none.succeeded());
  EXPECT_LE(std::abs(value_of(none, "x")), 1);
}

// Freudenstein and Roth (1963): from (6, -6) descent ends in a local minimum at (11.4, -0.9); the
// only solution is (5, 4). It takes a homotopy.
TEST(Initialize, homotopy_gets_past_a_local_minimum) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(-13 + x + ((5 - y) * y - 2) * y == 0);
  m.equation(-29 + x + ((y + 1) * y - 14) * y == 0);
  m.start(x, 6), m.start(y, -6);
  const InitialPoint point = initialize_in_mode(m);
  ASSERT_TRUE(point.succeeded()) << point.message;
  EXPECT_NEAR(value_of(point, "x"), 5, 1e-9);
  EXPECT_NEAR(value_of(point, "y"), 4, 1e-9);
  EXPECT_THAT(point.method, HasSubstr("homotopy"));
}

TEST(Initialize, is_told_as_text_with_what_was_held_and_the_residual) {
  Pendulum p;
  p.m.fix(p.x, 0.6), p.m.fix(der(p.x), 0.8), p.m.start(p.y, 1);
  const std::string text = to_text(initialize_in_mode(p.m));
  EXPECT_THAT(text, HasSubstr("consistent point at t = 0\n"));
  EXPECT_THAT(text, HasSubstr("held: x, der(x)\n"));
  EXPECT_THAT(text, HasSubstr("free: "));
  EXPECT_THAT(text, HasSubstr("residual "));
}

}  // namespace
}  // namespace hydae
