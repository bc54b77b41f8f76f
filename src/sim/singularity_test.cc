#include "sim/singularity.h"

#include <cmath>
#include <gtest/gtest.h>

#include <hydae/simulate.h>

namespace hydae {
namespace {

// (1 - t/R)^-s: c_n = c_{n-1} (n - 1 + s) / (n R).
std::vector<double> singular_series(double R, double s, int count) {
  std::vector<double> series{1.0};
  for (int n = 1; n < count; ++n) series.push_back(series.back() * (n - 1 + s) / (n * R));
  return series;
}

TEST(FindRealSingularity, is_exact_for_a_single_power) {
  for (double R : {0.1, 1.0, 7.0})
    for (double s : {2.0, 1.0, 0.5, -0.5, -1.5}) {
      const auto found = find_real_singularity(singular_series(R, s, 18));
      ASSERT_TRUE(found) << R << " " << s;
      EXPECT_NEAR(found->distance, R, 1e-11 * R);
      EXPECT_NEAR(found->exponent, s, 1e-9);
    }
}

TEST(FindRealSingularity, sees_through_a_smooth_part) {
  std::vector<double> series = singular_series(1, 1, 18);
  double exponential = 100;  // 100 exp(t) is far larger at first
  for (std::size_t n = 0; n < series.size(); ++n) {
    series[n] += exponential;
    exponential /= static_cast<double>(n + 1);
  }
  const auto found = find_real_singularity(series);
  ASSERT_TRUE(found);
  // What is left of it at order 12, 100/12! = 2e-7, times n^2 from the differences of ratios.
  EXPECT_NEAR(found->distance, 1, 1e-4);
}

TEST(FindRealSingularity, is_not_fooled_by_entire_functions_and_complex_pairs) {
  std::vector<double> exponential{1}, gaussian{1, 1}, behind, pair;
  for (int n = 1; n < 18; ++n) exponential.push_back(exponential.back() / n);
  // exp(t + t^2/2): n c_n = c_{n-1} + c_{n-2}, entire, all coefficients positive.
  for (std::size_t n = 2; n < 18; ++n)
    gaussian.push_back((gaussian[n - 1] + gaussian[n - 2]) / static_cast<double>(n));
  for (int n = 0; n < 18; ++n) {
    behind.push_back(n % 2 == 0 ? 1 : -1);  // 1/(1 + t): a pole in the past
    pair.push_back(std::cos(0.3 * n));      // poles at exp(+-0.3 i)
  }
  EXPECT_FALSE(find_real_singularity(exponential));
  EXPECT_FALSE(find_real_singularity(gaussian));
  EXPECT_FALSE(find_real_singularity(behind));
  EXPECT_FALSE(find_real_singularity(pair));
  EXPECT_FALSE(find_real_singularity(std::vector<double>(18, 0.0)));
  EXPECT_FALSE(find_real_singularity(std::vector<double>{1, 1, 1}));
}

Simulation run(Expr (*slope)(const Expr&), double stop, double tolerance, double start = 0) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == slope(x));
  m.fix(x, 1);
  SimulateOptions options;
  options.start = start;
  options.stop = stop;
  options.tolerance = tolerance;
  return simulate(m, options);
}

Expr square(const Expr& x) { return x * x; }
Expr half_inverse(const Expr& x) { return -0.5 / x; }

// x' = x^2, x(0) = 1: x = 1/(1 - t).
TEST(SingularityWatch, forecasts_a_pole_and_stops_there) {
  for (double tolerance : {1e-4, 1e-6, 1e-9, 1e-12}) {
    const Simulation before = run(square, 0.9, tolerance);
    ASSERT_TRUE(before.summary.succeeded());
    ASSERT_TRUE(before.summary.singularity) << tolerance;
    // The pole of the computed solution: it moves with the error of x.
    EXPECT_NEAR(before.summary.singularity->t, 1, tolerance);
    EXPECT_NEAR(before.summary.singularity->exponent, 1, 1e-3);
    EXPECT_EQ(before.summary.singularity->variable, "x");
    EXPECT_EQ(before.summary.warnings.size(), 1u);
    const Simulation beyond = run(square, 2, tolerance);
    EXPECT_EQ(beyond.summary.status, Status::kSingularity);
    EXPECT_NEAR(beyond.summary.t_end, 1, tolerance + 1e-8);
  }
}

// The same backwards: x' = x^2 with x(0) = 1 in reversed time has its pole at t = 1 only, and none
// for t < 0; x' = -x^2 has it at t = -1.
TEST(SingularityWatch, looks_in_the_direction_of_integration) {
  EXPECT_FALSE(run(square, -5, 1e-6).summary.singularity);
  const Simulation back = run([](const Expr& x) { return -x * x; }, -2, 1e-6);
  EXPECT_EQ(back.summary.status, Status::kSingularity);
  EXPECT_NEAR(back.summary.t_end, -1, 1e-7);
}

// x' = -1/(2x), x(0) = 1: x = sqrt(1 - t), which ends in a branch point without growing.
TEST(SingularityWatch, forecasts_a_branch_point) {
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    const Simulation before = run(half_inverse, 0.9, tolerance);
    ASSERT_TRUE(before.summary.succeeded());
    ASSERT_TRUE(before.summary.singularity) << tolerance;
    EXPECT_NEAR(before.summary.singularity->t, 1, 1e-5);
    EXPECT_NEAR(before.summary.singularity->exponent, -0.5, 1e-2);
    const Simulation beyond = run(half_inverse, 2, tolerance);
    EXPECT_FALSE(beyond.summary.succeeded());
    EXPECT_NEAR(beyond.summary.t_end, 1, 1e-5) << beyond.summary.message;
  }
}

TEST(SingularityWatch, is_silent_about_solutions_without_one) {
  EXPECT_FALSE(run([](const Expr& x) { return x; }, 10, 1e-6).summary.singularity);
  EXPECT_FALSE(run([](const Expr& x) { return -x * x; }, 50, 1e-6).summary.singularity);
  // Poles of tanh at +-i pi/2 beside the path.
  EXPECT_FALSE(run([](const Expr& x) { return 1 - x * x / 4; }, 10, 1e-6).summary.singularity);
}

}  // namespace
}  // namespace hydae
