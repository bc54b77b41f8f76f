#include "init/homotopy.h"

#include <cmath>
#include <gmock/gmock.h>

#include "init/example_problems_testing.h"
#include "init/optimization.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

class EveryHomotopy : public testing::TestWithParam<Method> {};

class HomotopyWithJacobian : public testing::TestWithParam<Method> {};

TEST_P(HomotopyWithJacobian, passes_the_turning_points_of_freudenstein_roth) {
  System system(freudenstein_roth());
  const Outcome outcome = follow_homotopy(system, GetParam(), system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0], 5, 1e-9);
  EXPECT_NEAR(outcome.y[1], 4, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Kinds, HomotopyWithJacobian,
                         testing::Values(Method::kAffineHomotopy, Method::kNewtonHomotopy));

TEST(FixedPointHomotopy, starts_where_the_jacobian_vanishes) {
  // x^3 = 8 from 0.
  const auto problem = make_problem(
      {0}, 1, [](auto& x) { return std::vector{x[0] * x[0] * x[0] - 8}; },
      [](auto& x) { return std::vector<std::vector<double>>{{3 * x[0] * x[0]}}; });
  System system(problem);
  EXPECT_EQ(follow_homotopy(system, Method::kAffineHomotopy, system.space().guess(), {}).detail,
            "singular start");
  const Outcome outcome =
      follow_homotopy(system, Method::kFixedPointHomotopy, system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0], 2, 1e-10);
}

TEST_P(EveryHomotopy, accepts_only_a_solution_within_the_bounds) {
  // x^2 = 4 from 1 with x <= 0: the path meets 2 first, if at all, and -2 later or never.
  auto problem = make_problem(
      {-1}, 1, [](auto& x) { return std::vector{x[0] * x[0] - 4}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  problem.unknowns.upper = vec({0});
  System system(problem);
  const Outcome outcome = follow_homotopy(system, GetParam(), vec({1}), {});
  if (outcome.status == Status::kSolved) {
    EXPECT_NEAR(outcome.y[0], -2, 1e-10);
  }
  EXPECT_TRUE(outcome.status != Status::kSolved || outcome.y[0] < 0);
}

TEST_P(EveryHomotopy, leaves_the_least_independent_unknowns_alone_when_there_are_too_many) {
  // x + y^3 = 10 from (0, 1).
  const auto problem = make_problem(
      {0, 1}, 1, [](auto& x) { return std::vector{x[0] + x[1] * x[1] * x[1] - 10}; },
      [](auto& x) {
        return std::vector<std::vector<double>>{{1, 3 * x[1] * x[1]}};
      });
  System system(problem);
  const Outcome outcome = follow_homotopy(system, GetParam(), system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0] + std::pow(outcome.y[1], 3), 10, 1e-9);
  EXPECT_NEAR(outcome.y[0], 0, 1e-12);  // the column of y, 3, is the larger one
}

TEST_P(EveryHomotopy, says_why_it_cannot_start) {
  const auto problem = make_problem(
      {1}, 2,
      [](auto& x) {
        return std::vector{x[0], x[0]};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1}, {1}};
      });
  System system(problem);
  EXPECT_EQ(follow_homotopy(system, GetParam(), system.space().guess(), {}).detail,
            "more equations than unknowns");
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryHomotopy,
                         testing::Values(Method::kAffineHomotopy, Method::kNewtonHomotopy,
                                         Method::kFixedPointHomotopy));

// ---- homotopy of the user ----------------------------------------------------------------------

// Actual: the diode 1e-12 (exp(v/0.025) - 1) = (5 - v)/1000; simplified: v / 100 instead of the
// diode.
ParametricProblem diode(double guess) {
  ParametricProblem problem;
  problem.unknowns.guess = vec({guess});
  problem.equations.count = 1;
  problem.residual = [](const Vector& x, double l, Vector& f) {
    const double actual = 1e-12 * (std::exp(x[0] / 0.025) - 1), simplified = x[0] / 100;
    f[0] = l * actual + (1 - l) * simplified - (5 - x[0]) / 1000;
  };
  problem.dense_jacobian = [](const Vector& x, double l, DenseMatrix& J) {
    J(0, 0) = l * 4e-11 * std::exp(x[0] / 0.025) + (1 - l) / 100 + 1e-3;
  };
  return problem;
}

TEST(UserHomotopy, follows_from_simplified_to_actual) {
  System system(diode(0));
  system.set_parameter(0);
  const Vector simplified = vec({5.0 / 11});  // v/100 = (5 - v)/1000
  const Outcome outcome = follow_user_homotopy(system, simplified, {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  const double v = outcome.y[0];
  EXPECT_NEAR(1e-12 * (std::exp(v / 0.025) - 1), (5 - v) / 1000, 1e-14);
  EXPECT_EQ(system.parameter(), 1);
}

// Actual: x^3 - 2 x + 2 = 0 guarded so that Newton from 0 and everything local fails: a hump of
// height 1e3.
TEST(UserHomotopy, is_used_when_the_actual_equations_resist) {
  // Actual: atan(1000 (x - 50)) = 0; simplified: x = 40. Local methods from 0 see a flat function.
  ParametricProblem problem;
  problem.unknowns.guess = vec({0});
  problem.equations.count = 1;
  problem.residual = [](const Vector& x, double l, Vector& f) {
    f[0] = l * std::atan(1000 * (x[0] - 50)) + (1 - l) * (x[0] - 40);
  };
  problem.dense_jacobian = [](const Vector& x, double l, DenseMatrix& J) {
    const double u = 1000 * (x[0] - 50);
    J(0, 0) = l * 1000 / (1 + u * u) + (1 - l);
  };
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  EXPECT_NEAR(solution.x[0], 50, 1e-9);
}

TEST(UserHomotopy, difference_quotient_stands_in_for_the_parameter_derivative) {
  System system(diode(0.6));
  system.set_parameter(0.5);
  Vector slope;
  ASSERT_TRUE(system.differentiate_parameter(vec({0.6}), slope));
  const double exact = 1e-12 * (std::exp(0.6 / 0.025) - 1) - 0.006;
  EXPECT_NEAR(slope[0], exact, 1e-9 * std::abs(exact) + 1e-12);
}

// ---- optimization ------------------------------------------------------------------------------

TEST(Optimization, finds_the_closest_point_of_a_circle) {
  const auto problem = make_problem(
      {3, 4}, 1, [](auto& v) { return std::vector{v[0] * v[0] + v[1] * v[1] - 1}; },
      [](auto& v) {
        return std::vector<std::vector<double>>{{2 * v[0], 2 * v[1]}};
      });
  System system(problem);
  const Outcome outcome = optimize(system, system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0], 0.6, 1e-6);
  EXPECT_NEAR(outcome.y[1], 0.8, 1e-6);
}

TEST(Optimization, stays_within_bounds) {
  // x y = 4, x <= 1, y <= 5 from (0.5, 0.5): end (1, 4).
  auto problem = make_problem(
      {0.5, 0.5}, 1, [](auto& x) { return std::vector{x[0] * x[1] - 4}; },
      [](auto& x) {
        return std::vector<std::vector<double>>{{x[1], x[0]}};
      });
  problem.unknowns.lower = vec({0, -kInf});
  problem.unknowns.upper = vec({1, 5});
  System system(problem);
  const Outcome outcome = optimize(system, system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0], 1, 1e-6);
  EXPECT_LE(outcome.y[0], 1);
}

TEST(Optimization, reports_what_cannot_be_satisfied) {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0] * x[0] + 1}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  System system(problem);
  const Outcome outcome = optimize(system, system.space().guess(), {});
  EXPECT_NE(outcome.status, Status::kSolved);
}

TEST(Optimization, undefined_values_are_stepped_around) {
  const auto problem = make_problem(
      {10}, 1, [](auto& x) { return std::vector{std::log(x[0])}; },
      [](auto& x) { return std::vector<std::vector<double>>{{1 / x[0]}}; });
  System system(problem);
  const Outcome outcome = optimize(system, system.space().guess(), {});
  ASSERT_EQ(outcome.status, Status::kSolved) << outcome.detail;
  EXPECT_NEAR(outcome.y[0], 1, 1e-10);
}

}  // namespace
}  // namespace hydae::init
