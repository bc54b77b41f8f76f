#include "poly/cubic_spline.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace hydae::poly {
namespace {

double evaluate_piece(const std::array<double, 4>& c, double s) {
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

// A polynomial of degree min(3, points - 1) is its own spline, whatever the points are.
TEST(CubicSpline, polynomials_of_degree_three_are_reproduced) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> gap(0.01, 3), number(-2, 2);
  for (std::size_t num_points : {2, 3, 4, 5, 6, 9, 40}) {
    std::vector<double> a(4, 0.0), x{number(random)}, y;
    for (std::size_t k = 0; k < std::min<std::size_t>(4, num_points); ++k) a[k] = number(random);
    const auto p = [&](double t) { return a[0] + t * (a[1] + t * (a[2] + t * a[3])); };
    while (x.size() < num_points) x.push_back(x.back() + gap(random));
    for (double t : x) y.push_back(p(t));
    const auto pieces = cubic_spline(x, y);
    ASSERT_EQ(pieces.size() + 1, num_points);
    for (std::size_t i = 0; i + 1 < num_points; ++i)
      for (double s : {0.0, 0.3, 0.7, 1.0}) {
        const double t = x[i] + s * (x[i + 1] - x[i]);
        const double size = 1 + std::abs(a[3] * std::pow(x.back(), 3));
        EXPECT_NEAR(evaluate_piece(pieces[i], s), p(t), 1e-12 * size) << num_points << " " << i;
      }
  }
}

// Values, first and second derivatives of neighbours agree at the points between them.
TEST(CubicSpline, two_derivatives_are_continuous) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> gap(0.01, 3), number(-2, 2);
  std::vector<double> x{0}, y{number(random)};
  for (int k = 0; k < 30; ++k) {
    x.push_back(x.back() + gap(random));
    y.push_back(number(random));
  }
  const auto pieces = cubic_spline(x, y);
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto &c = pieces[i], &next = pieces[i + 1];
    const double h = x[i + 1] - x[i], g = x[i + 2] - x[i + 1];
    const double size = std::abs(c[2]) + std::abs(c[3]) + std::abs(next[2]) + std::abs(next[3]) + 4;
    EXPECT_NEAR(evaluate_piece(c, 1), y[i + 1], 1e-13 * size);
    EXPECT_NEAR((c[1] + 2 * c[2] + 3 * c[3]) / h, next[1] / g, 1e-12 * size / std::min(g, h));
    EXPECT_NEAR((2 * c[2] + 6 * c[3]) / (h * h), 2 * next[2] / (g * g),
                1e-12 * size / std::pow(std::min(g, h), 2));
  }
}

}  // namespace
}  // namespace hydae::poly
