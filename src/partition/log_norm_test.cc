#include "partition/log_norm.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "linalg/dense_factors.h"
#include "linalg/svd.h"
#include "partition/constraint_judge.h"

namespace hydae::partition {
namespace {

Matrix random_matrix(int rows, int columns) {
  static std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, columns, [&] { return normal(random); });
}

// Definition 1 with a small e: the quotient is off by about e |A|^2 and rounding 1e-16/e, together
// below 1e-6 for e = 1e-8 and |A| < 10.
TEST(LogNorm, is_the_limit_that_defines_it) {
  const double e = 1e-8;
  for (int n = 1; n <= 5; ++n) {
    const Matrix A = random_matrix(n, n), I = Matrix::Identity(n, n);
    EXPECT_NEAR(log_norm(A), (linalg::singular_values(I + e * A)[0] - 1) / e, 1e-6);
  }
}

TEST(LogNorm, of_no_state_is_minus_infinity) {
  EXPECT_EQ(log_norm(Matrix(0, 0)), -std::numeric_limits<double>::infinity());
}

TEST(RankOneLogNorm, is_that_of_the_matrix) {
  for (int n = 1; n <= 7; ++n) {
    const Vector u = random_matrix(n, 1), v = random_matrix(n, 1);
    EXPECT_NEAR(rank_one_log_norm(u, v), log_norm(u * v.transpose()), 1e-13 * u.norm() * v.norm());
    EXPECT_NEAR(rank_one_log_norm(u, -u), n == 1 ? -u[0] * u[0] : 0.0, 1e-13 * u.squaredNorm());
  }
}

// (11a) for unit vectors and n > 2: max(0.5 (u1.u2 +- 1), 0).
TEST(RankOneLogNorm, is_equation_11) {
  const Vector u = random_matrix(4, 1).normalized(), v = random_matrix(4, 1).normalized();
  const double cosine = u.dot(v);
  EXPECT_NEAR(rank_one_log_norm(u, v), std::max({(cosine + 1) / 2, (cosine - 1) / 2, 0.0}), 1e-14);
}

// (19): 0.5 |u'| + max((-sign(C T) C' T +- |C'| |T|) / (2 |C T|), 0), u = C / |C|.
TEST(Index2Increase, is_equation_19) {
  for (int trial = 0; trial < 20; ++trial) {
    const Vector c = random_matrix(5, 1), rate = random_matrix(5, 1), t = random_matrix(5, 1);
    const double ct = c.dot(t), sign = ct < 0 ? -1 : 1;
    // d/dt (c/|c|) by a central difference: off by h^2, 1e-10, and rounding 1e-16/h.
    const double h = 1e-5;
    const Vector turned = ((c + h * rate).normalized() - (c - h * rate).normalized()) / (2 * h);
    const double printed =
        turned.norm() / 2 +
        std::max({(-sign * rate.dot(t) + rate.norm() * t.norm()) / (2 * std::abs(ct)),
                  (-sign * rate.dot(t) - rate.norm() * t.norm()) / (2 * std::abs(ct)), 0.0});
    EXPECT_NEAR(index2_increase(c, rate, t), printed, 1e-8 * (1 + printed));
  }
}

// Lanczos against the dense solver on what is orthogonal to five vectors: Q^T A Q with a basis Q.
// The residual is 1e-5 of the spectrum at most (50 here), so the value is good to its
// square, 2.5e-7, over a gap of about 1.
TEST(LeadingEigenvalue, of_a_projected_operator_agrees_with_the_dense_one) {
  const int n = 300;
  const Matrix half = random_matrix(n, n), A = (half + half.transpose()) / 2;
  const Matrix fixed = random_matrix(n, 5), Q = linalg::orthogonal_complement(fixed);
  const auto project = [&](const Vector& x) -> Vector { return Q * (Q.transpose() * x); };
  const LeadingEigenvalue found = find_leading_eigenvalue(
      {n, [&](const Vector& x) -> Vector { return project(A * x); }, project});
  EXPECT_NEAR(found.value, log_norm(Q.transpose() * A * Q), 1e-6);
  EXPECT_NEAR(found.vector.norm(), 1, 1e-10);
  EXPECT_LT((fixed.transpose() * found.vector).norm(), 1e-8);
}

TEST(LeadingEigenspace, holds_all_equal_eigenvalues) {
  const Matrix space = leading_eigenspace(Vector{{2, 2, 1, -5}}.asDiagonal().toDenseMatrix());
  ASSERT_EQ(space.cols(), 2);
  EXPECT_NEAR(space.topRows(2).squaredNorm(), 2, 1e-14);
}

}  // namespace
}  // namespace hydae::partition
