#include "integrate/ida_stepper.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace hydae::integrate {
namespace {

// x' = -x + z, 0 = z - t: x = t - 1 + e^-t from x(0) = 0.
IdaProblem semi_explicit() {
  IdaProblem p;
  p.size = 2;
  p.column_start = {0, 1, 3};
  p.row = {0, 0, 1};
  p.residual = [](double t, const double* y, const double* yp, double* r) {
    r[0] = yp[0] + y[0] - y[1];
    r[1] = y[1] - t;
    return true;
  };
  p.jacobian = [](double, double cj, const double*, const double*, double* v) {
    v[0] = cj + 1;
    v[1] = -1;
    v[2] = 1;
    return true;
  };
  return p;
}

IdaOptions tolerance(double tol, std::size_t n) {
  IdaOptions o;
  o.rtol = tol;
  o.atol.assign(n, tol);
  return o;
}

TEST(IdaStepper, reaches_the_limit_exactly_with_the_accuracy_asked_for) {
  for (double tol : {1e-4, 1e-7, 1e-10}) {
    IdaStepper stepper(semi_explicit(), tolerance(tol, 2));
    stepper.start(0, std::vector{0.0, 0.0}, std::vector{0.0, 1.0});
    IdaStatus status = IdaStatus::kStepped;
    while (status == IdaStatus::kStepped) status = stepper.step(2);
    ASSERT_EQ(status, IdaStatus::kReached);
    EXPECT_EQ(stepper.time(), 2);
    EXPECT_NEAR(stepper.y()[0], 1 + std::exp(-2.0), 10 * tol);
    EXPECT_NEAR(stepper.y()[1], 2, tol);
    EXPECT_GT(stepper.counters().steps, 5);
  }
}

TEST(IdaStepper, interpolates_inside_the_last_step) {
  IdaStepper stepper(semi_explicit(), tolerance(1e-8, 2));
  stepper.start(0, std::vector{0.0, 0.0}, std::vector{0.0, 1.0});
  std::vector<double> y(2), yp(2);
  while (stepper.step(3) == IdaStatus::kStepped) {
    for (double part : {0.0, 0.3, 1.0}) {
      const double t = stepper.previous_time() + part * (stepper.time() - stepper.previous_time());
      stepper.interpolate(t, 0, y);
      stepper.interpolate(t, 1, yp);
      EXPECT_NEAR(y[0], t - 1 + std::exp(-t), 1e-6);
      EXPECT_NEAR(yp[0], 1 - std::exp(-t), 1e-4);
    }
  }
}

TEST(IdaStepper, runs_backwards) {
  IdaStepper stepper(semi_explicit(), tolerance(1e-8, 2));
  stepper.start(2, std::vector{1 + std::exp(-2.0), 2.0}, std::vector{1 - std::exp(-2.0), 1.0});
  while (stepper.step(1) == IdaStatus::kStepped) {
  }
  EXPECT_EQ(stepper.time(), 1);
  EXPECT_NEAR(stepper.y()[0], std::exp(-1.0), 1e-6);
}

// x' = -sqrt(x), x(0) = 1: x = (1 - t/2)^2, and the root is undefined past zero at t = 2.
TEST(IdaStepper, says_undefined_where_the_residual_ends) {
  IdaProblem p;
  p.size = 1;
  p.column_start = {0, 1};
  p.row = {0};
  p.residual = [](double t, const double* y, const double* yp, double* r) {
    if (!(y[0] >= 0) || t > 1) return false;
    r[0] = yp[0] + std::sqrt(y[0]);
    return true;
  };
  p.jacobian = [](double, double cj, const double* y, const double*, double* v) {
    v[0] = cj + 0.5 / std::sqrt(y[0]);
    return std::isfinite(v[0]);
  };
  IdaStepper stepper(std::move(p), tolerance(1e-6, 1));
  stepper.start(0, std::vector{1.0}, std::vector{-1.0});
  IdaStatus status = IdaStatus::kStepped;
  while (status == IdaStatus::kStepped) status = stepper.step(3);
  EXPECT_EQ(status, IdaStatus::kUndefined);
  EXPECT_LE(stepper.time(), 1.0);
  EXPECT_GT(stepper.time(), 0.9);
  // What is left is the last good step.
  const double t = stepper.time();
  EXPECT_NEAR(stepper.y()[0], (1 - t / 2) * (1 - t / 2), 1e-4);
}

TEST(IdaStepper, counts_over_new_starts) {
  IdaStepper stepper(semi_explicit(), tolerance(1e-6, 2));
  long before = 0;
  for (int k = 0; k < 3; ++k) {
    stepper.start(0, std::vector{0.0, 0.0}, std::vector{0.0, 1.0});
    while (stepper.step(1) == IdaStatus::kStepped) {
    }
    const long now = stepper.counters().steps;
    EXPECT_GT(now, before);
    before = now;
  }
}

}  // namespace
}  // namespace hydae::integrate
