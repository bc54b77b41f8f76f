#include "poly/convergence.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hydae::poly {
namespace {

// sin(w tau + p) about 0.
std::vector<double> sine(double w, double p, int size) {
  std::vector<double> c;
  double power = 1;
  for (int n = 0; n < size; ++n) {
    c.push_back(power * std::sin(p + n * 1.5707963267948966));
    power *= w / (n + 1);
  }
  return c;
}

double at_one(const std::vector<double>& c) {
  double sum = 0;
  for (double x : c) sum += x;
  return sum;
}

// The premise of the search for roots: for every rate at which something is concluded, what is
// left out at the end of the interval is below the estimate.
TEST(Convergence, an_estimate_is_above_what_sines_leave_out) {
  int num_known = 0;
  for (double w = 0.1; w < 60; w *= 1.07) {
    const auto c = sine(w, 0.4, 20);
    const auto tail = estimate_tail(c);
    if (!tail) continue;
    ++num_known;
    EXPECT_LE(std::abs(std::sin(w + 0.4) - at_one(c)), *tail + 1e-15 * std::exp(w)) << w;
  }
  EXPECT_GT(num_known, 40);
}

TEST(Convergence, a_series_whose_terms_grow_says_nothing) {
  EXPECT_FALSE(estimate_tail(sine(30, 0.4, 20)));
  EXPECT_FALSE(estimate_tail(std::vector<double>(20, 1.0)));
}

// tanh(100 (t - 1)) about 0 over a step of 1/2: -1 + 2 exp(-200 + 200 t), far below rounding.
TEST(Convergence, a_constant_does_not_hide_terms_that_grow) {
  std::vector<double> c{-1};
  double term = 2 * std::exp(-200.0);
  for (int n = 1; n < 20; ++n) c.push_back(term *= 100.0 / n);
  EXPECT_FALSE(estimate_tail(c));
}

TEST(Convergence, rounding_errors_behind_a_constant_are_no_terms) {
  std::vector<double> c{1, 0, 1e-17, -1e-17, 2e-17, 0, 1e-17, -1e-17, 2e-17, 1e-17};
  EXPECT_TRUE(estimate_tail(c));
}

TEST(Convergence, polynomials_leave_nothing_out) {
  const std::vector<double> c{1, 2, 3, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(estimate_tail(c), 0.0);
  EXPECT_FALSE(estimate_tail(std::vector<double>{1, 2, 3}));  // too few to tell
}

}  // namespace
}  // namespace hydae::poly
