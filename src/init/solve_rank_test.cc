#include <cmath>
#include <gmock/gmock.h>

#include "init/example_problems_testing.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

using testing::ElementsAre;

// ---- fewer equations than unknowns -------------------------------------------------------------

Problem circle(double x, double y) {  // x^2 + y^2 = 1
  return make_problem(
      {x, y}, 1, [](auto& v) { return std::vector{v[0] * v[0] + v[1] * v[1] - 1}; },
      [](auto& v) {
        return std::vector<std::vector<double>>{{2 * v[0], 2 * v[1]}};
      });
}

TEST(SolveOfAnyRank, underdetermined_linear_system_moves_as_little_as_possible) {
  // x + y = 3 from (0, 1): closest point (1, 2).
  const auto problem = make_problem(
      {0, 1}, 1, [](auto& x) { return std::vector{x[0] + x[1] - 3}; },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}};
      });
  expect_solution(solve(problem), {1, 2}, 1e-14);
}

TEST(SolveOfAnyRank, nominal_values_weigh_the_distance) {
  // min ((x - 0)/1)^2 + ((y - 0)/2)^2 on x + y = 5: x : y = 1 : 4, so (1, 4).
  auto problem = make_problem(
      {0, 0}, 1, [](auto& x) { return std::vector{x[0] + x[1] - 5}; },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}};
      });
  problem.unknowns.nominal = vec({1, 2});
  expect_solution(solve(problem), {1, 4}, 1e-14);
}

TEST(SolveOfAnyRank, closest_point_of_a_circle) {
  // From (3, 4) the closest point is (0.6, 0.8); from (0.3, 0.4) as well.
  expect_solution(solve(circle(3, 4)), {0.6, 0.8}, 1e-10);
  expect_solution(solve(circle(0.3, 0.4)), {0.6, 0.8}, 1e-10);
}

TEST(SolveOfAnyRank, centre_of_a_circle_has_no_direction_but_a_solution) {
  // The gradient vanishes at the guess (0, 0).
  const Solution solution = solve(circle(0, 0));
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  EXPECT_NEAR(solution.x.norm(), 1, 1e-10);
}

TEST(SolveOfAnyRank, consistent_pendulum_keeps_fixed_values) {
  // Position on the circle, velocity tangential: x fixed at 0.6, y from guess 1; vx fixed at 1.
  // y = 0.8, vy = -x vx / y = -0.75.
  auto problem = make_problem(
      {0.6, 1, 1, 0}, 2,
      [](auto& v) {
        return std::vector{v[0] * v[0] + v[1] * v[1] - 1, v[0] * v[2] + v[1] * v[3]};
      },
      [](auto& v) {
        return std::vector<std::vector<double>>{{2 * v[0], 2 * v[1], 0, 0},
                                                {v[2], v[3], v[0], v[1]}};
      });
  problem.unknowns.is_fixed = {true, false, true, false};
  const Solution solution = solve(problem);
  expect_solution(solution, {0.6, 0.8, 1, -0.75}, 1e-12);
  EXPECT_EQ(solution.x[0], 0.6);
  EXPECT_THAT(solution.report.movements,
              ElementsAre(Movement::kFixed, Movement::kMoved, Movement::kFixed, Movement::kMoved));
}

TEST(SolveOfAnyRank, unknown_that_no_equation_contains_keeps_its_guess) {
  // The derivative of a state that occurs nowhere (example 4 of the paper of 2010).
  const auto problem = make_problem(
      {1, 0.1}, 1, [](auto& x) { return std::vector{x[0] - 2}; },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 0}};
      });
  const Solution solution = solve(problem);
  expect_solution(solution, {2, 0.1}, 0);
  EXPECT_THAT(solution.report.movements, ElementsAre(Movement::kMoved, Movement::kUnmoved));
}

// ---- more equations than unknowns, dependent equations -----------------------------------------

// Two masses with x1 x2 = 1 after a discontinuity: accelerations free, positions and velocities
// fixed (example 5 of the paper of 2010; values from the closed form x1 = (s + sqrt(s^2 - 4)) / 2
// with force F = 1: s = 3.25, s' = 0.75, s'' = 1).
Problem linked_masses(double velocity_2) {
  const double s = 3.25, root = std::sqrt(s * s - 4), x1 = (s + root) / 2, x2 = (s - root) / 2;
  const double v1 = 0.75 * x1 / root;
  auto problem = make_problem(
      {x1, x2, v1, velocity_2, 0, 0}, 4,
      [](auto& q) {
        return std::vector{q[4] + q[5] - 1, q[0] * q[1] - 1, q[2] * q[1] + q[0] * q[3],
                           q[4] * q[1] + 2 * q[2] * q[3] + q[0] * q[5]};
      },
      [](auto& q) {
        return std::vector<std::vector<double>>{{0, 0, 0, 0, 1, 1},
                                                {q[1], q[0], 0, 0, 0, 0},
                                                {q[3], q[2], q[1], q[0], 0, 0},
                                                {q[5], q[4], 2 * q[3], 2 * q[2], q[1], q[0]}};
      });
  problem.unknowns.is_fixed = {true, true, true, true, false, false};
  problem.unknowns.names = {"x1", "x2", "v1", "v2", "a1", "a2"};
  problem.equations.names = {"force", "link", "link'", "link''"};
  return problem;
}

TEST(SolveOfAnyRank, overdetermined_but_consistent_restart_is_solved) {
  const double s = 3.25, root = std::sqrt(s * s - 4);
  const Solution solution = solve(linked_masses(0.75 - 0.75 * (s + root) / 2 / root));
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  // x1''(1+) and x2''(1+) from the closed form.
  EXPECT_NEAR(solution.x[4], 1.0674161852715043, 1e-13);
  EXPECT_NEAR(solution.x[5], -0.067416185271504291, 1e-13);
  EXPECT_EQ(solution.report.rank, 2);
}

TEST(SolveOfAnyRank, overdetermined_contradiction_names_the_equation) {
  const Solution solution = solve(linked_masses(0));
  EXPECT_EQ(solution.report.status, Status::kInconsistent);
  // link' has the residual v1 x2 = 0.29..., of size max(|x1|, ...) v1.
  EXPECT_THAT(solution.report.message,
              testing::MatchesRegex("the equations cannot be satisfied together near the guesses: "
                                    "relative residual 0\\.[0-9]+, largest in `link'`"));
}

TEST(SolveOfAnyRank, redundant_consistent_equations_are_accepted) {
  // x + y = 2 three times, x - y = 0: three dependent rows.
  const auto problem = make_problem(
      {5, 0}, 4,
      [](auto& x) {
        const double sum = x[0] + x[1] - 2;
        return std::vector{sum, 2 * sum, -7 * sum, x[0] - x[1]};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}, {2, 2}, {-7, -7}, {1, -1}};
      });
  const Solution solution = solve(problem);
  expect_solution(solution, {1, 1}, 1e-13);
  EXPECT_EQ(solution.report.rank, 2);
}

TEST(SolveOfAnyRank, square_but_dependent_equations_give_the_closest_solution) {
  // x + y = 2 twice from (0, 1): closest point (0.5, 1.5).
  const auto problem = make_problem(
      {0, 1}, 2,
      [](auto& x) {
        return std::vector{x[0] + x[1] - 2, 2 * x[0] + 2 * x[1] - 4};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}, {2, 2}};
      });
  const Solution solution = solve(problem);
  expect_solution(solution, {0.5, 1.5}, 1e-13);
  EXPECT_EQ(solution.report.rank, 1);
}

TEST(SolveOfAnyRank, contradictory_linear_equations_are_reported_with_their_residual) {
  // x + y = 1 and x + y = 3: least squares at x + y = 2, residual 1 each, size of the equations 1.
  auto problem = make_problem(
      {0, 0}, 2,
      [](auto& x) {
        return std::vector{x[0] + x[1] - 1, x[0] + x[1] - 3};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}, {1, 1}};
      });
  problem.equations.names = {"a", "b"};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.report.status, Status::kInconsistent);
  EXPECT_EQ(
      solution.report.message,
      "the equations cannot be satisfied together near the guesses: relative residual 1, largest "
      "in `a`");
  EXPECT_NEAR(solution.x[0] + solution.x[1], 2, 1e-10);
}

TEST(SolveOfAnyRank, equation_without_real_solution_is_inconsistent) {
  // x^2 + 1 = 0: smallest residual 1 at x = 0.
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0] * x[0] + 1}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.report.status, Status::kInconsistent);
  EXPECT_GE(solution.report.attempts.size(), 4U);  // everything was tried
}

TEST(SolveOfAnyRank, all_fixed_is_checked_only) {
  auto problem = make_problem(
      {2, 3}, 1, [](auto& x) { return std::vector{x[0] * x[1] - 6}; },
      [](auto& x) {
        return std::vector<std::vector<double>>{{x[1], x[0]}};
      });
  problem.unknowns.is_fixed = {true, true};
  problem.equations.names = {"product"};
  expect_solution(solve(problem), {2, 3}, 0);
  problem.unknowns.guess = vec({2, 4});
  // residual 2 against max(4 * 2, 2 * 4) = 8
  EXPECT_EQ(solve(problem).report.message,
            "every unknown is fixed, and `product` is not satisfied: relative residual 0.25");
}

TEST(SolveOfAnyRank, nothing_to_solve) {
  Problem problem;
  problem.residual = [](const Vector&, Vector&) {};
  problem.dense_jacobian = [](const Vector&, DenseMatrix&) {};
  EXPECT_TRUE(solve(problem).is_solved());
  problem.unknowns.guess = vec({1.5});
  expect_solution(solve(problem), {1.5}, 0);
}

}  // namespace
}  // namespace hydae::init
