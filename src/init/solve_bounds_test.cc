#include <cmath>
#include <gmock/gmock.h>

#include <hydae/error.h>

#include "init/example_problems_testing.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

using testing::ElementsAre;

// ---- bounds ------------------------------------------------------------------------------------

TEST(SolveWithinBounds, step_continues_along_the_bound) {
  // x + y = 3 from (1, 0) with y <= 0.5: the shortest step to (2, 1) leaves the bound; along it
  // (2.5, 0.5).
  auto problem = make_problem(
      {1, 0}, 1, [](auto& x) { return std::vector{x[0] + x[1] - 3}; },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 1}};
      });
  problem.unknowns.upper = vec({kInf, 0.5});
  const Solution solution = solve(problem);
  expect_solution(solution, {2.5, 0.5}, 1e-13);
  EXPECT_EQ(solution.x[1], 0.5);
  EXPECT_THAT(solution.report.movements, ElementsAre(Movement::kMoved, Movement::kAtUpper));
}

TEST(SolveWithinBounds, bound_must_be_walked_along_around_a_corner) {
  // x y = 4 with 0 <= x <= 1 and y <= 5 from (0.5, 0.5): only x in [0.8, 1] is left.
  auto problem = make_problem(
      {0.5, 0.5}, 1, [](auto& x) { return std::vector{x[0] * x[1] - 4}; },
      [](auto& x) {
        return std::vector<std::vector<double>>{{x[1], x[0]}};
      });
  problem.unknowns.lower = vec({0, -kInf});
  problem.unknowns.upper = vec({1, 5});
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  EXPECT_NEAR(solution.x[0] * solution.x[1], 4, 1e-12);
  // Closest point of the curve piece to (0.5, 0.5) is its end (1, 4): distance^2 0.25 + 12.25.
  EXPECT_NEAR(solution.x[0], 1, 1e-12);
}

TEST(SolveWithinBounds, bound_selects_the_root) {
  // x^2 = 4 from -1 with x >= 0.5... the guess is moved into the bounds, the root 2 found.
  auto problem = make_problem(
      {-1}, 1, [](auto& x) { return std::vector{x[0] * x[0] - 4}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  problem.unknowns.lower = vec({0.5});
  expect_solution(solve(problem), {2}, 1e-13);
}

TEST(SolveWithinBounds, root_on_the_bound_is_found) {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0]}; },
      [](auto&) { return std::vector<std::vector<double>>{{1}}; });
  problem.unknowns.lower = vec({0});
  const Solution solution = solve(problem);
  expect_solution(solution, {0}, 0);
  EXPECT_THAT(solution.report.movements, ElementsAre(Movement::kAtLower));
}

TEST(SolveWithinBounds, root_outside_the_bounds_is_reported_with_the_bound) {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0] + 2}; },
      [](auto&) { return std::vector<std::vector<double>>{{1}}; });
  problem.unknowns.lower = vec({0});
  problem.unknowns.names = {"level"};
  problem.equations.names = {"balance"};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.report.status, Status::kInconsistent);
  EXPECT_EQ(
      solution.report.message,
      "the equations cannot be satisfied together near the guesses: relative residual 2, largest "
      "in `balance`");
  EXPECT_EQ(solution.report.help, "the search ended at bounds: `level` (at least 0)");
  EXPECT_EQ(solution.x[0], 0);
}

TEST(SolveWithinBounds, newton_step_over_a_bound_comes_back_from_it) {
  // atan-like: x^3 - 2x + 2 = 0, root -1.7692923542; from 0 Newton cycles 0, 1, 0, 1. With x <= 0.5
  // the first step ends at the bound.
  auto problem = make_problem(
      {0}, 1, [](auto& x) { return std::vector{x[0] * x[0] * x[0] - 2 * x[0] + 2}; },
      [](auto& x) { return std::vector<std::vector<double>>{{3 * x[0] * x[0] - 2}}; });
  problem.unknowns.upper = vec({0.5});
  expect_solution(solve(problem), {-1.7692923542386314}, 1e-12);
  problem.unknowns.upper = vec({kInf});
  expect_solution(solve(problem), {-1.7692923542386314}, 1e-12);
}

// ---- contradictions in the numbers -------------------------------------------------------------

Problem one_unknown() {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0]}; },
      [](auto&) { return std::vector<std::vector<double>>{{1}}; });
  problem.unknowns.names = {"p"};
  return problem;
}

TEST(SolveWithinBounds, bad_numbers_are_named) {
  auto problem = one_unknown();
  problem.unknowns.guess = vec({NAN});
  EXPECT_EQ(solve(problem).report.status, Status::kBadInput);
  EXPECT_EQ(solve(problem).report.message, "the guess of `p` is nan");

  problem = one_unknown();
  problem.unknowns.nominal = vec({0});
  EXPECT_EQ(solve(problem).report.message, "the nominal value of `p` is 0, it must be positive");

  problem = one_unknown();
  problem.unknowns.lower = vec({2});
  problem.unknowns.upper = vec({-2});
  EXPECT_EQ(solve(problem).report.message,
            "the bounds of `p` exclude each other: at least 2 and at most -2");

  problem = one_unknown();
  problem.unknowns.lower = vec({2});
  problem.unknowns.is_fixed = {true};
  EXPECT_EQ(solve(problem).report.message, "`p` is fixed at 1, outside its bounds 2 to inf");
}

TEST(SolveWithinBounds, wrong_sizes_are_misuse) {
  auto problem = one_unknown();
  problem.unknowns.lower = vec({0, 0});
  try {
    solve(problem);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "initialization problem: `lower` has 2 entries, expected 1");
  }
  problem = one_unknown();
  problem.dense_jacobian = [](const Vector&, DenseMatrix& J) { J.setZero(2, 1); };
  try {
    solve(problem);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "initialization problem: the Jacobian function returned 2 x 1, expected 1 x 1");
  }
  problem = one_unknown();
  problem.dense_jacobian = nullptr;
  EXPECT_THROW(solve(problem), UsageError);
}

}  // namespace
}  // namespace hydae::init
