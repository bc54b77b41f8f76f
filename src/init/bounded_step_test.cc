#include "init/bounded_step.h"

#include <gmock/gmock.h>
#include <limits>
#include <random>

#include "init/example_problems_testing.h"

namespace hydae::init {
namespace {

Matrix sparse(const DenseMatrix& A) { return A.sparseView(); }

TEST(BoundedStep, without_bounds_is_the_shortest_step) {
  // x + 2 y = 5: shortest solution (1, 2).
  BoundedStep solver(1e-11);
  const DenseMatrix J = Eigen::RowVector2d(1, 2);
  const Vector s = solver.compute(sparse(J), vec({-5}), vec({-kInf, -kInf}), vec({kInf, kInf}));
  EXPECT_TRUE(s.isApprox(vec({1, 2}), 1e-14));
  EXPECT_FALSE(solver.is_at_bound(0));
}

TEST(BoundedStep, continues_parallel_to_the_bound_with_the_kernel) {
  // The same with y <= 1: x = 3 (figure 5 of the paper of 2010).
  BoundedStep solver(1e-11);
  const DenseMatrix J = Eigen::RowVector2d(1, 2);
  const Vector s = solver.compute(sparse(J), vec({-5}), vec({-kInf, -kInf}), vec({kInf, 1}));
  EXPECT_TRUE(s.isApprox(vec({3, 1}), 1e-14));
  EXPECT_TRUE(solver.is_at_bound(1));
  // Corrections for other residuals leave the bound unknown alone.
  EXPECT_TRUE(solver.correct(vec({1})).isApprox(vec({-1, 0}), 1e-14));
}

TEST(BoundedStep, without_kernel_goes_to_the_least_residual_on_the_bound) {
  BoundedStep solver(1e-11);
  const Vector s = solver.compute(sparse(DenseMatrix::Identity(2, 2)), vec({-5, -5}), vec({-9, -9}),
                                  vec({9, 1}));
  EXPECT_TRUE(s.isApprox(vec({5, 1}), 1e-14));
}

TEST(BoundedStep, frees_an_unknown_that_was_bound_on_the_way) {
  // Least squares with optimum where the first unknown met by the straight way to the free solution
  // is not at its bound in the end; checked against the conditions of optimality below.
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const int n = 1 + trial % 6, m = 1 + static_cast<int>(random() % 6);
    const DenseMatrix J = DenseMatrix::NullaryExpr(m, n, [&] { return normal(random); });
    const Vector f = Vector::NullaryExpr(m, [&] { return 3 * normal(random); });
    const Vector lower = Vector::NullaryExpr(n, [&] { return -std::abs(normal(random)); });
    const Vector upper = Vector::NullaryExpr(n, [&] { return std::abs(normal(random)); });
    BoundedStep solver(1e-11);
    const Vector s = solver.compute(sparse(J), f, lower, upper);
    // Optimality of min |J s + f|^2 in a box: the gradient vanishes inside, points outwards at a
    // bound.
    const Vector gradient = J.transpose() * (J * s + f);
    for (int j = 0; j < n; ++j) {
      ASSERT_GE(s[j], lower[j]);
      ASSERT_LE(s[j], upper[j]);
      const double noise = 1e-9 * J.norm() * f.norm();
      if (s[j] > lower[j]) {
        EXPECT_LE(gradient[j], noise) << "trial " << trial;
      }
      if (s[j] < upper[j]) {
        EXPECT_GE(gradient[j], -noise) << "trial " << trial;
      }
    }
  }
}

TEST(BoundedStep, damping_shortens_the_step_as_ridge_regression_does) {
  // (J^T J + d I) s = -J^T f with J = 2, f = -4, d = 4: s = 8 / 8.
  BoundedStep solver(1e-11);
  const Vector s = solver.compute(sparse(DenseMatrix::Constant(1, 1, 2)), vec({-4}), vec({-kInf}),
                                  vec({kInf}), 4);
  EXPECT_NEAR(s[0], 1, 1e-14);
}

TEST(BoundedStep, no_equations_and_no_unknowns) {
  BoundedStep solver(1e-11);
  EXPECT_EQ(solver.compute(Matrix(0, 2), Vector(0), vec({0, 0}), vec({1, 1})), Vector::Zero(2));
  EXPECT_EQ(solver.compute(Matrix(2, 0), Vector::Ones(2), Vector(0), Vector(0)).size(), 0);
}

}  // namespace
}  // namespace hydae::init
