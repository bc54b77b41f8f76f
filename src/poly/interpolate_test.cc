#include "poly/interpolate.h"

#include <cmath>
#include <gtest/gtest.h>

#include "poly/polynomial.h"

namespace hydae::poly {
namespace {

template <class F>
Interpolation interpolate(F f) {
  std::array<double, Interpolation::kNumPoints> values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = f(Interpolation::points()[k]);
  return Interpolation(values);
}

TEST(Interpolation, a_polynomial_of_its_degree_is_reproduced) {
  // Coefficients of alternating signs up to 9; the change of basis loses at most a factor 2^15 of
  // 16 digits.
  const std::array<double, 9> p = {1, -2, 3, -4, 5, -6, 7, -8, 9};
  const Interpolation result = interpolate([&](double x) { return evaluate(p, x); });
  for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(result.coefficients()[k], p[k], 1e-10);
}

TEST(Interpolation, the_error_is_below_the_remainder_for_analytic_functions) {
  for (double rate : {0.5, 2.0, 4.0}) {
    const auto f = [&](double x) { return std::exp(-rate * x) * std::cos(rate * x); };
    const Interpolation result = interpolate(f);
    for (int k = 0; k <= 100; ++k)
      EXPECT_LE(std::abs(evaluate(result.coefficients(), 0.01 * k) - f(0.01 * k)),
                result.remainder())
          << rate << " " << k;
  }
}

TEST(Interpolation, undefined_values_show) {
  EXPECT_TRUE(std::isnan(interpolate([](double x) { return std::sqrt(x - 0.5); }).remainder()));
}

}  // namespace
}  // namespace hydae::poly
