#include "init/continuation.h"

#include <cmath>
#include <gmock/gmock.h>
#include <numbers>

#include <hydae/error.h>

#include "init/example_problems_testing.h"

namespace hydae::init {
namespace {

ParametricProblem make_parametric(
    const std::vector<double>& guess, std::function<std::vector<double>(const Vector&, double)> f,
    std::function<std::vector<std::vector<double>>(const Vector&, double)> J) {
  ParametricProblem problem;
  problem.unknowns.guess = vec(guess);
  problem.equations.count = static_cast<int>(guess.size());
  problem.residual = [f](const Vector& x, double l, Vector& out) { out = vec(f(x, l)); };
  problem.dense_jacobian = [J](const Vector& x, double l, DenseMatrix& out) {
    const auto rows = J(x, l);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      out.row(static_cast<Eigen::Index>(i)) = vec(rows[i]).transpose();
    }
  };
  return problem;
}

// Circle of radius 1000 in x of size 1000 and lambda of size 1000: scaled, the unit circle.
ParametricProblem big_circle() {
  auto problem = make_parametric(
      {900}, [](auto& x, double l) { return std::vector{x[0] * x[0] + l * l - 1e6}; },
      [](auto& x, double) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  problem.unknowns.nominal = vec({1000});
  problem.parameter_nominal = 1000;
  return problem;
}

TEST(Continuation, circle_all_the_way_around_in_the_users_units) {
  const Continuation path = follow_arc(big_circle(), 0, {});
  EXPECT_EQ(path.end, PathEnd::kClosed);
  EXPECT_EQ(path.message, "");
  EXPECT_EQ(path.count(PointKind::kFold), 2);
  for (const ContinuationPoint& p : path.points) {
    EXPECT_NEAR(std::hypot(p.x[0], p.lambda), 1000, 1e-6);
    if (p.kind == PointKind::kFold) {
      EXPECT_NEAR(std::abs(p.lambda), 1000, 1e-8);
    }
  }
}

TEST(Continuation, by_the_parameter_stops_at_the_turning_point_and_says_so) {
  const Continuation path = follow_parameter(big_circle(), 0, 2000, {});
  EXPECT_EQ(path.end, PathEnd::kStepTooSmall);
  EXPECT_NEAR(path.points.back().lambda, 1000, 1e-3);
  EXPECT_THAT(path.message,
              testing::MatchesRegex(
                  "the solution ends at lambda = (1000|999\\.9+[0-9]*): probably a turning "
                  "point, which continuation by arc length passes"));
}

TEST(Continuation, thermal_ignition_has_the_known_critical_parameter) {
  // Frank-Kamenetskii with one cell (Semenov): x = lambda exp(x). Turning point x = 1, lambda =
  // 1/e.
  const auto problem = make_parametric(
      {0}, [](auto& x, double l) { return std::vector{x[0] - l * std::exp(x[0])}; },
      [](auto& x, double l) { return std::vector<std::vector<double>>{{1 - l * std::exp(x[0])}}; });
  PathOptions options;
  options.target = 0.01;  // on the upper branch
  const Continuation path = follow_arc(problem, 0, [&] {
    auto with_return = options;
    int met = 0;
    with_return.accepts_target = [met](const CurvePoint&) mutable { return ++met == 2; };
    return with_return;
  }());
  ASSERT_EQ(path.end, PathEnd::kTarget) << path.message;
  ASSERT_EQ(path.count(PointKind::kFold), 1);
  for (const ContinuationPoint& p : path.points) {
    if (p.kind != PointKind::kFold) continue;
    EXPECT_NEAR(p.lambda, 1 / std::numbers::e, 1e-10);
    EXPECT_NEAR(p.x[0], 1, 1e-5);
  }
  // Upper solution of x = 0.01 exp(x): x = -W_{-1}(-0.01) = 6.4727751243940
  EXPECT_NEAR(path.points.back().x[0], 6.4727751243940, 1e-9);
}

TEST(Continuation, fixed_unknowns_stay) {
  // x y = lambda with y fixed at 2: x = lambda / 2.
  auto problem = make_parametric(
      {1, 2}, [](auto& x, double l) { return std::vector{x[0] * x[1] - l}; },
      [](auto& x, double) {
        return std::vector<std::vector<double>>{{x[1], x[0]}};
      });
  problem.equations.count = 1;
  problem.unknowns.is_fixed = {false, true};
  const Continuation path = follow_parameter(problem, 2, -6, {});
  ASSERT_EQ(path.end, PathEnd::kTarget);
  EXPECT_NEAR(path.points.back().x[0], -3, 1e-12);
  EXPECT_EQ(path.points.back().x[1], 2);
  EXPECT_EQ(path.points.back().lambda, -6);
}

TEST(Continuation, start_without_solution_is_explained) {
  auto problem = make_parametric(
      {1}, [](auto& x, double l) { return std::vector{x[0] * x[0] + l}; },
      [](auto& x, double) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  problem.equations.names = {"parabola"};
  const Continuation path = follow_arc(problem, 1, {});
  EXPECT_EQ(path.end, PathEnd::kBadStart);
  EXPECT_THAT(
      path.message,
      testing::StartsWith("no solution at lambda = 1: the equations cannot be satisfied together "
                          "near the guesses: relative residual"));
}

TEST(Continuation, system_must_be_square) {
  auto problem = big_circle();
  problem.unknowns.is_fixed = {true};
  try {
    follow_arc(problem, 0, {});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "continuation needs as many equations as free unknowns: 1 and 0");
  }
}

}  // namespace
}  // namespace hydae::init
