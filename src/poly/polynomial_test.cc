#include "poly/polynomial.h"

#include <cmath>
#include <gmock/gmock.h>
#include <vector>

namespace hydae::poly {
namespace {

using testing::ElementsAre;

TEST(Polynomial, value_and_slope_of_a_cubic) {
  // p = 1 - 2x + 3x^3, p' = -2 + 9x^2; at x = 2: 21 and 34.
  const std::vector<double> p{1, -2, 0, 3};
  EXPECT_EQ(evaluate(p, 2), 21);
  EXPECT_EQ(evaluate_with_slope(p, 2).value, 21);
  EXPECT_EQ(evaluate_with_slope(p, 2).slope, 34);
  EXPECT_EQ(evaluate({}, 2), 0);
}

TEST(Polynomial, recentred_at_its_root_shows_the_multiplicity) {
  std::vector<double> p{-1, 3, -3, 1};  // (x - 1)^3 = 8 s^3 with x = 1 + 2 s
  recentre(p, 1, 2);
  EXPECT_THAT(p, ElementsAre(0, 0, 0, 8));
}

TEST(Polynomial, derivatives_to_zero) {
  std::vector<double> p{5, 4, 3, 2};  // p'' = 6 + 12 x
  EXPECT_THAT(differentiate(p, 2), ElementsAre(6, 12));
  std::vector<double> q{5, 4};
  EXPECT_TRUE(differentiate(q, 7).empty());
}

TEST(Polynomial, solves_for_a_value_in_either_direction) {
  const std::vector<double> p{0, 0, 1};  // x^2 = 2
  EXPECT_NEAR(solve_in_bracket(p, 2, {0, 2, true}), std::sqrt(2.0), 4e-16);
  const std::vector<double> q{0, 0, -1};
  EXPECT_NEAR(solve_in_bracket(q, -2, {0, 2, false}), std::sqrt(2.0), 4e-16);
}

TEST(Polynomial, solves_where_newton_alone_leaves_the_bracket) {
  // x^20 = 1e-6 from the middle of [0, 1]: the slope there is 4e-5, Newton's first step overshoots.
  std::vector<double> p(21, 0.0);
  p[20] = 1;
  EXPECT_NEAR(solve_in_bracket(p, 1e-6, {0, 1, true}), std::pow(1e-6, 0.05), 4e-16);
}

TEST(Polynomial, solving_in_an_empty_or_tiny_bracket_stays_in_it) {
  const std::vector<double> p{0, 1};
  EXPECT_EQ(solve_in_bracket(p, 5, {0.25, 0.25, true}), 0.25);
  const double next = std::nextafter(0.25, 1);
  const double x = solve_in_bracket(p, 0.25, {0.25, next, true});
  EXPECT_TRUE(x == 0.25 || x == next);
}

}  // namespace
}  // namespace hydae::poly
