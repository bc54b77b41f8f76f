#include "integrate/step_size.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace hydae::integrate {
namespace {

constexpr int kOrder = 20;

// Of amplitude exp(rate tau), in units of the tolerance.
std::vector<double> exponential(double amplitude, double rate) {
  std::vector<double> sizes = {amplitude};
  for (int n = 1; n <= kOrder; ++n) sizes.push_back(sizes.back() * rate / n);
  return sizes;
}

double truncation_error(double amplitude, double x) {
  double term = amplitude, rest = amplitude * std::exp(x);
  for (int n = 0; n <= kOrder; term *= x / ++n) rest -= term;
  return rest;
}

// A geometric series 1/(1 - tau/R) with the size a of its terms at tau = R: the error of a step is
// e^-1 in units of the tolerance where the last term says so.
TEST(StepSize, last_term_of_a_geometric_series_is_a_third_of_the_tolerance) {
  const double radius = 2, amplitude = 1e6;
  std::vector<double> sizes;
  for (int n = 0; n <= kOrder; ++n) sizes.push_back(amplitude * std::pow(radius, -n));
  const StepChoice choice = choose_step(sizes, 1e-10, /*is_first=*/true);
  EXPECT_NEAR(choice.radius(), radius, 1e-12);
  EXPECT_NEAR(amplitude * std::pow(choice.tau / radius, kOrder), std::exp(-1), 1e-12);
}

// Terms that grow up to order 100 say nothing about the error, even if those up to 20 are small.
// The step stops where they no longer grow, as long as they are more than rounding errors.
TEST(StepSize, growing_terms_are_not_believed) {
  for (double amplitude : {1e-2, 1e-6, 1e-10}) {
    const double rate = 100;
    const StepChoice choice = choose_step(exponential(amplitude, rate), 1e-16, true);
    EXPECT_LT(truncation_error(amplitude, rate * choice.tau), 1) << amplitude;
    EXPECT_GT(rate * choice.tau, 5) << amplitude;
  }
}

// Coefficients that are rounding errors of the order of the scale must not hold the step up: it
// still grows.
TEST(StepSize, rounding_errors_do_not_shorten_steps) {
  const std::vector<double> sizes(kOrder + 1, 1e-10);
  EXPECT_GT(choose_step(sizes, 1e-10, /*is_first=*/false).tau, 2);
}

}  // namespace
}  // namespace hydae::integrate
