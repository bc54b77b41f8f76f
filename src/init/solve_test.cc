#include "init/solve.h"

#include <cmath>
#include <gmock/gmock.h>

#include "init/example_problems_testing.h"

namespace hydae::init {
namespace {

using testing::ElementsAre;

// ---- classic hard systems ----------------------------------------------------------------------

TEST(Solve, linear_system_in_one_iteration_and_a_check) {
  // 2x + y = 5, x - y = 1: (2, 1).
  const auto problem = make_problem(
      {0, 0}, 2,
      [](auto& x) {
        return std::vector{2 * x[0] + x[1] - 5, x[0] - x[1] - 1};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{2, 1}, {1, -1}};
      });
  const Solution solution = solve(problem);
  expect_solution(solution, {2, 1}, 1e-14);
  EXPECT_EQ(solution.report.method, Method::kGaussNewton);
  EXPECT_EQ(solution.report.iterations, 2);
  EXPECT_EQ(solution.report.rank, 2);
  EXPECT_THAT(solution.report.movements, ElementsAre(Movement::kMoved, Movement::kMoved));
}

TEST(Solve, rosenbrock_as_equations) {
  // 10 (y - x^2) = 0, 1 - x = 0 from (-1.2, 1): (1, 1). (More, Garbow, Hillstrom 1981, no. 1.)
  const auto problem = make_problem(
      {-1.2, 1}, 2,
      [](auto& x) {
        return std::vector{10 * (x[1] - x[0] * x[0]), 1 - x[0]};
      },
      [](auto& x) {
        return std::vector<std::vector<double>>{{-20 * x[0], 10}, {-1, 0}};
      });
  expect_solution(solve(problem), {1, 1}, 1e-13);
}

Problem powell_badly_scaled() {
  return make_problem(
      {0, 1}, 2,
      [](auto& x) {
        return std::vector{1e4 * x[0] * x[1] - 1, std::exp(-x[0]) + std::exp(-x[1]) - 1.0001};
      },
      [](auto& x) {
        return std::vector<std::vector<double>>{{1e4 * x[1], 1e4 * x[0]},
                                                {-std::exp(-x[0]), -std::exp(-x[1])}};
      });
}

TEST(Solve, powell_badly_scaled) {
  // Solution (1.0981593...e-5, 9.1061467...), More, Garbow, Hillstrom no. 3.
  const Solution solution = solve(powell_badly_scaled());
  ASSERT_TRUE(solution.is_solved());
  EXPECT_NEAR(solution.x[0], 1.0981593e-5, 1e-12);
  EXPECT_NEAR(solution.x[1], 9.106146, 1e-5);
  EXPECT_NEAR(1e4 * solution.x[0] * solution.x[1], 1, 1e-12);
}

TEST(Solve, freudenstein_roth_behind_a_local_minimum) {
  expect_solution(solve(freudenstein_roth()), {5, 4}, 1e-10);
}

TEST(Solve, powell_singular_function_with_a_singular_jacobian_at_the_solution) {
  // x0 + 10 x1, sqrt5 (x2 - x3), (x1 - 2 x2)^2, sqrt10 (x0 - x3)^2: solution 0, Jacobian of rank 2
  // there.
  const double r5 = std::sqrt(5.0), r10 = std::sqrt(10.0);
  const auto problem = make_problem(
      {3, -1, 0, 1}, 4,
      [=](auto& x) {
        const double a = x[1] - 2 * x[2], b = x[0] - x[3];
        return std::vector{x[0] + 10 * x[1], r5 * (x[2] - x[3]), a * a, r10 * b * b};
      },
      [=](auto& x) {
        const double a = x[1] - 2 * x[2], b = x[0] - x[3];
        return std::vector<std::vector<double>>{{1, 10, 0, 0},
                                                {0, 0, r5, -r5},
                                                {0, 2 * a, -4 * a, 0},
                                                {2 * r10 * b, 0, 0, -2 * r10 * b}};
      });
  expect_solution(solve(problem), {0, 0, 0, 0}, 1e-7);
}

TEST(Solve, exponential_with_a_bad_guess) {
  // exp(x) = 10 from -20: the full Newton step goes to 5e9, where exp overflows.
  const auto problem = make_problem(
      {-20}, 1, [](auto& x) { return std::vector{std::exp(x[0]) - 10}; },
      [](auto& x) { return std::vector<std::vector<double>>{{std::exp(x[0])}}; });
  expect_solution(solve(problem), {std::log(10.0)}, 1e-12);
}

TEST(Solve, diode_circuit_with_a_steep_exponential) {
  // 1e-12 (exp(v / 0.025) - 1) = (5 - v) / 1000 from v = 5: the current there is 1e75 A.
  const auto problem = make_problem(
      {5}, 1,
      [](auto& x) { return std::vector{1e-12 * (std::exp(x[0] / 0.025) - 1) - (5 - x[0]) / 1000}; },
      [](auto& x) {
        return std::vector<std::vector<double>>{{4e-11 * std::exp(x[0] / 0.025) + 1e-3}};
      });
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved());
  const double v = solution.x[0];
  EXPECT_NEAR(1e-12 * (std::exp(v / 0.025) - 1), (5 - v) / 1000, 1e-14);
}

TEST(Solve, arctangent_where_newton_diverges) {
  const auto problem = make_problem(
      {20}, 1, [](auto& x) { return std::vector{std::atan(x[0])}; },
      [](auto& x) { return std::vector<std::vector<double>>{{1 / (1 + x[0] * x[0])}}; });
  expect_solution(solve(problem), {0}, 1e-12);
}

// ---- edges of the domain -----------------------------------------------------------------------

// 1/x - 1/100 from 5. Next to x = 0 the residual is 1/x and the correction x: in units of x's
// nominal value it seems to be removed.
TEST(Solve, pole_is_no_root) {
  const Problem problem = make_problem(
      {5}, 1, [](auto& x) { return std::vector{1 / x[0] - 0.01}; },
      [](auto& x) { return std::vector<std::vector<double>>{{-1 / (x[0] * x[0])}}; });
  expect_solution(solve(problem), {100}, 1e-9);
}

TEST(Solve, logarithm_whose_full_step_leaves_its_domain) {
  // ln x = 0 from x = 10: the full step goes to 10 - 23.
  const auto problem = make_problem(
      {10}, 1, [](auto& x) { return std::vector{std::log(x[0])}; },
      [](auto& x) { return std::vector<std::vector<double>>{{1 / x[0]}}; });
  expect_solution(solve(problem), {1}, 1e-13);
}

TEST(Solve, guess_outside_the_domain_is_moved_into_it) {
  // ln x = 2 with the default guess 0.
  const auto problem = make_problem(
      {0}, 1, [](auto& x) { return std::vector{std::log(x[0]) - 2}; },
      [](auto& x) { return std::vector<std::vector<double>>{{1 / x[0]}}; });
  expect_solution(solve(problem), {std::exp(2.0)}, 1e-12);
}

TEST(Solve, several_undefined_equations_are_made_defined_one_by_one) {
  // sqrt(x) = 2, 1/y = 4, ln(z - 3) = 0 from (-1, 0, 0).
  const auto problem = make_problem(
      {-1, 0, 0}, 3,
      [](auto& x) {
        return std::vector{std::sqrt(x[0]) - 2, 1 / x[1] - 4, std::log(x[2] - 3)};
      },
      [](auto& x) {
        return std::vector<std::vector<double>>{
            {0.5 / std::sqrt(x[0]), 0, 0}, {0, -1 / (x[1] * x[1]), 0}, {0, 0, 1 / (x[2] - 3)}};
      });
  expect_solution(solve(problem), {4, 0.25, 4}, 1e-11);
}

TEST(Solve, square_root_near_the_edge_of_its_domain) {
  auto problem = make_problem(
      {0.5}, 1, [](auto& x) { return std::vector{std::sqrt(x[0]) + x[0] - 1e-4}; },
      [](auto& x) { return std::vector<std::vector<double>>{{0.5 / std::sqrt(x[0]) + 1}}; });
  // sqrt(x) = (-1 + sqrt(1 + 4e-4)) / 2
  const double root = (-1 + std::sqrt(1 + 4e-4)) / 2;
  expect_solution(solve(problem), {root * root}, 1e-15);
}

TEST(Solve, equation_that_is_never_defined_is_named) {
  auto problem = make_problem(
      {1, 1}, 2,
      [](auto& x) {
        return std::vector{x[0] - 1, std::sqrt(-1 - x[1] * x[1])};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, 0}, {0, NAN}};
      });
  problem.equations.names = {"tank.balance", "tank.outflow"};
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.report.status, Status::kUndefined);
  EXPECT_EQ(solution.report.message,
            "`tank.outflow` is not defined at the guesses nor at any point tried around them");
  EXPECT_EQ(solution.x, vec({1, 1}));
}

// ---- ill conditioning and limits ---------------------------------------------------------------

TEST(Solve, hilbert_matrix_beyond_the_rank_tolerance_still_satisfies_the_equations) {
  // Condition 1.6e13 (n = 10), right-hand side for the solution of ones.
  const int n = 10;
  DenseMatrix H(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) H(i, j) = 1.0 / (i + j + 1);
  }
  const Vector b = H * Vector::Ones(n);
  Problem problem;
  problem.unknowns.guess = Vector::Zero(n);
  problem.equations.count = n;
  problem.residual = [=](const Vector& x, Vector& f) { f = H * x - b; };
  problem.dense_jacobian = [=](const Vector&, DenseMatrix& J) { J = H; };
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  EXPECT_LT((H * solution.x - b).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_LT(solution.report.rank, n);
}

TEST(Solve, equations_of_very_different_size_are_all_satisfied) {
  // 1e12 (x - 1) = 0 and 1e-12 (y - x) = 0.
  const auto problem = make_problem(
      {0, 0}, 2,
      [](auto& x) {
        return std::vector{1e12 * (x[0] - 1), 1e-12 * (x[1] - x[0])};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1e12, 0}, {-1e-12, 1e-12}};
      });
  expect_solution(solve(problem), {1, 1}, 1e-14);
}

TEST(Solve, unknowns_of_very_different_size_need_nominal_values_only_for_the_distance) {
  // p = 1e5 + q, q = 1e-7 r, r = 3: pressure, tiny flow.
  auto problem = make_problem(
      {1e5, 0, 0}, 3,
      [](auto& x) {
        return std::vector{x[0] - 1e5 - x[1], x[1] - 1e-7 * x[2], x[2] - 3};
      },
      [](auto&) {
        return std::vector<std::vector<double>>{{1, -1, 0}, {0, 1, -1e-7}, {0, 0, 1}};
      });
  problem.unknowns.nominal = vec({1e5, 1e-7, 1});
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved());
  EXPECT_NEAR(solution.x[1], 3e-7, 1e-20);
}

TEST(Solve, search_ends_when_cancelled) {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0] * x[0] + 1}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  problem.equations.names = {"parabola"};
  Options options;
  options.max_evaluations = 5;
  const Solution solution = solve(problem, options);
  EXPECT_EQ(solution.report.status, Status::kNotConverged);
  EXPECT_THAT(solution.report.message, testing::StartsWith("stopped after "));
  int asked = 0;
  options.max_evaluations = 1000000;
  options.is_cancelled = [&] { return ++asked > 3; };
  EXPECT_EQ(solve(problem, options).report.status, Status::kNotConverged);
  EXPECT_LE(asked, 40);
}

TEST(Solve, methods_can_be_excluded) {
  auto problem = make_problem(
      {1}, 1, [](auto& x) { return std::vector{x[0] * x[0] + 1}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * x[0]}}; });
  Options options;
  options.allows_homotopy = false;
  options.allows_optimization = false;
  for (const Attempt& attempt : solve(problem, options).report.attempts) {
    EXPECT_TRUE(attempt.method == Method::kGaussNewton ||
                attempt.method == Method::kLevenbergMarquardt);
  }
}

// (x - 1)^2 + 1 has no root: everything is tried before that is said, Ipopt last.
TEST(Solve, optimization_is_the_last_resort) {
  const auto problem = make_problem(
      {3}, 1, [](auto& x) { return std::vector{(x[0] - 1) * (x[0] - 1) + 1}; },
      [](auto& x) { return std::vector<std::vector<double>>{{2 * (x[0] - 1)}}; });
  const Solution solution = solve(problem);
  EXPECT_FALSE(solution.is_solved());
  ASSERT_FALSE(solution.report.attempts.empty());
  EXPECT_EQ(solution.report.attempts.front().method, Method::kGaussNewton);
  EXPECT_EQ(solution.report.attempts.back().method, Method::kOptimization);
  for (std::size_t k = 0; k + 1 < solution.report.attempts.size(); ++k)
    EXPECT_NE(solution.report.attempts[k].method, Method::kOptimization);
}

TEST(Solve, second_run_gives_the_same_bits) {
  const Solution first = solve(powell_badly_scaled()), second = solve(powell_badly_scaled());
  EXPECT_EQ(first.x, second.x);
  EXPECT_EQ(first.report.iterations, second.report.iterations);
}

// ---- size --------------------------------------------------------------------------------------

TEST(Solve, large_sparse_system) {
  // Broyden tridiagonal (More, Garbow, Hillstrom no. 30), n = 2000, from -1.
  const int n = 2000;
  Problem problem;
  problem.unknowns.guess = Vector::Constant(n, -1);
  problem.equations.count = n;
  problem.residual = [=](const Vector& x, Vector& f) {
    for (int i = 0; i < n; ++i) {
      f[i] = (3 - 2 * x[i]) * x[i] + 1;
      if (i > 0) f[i] -= x[i - 1];
      if (i + 1 < n) f[i] -= 2 * x[i + 1];
    }
  };
  problem.sparse_jacobian = [=](const Vector& x, Matrix& J) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 3 - 4 * x[i]);
      if (i > 0) entries.emplace_back(i, i - 1, -1);
      if (i + 1 < n) entries.emplace_back(i, i + 1, -2);
    }
    J.setFromTriplets(entries.begin(), entries.end());
  };
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  Vector f(n);
  problem.residual(solution.x, f);
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_EQ(solution.report.rank, n);
}

TEST(Solve, large_sparse_underdetermined_system) {
  // x_i + x_{i+1} = 2 for i = 1..n-1 from 0: general solution 1 +- c; the closest to 0 for even n
  // is 1.
  const int n = 600;
  Problem problem;
  problem.unknowns.guess = Vector::Zero(n);
  problem.equations.count = n - 1;
  problem.residual = [=](const Vector& x, Vector& f) {
    for (int i = 0; i + 1 < n; ++i) f[i] = x[i] + x[i + 1] - 2;
  };
  problem.sparse_jacobian = [=](const Vector&, Matrix& J) {
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i + 1 < n; ++i) {
      entries.emplace_back(i, i, 1);
      entries.emplace_back(i, i + 1, 1);
    }
    J.setFromTriplets(entries.begin(), entries.end());
  };
  const Solution solution = solve(problem);
  ASSERT_TRUE(solution.is_solved()) << solution.report.message;
  EXPECT_LT((solution.x - Vector::Ones(n)).lpNorm<Eigen::Infinity>(), 1e-10);
}

}  // namespace
}  // namespace hydae::init
