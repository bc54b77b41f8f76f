#include "integrate/bdf_stepper.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace hydae::integrate {
namespace {

// x' = -x + t: x = t - 1 + e^-t from x(0) = 0, in four forms.
enum class Form {
  kSemiExplicit,  // x' = -x + z, 0 = z - t, for IDA
  kSolvedInside,  // the same, z known to the matrix only
  kOde,           // for CVODE
  kImplicitOde,   // 2 x' + 2 x = z, 0 = z - 2 t: x' and z solved for inside
};

// Matrix of rows (a x' + b x + c z, z) and columns x, z; the entry of z first where it stands
// alone.
void set_matrix(BdfProblem& p, double a, double b, double c) {
  p.matrix_size = 2;
  p.column_start = {0, 1, 3};
  p.row = {0, 0, 1};
  p.linearize = [](double, double, const double*, const double*) { return true; };
  p.matrix = [=](double cj, double* v) {
    v[0] = a * cj + b;
    v[1] = c;
    v[2] = 1;
  };
}

BdfProblem problem_of(Form form) {
  BdfProblem p;
  p.size = form == Form::kSemiExplicit ? 2 : 1;
  switch (form) {
    case Form::kSemiExplicit:
      p.residual = [](double t, const double* y, const double* yp, double* r) {
        r[0] = yp[0] + y[0] - y[1];
        r[1] = y[1] - t;
        return true;
      };
      set_matrix(p, 1, 1, -1);
      break;
    case Form::kSolvedInside:
      p.residual = [](double t, const double* y, const double* yp, double* r) {
        r[0] = yp[0] + y[0] - t;
        return true;
      };
      set_matrix(p, 1, 1, -1);
      break;
    case Form::kOde:
      p.derivative = [](double t, const double* y, double* yp) {
        yp[0] = -y[0] + t;
        return true;
      };
      p.matrix_size = 1;
      p.column_start = {0, 1};
      p.row = {0};
      p.linearize = [](double, double, const double*, const double*) { return true; };
      p.matrix = [](double cj, double* v) { v[0] = cj + 1; };
      break;
    case Form::kImplicitOde:
      p.derivative = [](double t, const double* y, double* yp) {
        yp[0] = (2 * t - 2 * y[0]) / 2;
        return true;
      };
      set_matrix(p, 2, 2, -1);
      p.mass = [](const double* b, double* product) {
        product[0] = 2 * b[0];
        product[1] = 0;
      };
      break;
  }
  return p;
}

BdfOptions tolerance(double tol, std::size_t n) {
  BdfOptions o;
  o.rtol = tol;
  o.atol.assign(n, tol);
  return o;
}

class Stepper : public ::testing::TestWithParam<Form> {
 protected:
  std::unique_ptr<BdfStepper> make(double tol) const {
    BdfProblem problem = problem_of(GetParam());
    const auto n = static_cast<std::size_t>(problem.size);
    return make_stepper(std::move(problem), tolerance(tol, n));
  }
  void start(BdfStepper& stepper, double t) const {
    const std::vector<double> y{t - 1 + std::exp(-t), t}, yp{1 - std::exp(-t), 1};
    const std::size_t n = GetParam() == Form::kSemiExplicit ? 2 : 1;
    stepper.start(t, std::span(y).first(n), std::span(yp).first(n));
  }
};

TEST_P(Stepper, reaches_the_limit_exactly_with_the_accuracy_asked_for) {
  for (double tol : {1e-4, 1e-7, 1e-10}) {
    const auto stepper = make(tol);
    start(*stepper, 0);
    BdfStatus status = BdfStatus::kStepped;
    while (status == BdfStatus::kStepped) status = stepper->step(2);
    ASSERT_EQ(status, BdfStatus::kReached);
    EXPECT_EQ(stepper->time(), 2);
    EXPECT_NEAR(stepper->y()[0], 1 + std::exp(-2.0), 10 * tol);
    if (GetParam() == Form::kSemiExplicit) {
      EXPECT_NEAR(stepper->y()[1], 2, tol);
    }
    EXPECT_GT(stepper->counters().steps, 5);
  }
}

TEST_P(Stepper, interpolates_inside_the_last_step) {
  const auto stepper = make(1e-8);
  start(*stepper, 0);
  std::vector<double> y(stepper->y().size()), yp(y.size());
  while (stepper->step(3) == BdfStatus::kStepped) {
    for (double part : {0.0, 0.3, 1.0}) {
      const double from = stepper->previous_time(), t = from + part * (stepper->time() - from);
      stepper->interpolate(t, 0, y);
      stepper->interpolate(t, 1, yp);
      EXPECT_NEAR(y[0], t - 1 + std::exp(-t), 1e-6);
      EXPECT_NEAR(yp[0], 1 - std::exp(-t), 1e-4);
    }
  }
}

TEST_P(Stepper, runs_backwards) {
  const auto stepper = make(1e-8);
  start(*stepper, 2);
  while (stepper->step(1) == BdfStatus::kStepped) {
  }
  EXPECT_EQ(stepper->time(), 1);
  EXPECT_NEAR(stepper->y()[0], std::exp(-1.0), 1e-6);
}

TEST_P(Stepper, counts_over_new_starts) {
  const auto stepper = make(1e-6);
  long before = 0;
  for (int k = 0; k < 3; ++k) {
    start(*stepper, 0);
    while (stepper->step(1) == BdfStatus::kStepped) {
    }
    const long now = stepper->counters().steps;
    EXPECT_GT(now, before);
    before = now;
  }
}

// The right matrix makes Newton's iteration exact on a linear problem: it never fails, and two
// iterations per step (the second one to see the rate) are enough.
TEST_P(Stepper, newton_is_exact_on_a_linear_problem) {
  const auto stepper = make(1e-6);
  start(*stepper, 0);
  while (stepper->step(2) == BdfStatus::kStepped) {
  }
  const BdfCounters c = stepper->counters();
  EXPECT_EQ(c.newton_failures, 0);
  EXPECT_LE(c.newton_iterations, 2 * (c.steps + c.error_test_failures) + 2);
}

INSTANTIATE_TEST_SUITE_P(Forms, Stepper,
                         ::testing::Values(Form::kSemiExplicit, Form::kSolvedInside, Form::kOde,
                                           Form::kImplicitOde));

// x' = -sqrt(x), x(0) = 1: x = (1 - t/2)^2; evaluations past t = 1 are undefined.
TEST(BdfStepper, says_undefined_where_the_system_ends) {
  for (const bool is_ode : {false, true}) {
    BdfProblem p;
    p.size = p.matrix_size = 1;
    p.column_start = {0, 1};
    p.row = {0};
    const auto is_inside = [](double t, double y) { return y >= 0 && t <= 1; };
    if (is_ode) {
      p.derivative = [=](double t, const double* y, double* yp) {
        yp[0] = -std::sqrt(std::max(0.0, y[0]));
        return is_inside(t, y[0]);
      };
    } else {
      p.residual = [=](double t, const double* y, const double* yp, double* r) {
        r[0] = yp[0] + std::sqrt(std::max(0.0, y[0]));
        return is_inside(t, y[0]);
      };
    }
    double slope = 0;
    p.linearize = [&](double, double, const double* y, const double*) {
      slope = 0.5 / std::sqrt(y[0]);
      return std::isfinite(slope);
    };
    p.matrix = [&](double cj, double* v) { v[0] = cj + slope; };
    const auto stepper = make_stepper(std::move(p), tolerance(1e-6, 1));
    stepper->start(0, std::vector{1.0}, std::vector{-1.0});
    BdfStatus status = BdfStatus::kStepped;
    while (status == BdfStatus::kStepped) status = stepper->step(3);
    EXPECT_EQ(status, BdfStatus::kUndefined);
    EXPECT_LE(stepper->time(), 1.0);
    EXPECT_GT(stepper->time(), 0.9);
    // What is left is the last good step.
    const double t = stepper->time();
    EXPECT_NEAR(stepper->y()[0], (1 - t / 2) * (1 - t / 2), 1e-4);
  }
}

}  // namespace
}  // namespace hydae::integrate
