// Each decomposition multiplied out again. Bounds: backward errors of orthogonal methods and of
// LU with pivots are a small multiple of n eps |A|; n <= 40 and |A| ~ n here, so 1e-12 has two
// digits to spare.
#include <Eigen/Core>
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"
#include "linalg/svd.h"
#include "linalg/symmetric_eigen.h"

namespace hydae::linalg {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kRounding = 1e-12;

MatrixXd random_matrix(int rows, int columns, int rank) {
  static std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  const auto draw = [&](int m, int n) {
    return MatrixXd(MatrixXd::NullaryExpr(m, n, [&] { return normal(random); }));
  };
  return draw(rows, rank) * draw(rank, columns);
}

double distance(const MatrixXd& a, const MatrixXd& b) {
  return a.size() > 0 ? (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff()) : 0.0;
}

struct Shape {
  int rows, columns, rank;
};
const std::vector<Shape> kShapes{{1, 1, 1},   {3, 5, 3},    {5, 3, 2},    {20, 20, 20},
                                 {40, 25, 7}, {25, 40, 25}, {33, 33, 32}, {4, 4, 0}};

TEST(Svd, gives_the_matrix_back_with_orthogonal_factors) {
  for (const Shape& shape : kShapes) {
    const MatrixXd a = random_matrix(shape.rows, shape.columns, shape.rank);
    const Svd svd = compute_svd(a);
    MatrixXd s = MatrixXd::Zero(shape.rows, shape.columns);
    s.diagonal() = svd.values;
    EXPECT_LT(distance(svd.U * s * svd.V.transpose(), a), kRounding);
    EXPECT_LT(distance(svd.U * svd.U.transpose(), MatrixXd::Identity(shape.rows, shape.rows)),
              kRounding);
    EXPECT_LT(distance(svd.V * svd.V.transpose(), MatrixXd::Identity(shape.columns, shape.columns)),
              kRounding);
    EXPECT_LT(distance(singular_values(a), svd.values), kRounding);
  }
}

// Singular values 1 and 0, many times each, hidden by permutations and a few other entries.
TEST(Svd, equal_singular_values_do_no_harm) {
  std::mt19937_64 random(1);
  for (int n = 2; n <= 40; ++n) {
    MatrixXd a = MatrixXd::Zero(n, n);
    const int rank = n / 2 + 1;
    a.topLeftCorner(rank, rank).setIdentity();
    a.topLeftCorner(rank / 2, rank / 2) += random_matrix(rank / 2, rank / 2, rank / 2) / (4.0 * n);
    std::vector<int> rows(static_cast<std::size_t>(n));
    std::iota(rows.begin(), rows.end(), 0);
    std::vector<int> columns = rows;
    std::shuffle(rows.begin(), rows.end(), random);
    std::shuffle(columns.begin(), columns.end(), random);
    const MatrixXd b = a(rows, columns);
    const Svd svd = compute_svd(b);
    EXPECT_LT(distance(svd.U * svd.values.asDiagonal() * svd.V.transpose(), b), kRounding);
    EXPECT_LT(distance(svd.U.transpose() * svd.U, MatrixXd::Identity(n, n)), kRounding);
    EXPECT_LT(distance(singular_values(b), svd.values), kRounding);
  }
}

TEST(Svd, of_matrices_without_rows_or_columns_is_the_identity) {
  const Svd svd = compute_svd(MatrixXd(0, 3));
  EXPECT_EQ(svd.U.rows(), 0);
  EXPECT_TRUE(svd.V.isIdentity(0));
  EXPECT_EQ(singular_values(MatrixXd(2, 0)).size(), 0);
}

TEST(SymmetricEigen, gives_the_matrix_back_and_values_ascend) {
  const MatrixXd half = random_matrix(20, 20, 20), a = half + half.transpose();
  const SymmetricEigen eigen = decompose_symmetric(a);
  EXPECT_LT(distance(eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose(), a),
            kRounding);
  EXPECT_TRUE(std::is_sorted(eigen.values.begin(), eigen.values.end()));
  EXPECT_LT(distance(symmetric_eigenvalues(a), eigen.values), kRounding);
}

// The second difference matrix of size n has the eigenvalues 2 - 2 cos(k pi / (n + 1)).
TEST(SymmetricEigen, of_second_differences_is_the_closed_form) {
  const int n = 12;
  const SymmetricEigen eigen =
      decompose_tridiagonal(VectorXd::Constant(n, 2), VectorXd::Constant(n - 1, -1));
  for (int k = 1; k <= n; ++k) {
    EXPECT_NEAR(eigen.values[k - 1], 2 - 2 * std::cos(k * M_PI / (n + 1)), 1e-14);
  }
}

TEST(DenseLu, solves_inverts_and_knows_the_sign_of_the_determinant) {
  const MatrixXd a = random_matrix(30, 30, 30), b = random_matrix(30, 2, 2);
  const DenseLu lu(a);
  EXPECT_LT(distance(a * lu.solve(b), b), 1e-10);  // condition number of a: some 1e3 at most
  EXPECT_LT(distance(a * lu.inverse(), MatrixXd::Identity(30, 30)), 1e-10);
  EXPECT_FALSE(lu.has_zero_pivot());
  // One exchange of rows: determinant -1.
  const MatrixXd exchange{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}};
  EXPECT_EQ(DenseLu(exchange).determinant_sign(), -1);
  EXPECT_EQ(DenseLu(-exchange).determinant_sign(), 1);
  EXPECT_EQ(DenseLu(exchange).reciprocal_condition(), 1);
  EXPECT_TRUE(DenseLu(MatrixXd{{1, 2}, {2, 4}}).has_zero_pivot());
}

// Penrose: X = A^+ iff A X A = A, X A X = X, and A X, X A are symmetric.
TEST(OrthogonalFactors, rank_and_pseudo_inverse) {
  for (const Shape& shape : kShapes) {
    const MatrixXd a = random_matrix(shape.rows, shape.columns, shape.rank);
    const OrthogonalFactors factors(a, 1e-10);
    ASSERT_EQ(factors.rank(), shape.rank);
    const MatrixXd x = factors.solve(MatrixXd::Identity(shape.rows, shape.rows));
    EXPECT_LT(distance(a * x * a, a), 1e-10);
    EXPECT_LT(distance(x * a * x, x), 1e-10);
    EXPECT_LT(distance((a * x).transpose(), a * x), 1e-10);
    EXPECT_LT(distance((x * a).transpose(), x * a), 1e-10);
    const MatrixXd range = factors.Q().leftCols(shape.rank);
    EXPECT_LT(distance(range * (range.transpose() * a), a), kRounding);
    std::vector<int> first = factors.column_order();
    first.resize(static_cast<std::size_t>(shape.rank));
    EXPECT_EQ(OrthogonalFactors(a(Eigen::all, first), 1e-10).rank(), shape.rank);
  }
}

TEST(OrthogonalComplement, is_orthonormal_and_orthogonal_to_the_columns) {
  const MatrixXd a = random_matrix(12, 5, 5), n = orthogonal_complement(a);
  ASSERT_EQ(n.cols(), 7);
  EXPECT_LT((a.transpose() * n).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT(distance(n.transpose() * n, MatrixXd::Identity(7, 7)), kRounding);
}

TEST(IndependentRows, form_an_invertible_part) {
  const MatrixXd a = random_matrix(15, 4, 4);
  const std::vector<int> rows = independent_rows(a);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_GT(singular_values(a(rows, Eigen::all))[3], 1e-3);
}

TEST(SparseLuFactors, solves_with_the_matrix_and_its_transpose) {
  const MatrixXd a = random_matrix(30, 30, 30);
  const VectorXd b = VectorXd::LinSpaced(30, -1, 1);
  const SparseLuFactors lu(SparseMatrix(a.sparseView()));
  ASSERT_TRUE(lu.is_regular());
  EXPECT_LT(distance(a * lu.solve(b), b), 1e-10);
  EXPECT_LT(distance(a.transpose() * lu.solve_transposed(b), b), 1e-10);
  EXPECT_EQ(lu.determinant_sign(), DenseLu(a).determinant_sign());
  EXPECT_FALSE(SparseLuFactors(SparseMatrix(3, 3)).is_regular());
}

TEST(SparseQrFactors, multiply_to_the_matrix_with_its_columns_in_order) {
  for (const Shape& shape : kShapes) {
    const MatrixXd a = random_matrix(shape.rows, shape.columns, shape.rank);
    const SparseQrFactors qr(a.sparseView(), 1e-10);
    ASSERT_EQ(qr.rank(), shape.rank);
    MatrixXd product(shape.rows, shape.columns);
    for (int k = 0; k < shape.columns; ++k) {
      VectorXd r = VectorXd::Zero(shape.rows);
      r.head(qr.rank()) = VectorXd(qr.R().col(k));
      product.col(qr.column_order()[static_cast<std::size_t>(k)]) = qr.q_times(r);
      EXPECT_LT(distance(qr.q_transpose_times(qr.q_times(r)), r), kRounding);
    }
    EXPECT_LT(distance(product, a), 1e-10);
  }
}

// Rank by construction; of a deficient matrix a right-hand side in its range has a solution.
TEST(FullPivotLu, finds_rank_and_a_solution_whatever_the_shape) {
  for (const auto& [rows, columns, rank] : kShapes) {
    const MatrixXd A = random_matrix(rows, columns, rank);
    const VectorXd b = A * VectorXd::Ones(columns);
    const FullPivotLu lu(A);
    EXPECT_EQ(lu.rank(), rank) << rows << " x " << columns;
    EXPECT_LT(distance(A * lu.solve(b), b), kRounding) << rows << " x " << columns;
  }
}

// Ones are the only solution for a regular matrix; of all solutions the smallest is orthogonal to
// the null space, so it is the projection of ones onto the range of the transpose: A^T z for some
// z.
TEST(Solutions, are_the_only_one_or_the_smallest) {
  const MatrixXd regular = random_matrix(12, 12, 12), wide = random_matrix(3, 8, 3);
  EXPECT_LT(distance(solve_regular(regular, regular * VectorXd::Ones(12)), VectorXd::Ones(12)),
            1e-9);
  const VectorXd b = wide * VectorXd::Ones(8), x = solve_least_squares(wide, b);
  EXPECT_LT(distance(wide * x, b), kRounding);
  const VectorXd z = solve_least_squares(wide.transpose(), x);
  EXPECT_LT(distance(wide.transpose() * z, x), kRounding);
}

}  // namespace
}  // namespace hydae::linalg
