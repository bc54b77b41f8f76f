#include "poly/bernstein.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numeric>
#include <random>
#include <vector>

#include <hydae/error.h>

#include "poly/polynomial.h"

namespace hydae::poly {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Pointwise;

std::vector<double> bernstein(const std::vector<double>& p) {
  BernsteinConverter converter;
  std::vector<double> b(p.size());
  converter.convert(p, b);
  return b;
}

std::vector<double> random_polynomial(std::mt19937& random, int degree) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> p(static_cast<std::size_t>(degree) + 1);
  for (double& c : p) c = uniform(random);
  return p;
}

TEST(Bernstein, of_a_line_is_its_values_at_equidistant_points) {
  // x = sum_i (i/n) B_i^n(x): linear precision.
  EXPECT_THAT(bernstein({3, 2, 0, 0, 0}), Pointwise(DoubleEq(), {3.0, 3.5, 4.0, 4.5, 5.0}));
}

TEST(Bernstein, of_the_last_power_is_a_unit_vector) {
  EXPECT_THAT(bernstein({0, 0, 0, 1}), ElementsAre(0, 0, 0, 1));  // x^n = B_n^n
}

TEST(Bernstein, of_a_constant_is_the_constant) {
  EXPECT_THAT(bernstein({7}), ElementsAre(7));
  EXPECT_THAT(bernstein({7, 0, 0}), ElementsAre(7, 7, 7));
}

TEST(Bernstein, of_a_square_shows_its_negative_middle) {
  // (x - 1/2)^2 = 1/4 - x + x^2: b_1 = 1/4 - 1/2.
  EXPECT_THAT(bernstein({0.25, -1, 1}), ElementsAre(0.25, -0.25, 0.25));
}

TEST(Bernstein, coefficients_enclose_the_values_and_meet_them_at_the_ends) {
  std::mt19937 random(1);
  for (int degree = 0; degree <= 40; ++degree) {
    const auto p = random_polynomial(random, degree);
    const auto b = bernstein(p);
    const double sum = std::accumulate(p.begin(), p.end(), 0.0,
                                       [](double s, double c) { return s + std::abs(c); });
    const double rounding = 3 * (degree + 1) * 0x1p-53 * sum;
    EXPECT_NEAR(b.front(), p.front(), 0);
    EXPECT_NEAR(b.back(), evaluate(p, 1), rounding);
    const auto [low, high] = std::minmax_element(b.begin(), b.end());
    for (double x = 0; x <= 1; x += 0x1p-6) {
      EXPECT_GE(evaluate(p, x), *low - rounding);
      EXPECT_LE(evaluate(p, x), *high + rounding);
    }
  }
}

TEST(Bernstein, halves_describe_the_same_polynomial_and_share_the_middle_value) {
  std::mt19937 random(2);
  for (const int degree : {0, 1, 2, 5, 20, 40}) {
    auto p = random_polynomial(random, degree);
    auto right = bernstein(p);
    const auto whole = right;
    std::vector<double> left(right.size());
    split_in_half(right, left);
    EXPECT_EQ(left.front(), whole.front());
    EXPECT_EQ(right.back(), whole.back());
    EXPECT_EQ(left.back(), right.front());

    auto on_left = p, on_right = p;  // p((1 + 0)/2 + s/2) by another road: Taylor shift
    recentre(on_left, 0, 0.5);
    recentre(on_right, 0.5, 0.5);
    const auto left_by_shift = bernstein(on_left), right_by_shift = bernstein(on_right);
    for (std::size_t i = 0; i < left.size(); ++i) {
      EXPECT_NEAR(left[i], left_by_shift[i], 1e-13 * (degree + 1));
      EXPECT_NEAR(right[i], right_by_shift[i], 1e-13 * (degree + 1));
    }
  }
}

TEST(Bernstein, sign_is_certified_only_beyond_the_bound) {
  EXPECT_EQ(certified_sign(std::vector{2.0, 1.5, 3.0}, 1), 1);
  EXPECT_EQ(certified_sign(std::vector{2.0, 1.0, 3.0}, 1), 0);
  EXPECT_EQ(certified_sign(std::vector{-2.0, -1.5}, 1), -1);
  EXPECT_EQ(certified_sign(std::vector{-2.0, 1.5}, 1), 0);
  EXPECT_EQ(certified_sign(std::vector{2.0, std::nan("")}, 1), 0);
  EXPECT_EQ(certified_sign(std::vector<double>{}, 1), 0);
}

TEST(Bernstein, direction_needs_one_way_all_along) {
  EXPECT_EQ(certified_direction(std::vector{0.0, 0.0, 1.0}), 1);
  EXPECT_EQ(certified_direction(std::vector{1.0, 0.5, -1.0}), -1);
  EXPECT_EQ(certified_direction(std::vector{0.0, 1.0, 0.5}), 0);
  EXPECT_EQ(certified_direction(std::vector{1.0, 1.0}), 0);
  EXPECT_EQ(certified_direction(std::vector{1.0}), 0);
}

TEST(Bernstein, largest_degree_keeps_the_geometric_series) {
  // sum x^k at x = 1 is n + 1; all terms are positive, so nothing cancels.
  const std::vector<double> p(BernsteinConverter::kMaxDegree + 1, 1.0);
  const auto b = bernstein(p);
  EXPECT_NEAR(b.back(), p.size(), 1e-10);
  EXPECT_EQ(certified_sign(b, 0.5), 1);
}

TEST(Bernstein, higher_degree_is_refused) {
  std::vector<double> p(BernsteinConverter::kMaxDegree + 2, 1.0);
  try {
    bernstein(p);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "polynomial of degree 513: at most 512 is supported");
  }
}

}  // namespace
}  // namespace hydae::poly
