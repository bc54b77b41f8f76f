// Random systems with a known solution inside random bounds: quadratic perturbations of random
// linear ones, of every shape and rank. Whatever is returned as solved must be a solution within
// the bounds with the fixed values kept; and near the solution every one must be solved.
#include <cmath>
#include <gmock/gmock.h>
#include <random>

#include "init/example_problems_testing.h"
#include "init/solve.h"

namespace hydae::init {
namespace {

struct RandomSystem {
  Problem problem;
  Vector solution;
};

// f_i(x) = a_i . (x - x*) + c (b_i . (x - x*))^2, rows beyond `rank` are combinations of the
// earlier equations.
RandomSystem make_random(std::mt19937& random, int n, int m, int rank, double curvature) {
  std::normal_distribution<double> normal;
  const auto matrix = [&](int rows, int columns) -> DenseMatrix {
    return DenseMatrix::NullaryExpr(rows, columns, [&] { return normal(random); });
  };
  const DenseMatrix A = matrix(rank, n), B = curvature * matrix(rank, n);
  DenseMatrix mix = DenseMatrix::Identity(m, rank);
  if (m > rank) mix.bottomRows(m - rank) = matrix(m - rank, rank);
  const Vector x_star = matrix(n, 1);

  RandomSystem result;
  result.solution = x_star;
  result.problem.equations.count = m;
  result.problem.residual = [=](const Vector& x, Vector& f) {
    const Vector d = x - x_star;
    f = mix * (A * d + (B * d).cwiseAbs2());
  };
  result.problem.dense_jacobian = [=](const Vector& x, DenseMatrix& J) {
    const Vector d = x - x_star;
    J = mix * (A + 2 * DenseMatrix((B * d).asDiagonal()) * B);
  };
  Unknowns& u = result.problem.unknowns;
  u.lower = u.upper = x_star;
  for (int j = 0; j < n; ++j) {
    const bool is_tight = random() % 4 == 0;  // the solution lies on the bound
    u.lower[j] -= random() % 3 == 0 ? kInf : (is_tight ? 0 : std::abs(normal(random)));
    u.upper[j] += random() % 3 == 0 ? kInf : std::abs(normal(random));
  }
  return result;
}

void expect_valid(const RandomSystem& system, const Solution& solution, int trial) {
  const Unknowns& u = system.problem.unknowns;
  Vector f(system.problem.equations.count);
  system.problem.residual(solution.x, f);
  EXPECT_LT(f.lpNorm<Eigen::Infinity>(), 1e-6 * (1 + solution.x.squaredNorm()))
      << "trial " << trial;
  for (int j = 0; j < solution.x.size(); ++j) {
    EXPECT_GE(solution.x[j], u.lower[j]) << "trial " << trial;
    EXPECT_LE(solution.x[j], u.upper[j]) << "trial " << trial;
  }
}

TEST(RandomSystems, of_every_shape_are_solved_near_a_solution) {
  std::mt19937 random(21);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 400; ++trial) {
    const int n = 1 + static_cast<int>(random() % 7), m = 1 + static_cast<int>(random() % 8);
    const int rank = 1 + static_cast<int>(random() % std::min(n, m));
    auto system = make_random(random, n, m, rank, 0.3);
    system.problem.unknowns.guess = system.solution;
    for (double& value : system.problem.unknowns.guess) value += 0.02 * normal(random);
    const Solution solution = solve(system.problem);
    ASSERT_TRUE(solution.is_solved()) << "trial " << trial << ": " << solution.report.message;
    expect_valid(system, solution, trial);
  }
}

TEST(RandomSystems, far_from_a_solution_are_solved_or_reported_but_never_wrong) {
  std::mt19937 random(22);
  std::normal_distribution<double> normal;
  int num_solved = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int n = 1 + static_cast<int>(random() % 5);
    auto system = make_random(random, n, n, n, 1);
    system.problem.unknowns.guess = Vector::NullaryExpr(n, [&] { return 5 * normal(random); });
    const Solution solution = solve(system.problem);
    if (!solution.is_solved()) {
      EXPECT_FALSE(solution.report.message.empty());
      continue;
    }
    ++num_solved;
    expect_valid(system, solution, trial);
  }
  EXPECT_GE(num_solved, 190);
}

TEST(RandomSystems, fixed_values_that_fit_are_kept_exactly) {
  std::mt19937 random(23);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    auto system = make_random(random, 6, 3, 3, 0.3);
    Unknowns& u = system.problem.unknowns;
    u.guess = system.solution;
    u.is_fixed.assign(6, false);
    for (int j = 0; j < 6; ++j) {
      u.is_fixed[static_cast<std::size_t>(j)] = j % 2 == 0;
      if (j % 2 == 1) u.guess[j] += 0.02 * normal(random);
    }
    const Solution solution = solve(system.problem);
    ASSERT_TRUE(solution.is_solved()) << "trial " << trial << ": " << solution.report.message;
    expect_valid(system, solution, trial);
    for (int j = 0; j < 6; j += 2) EXPECT_EQ(solution.x[j], system.solution[j]);
  }
}

}  // namespace
}  // namespace hydae::init
