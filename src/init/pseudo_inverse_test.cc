#include "init/pseudo_inverse.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <gmock/gmock.h>
#include <random>

namespace hydae::init {
namespace {

constexpr double kRankTolerance = 1e-11;

Matrix compressed(const DenseMatrix& A) {
  Matrix result = A.sparseView();
  result.makeCompressed();
  return result;
}

// Rows, columns and rank; more than 250 of one uses the sparse decompositions.
struct Shape {
  int rows, columns, rank;
};

class PseudoInverseOfShape : public testing::TestWithParam<Shape> {};

// Moore and Penrose: A A^+ A = A and A^+ A A^+ = A^+ with A A^+ and A^+ A symmetric. On vectors:
// the residual of x = A^+ b is orthogonal to the range of A, and x is orthogonal to its kernel,
// that is x = A^T y for some y.
TEST_P(PseudoInverseOfShape, gives_the_shortest_least_squares_solution) {
  const auto [rows, columns, rank] = GetParam();
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  // A band of independent rows, repeated in combinations: sparse, of known rank.
  DenseMatrix left = DenseMatrix::Zero(rows, rank), right = DenseMatrix::Zero(rank, columns);
  for (int i = 0; i < rows; ++i) {
    left(i, i % rank) = 1 + 0.1 * normal(random);
    if (i >= rank) left(i, (i + 1) % rank) += 0.5;
  }
  for (int j = 0; j < columns; ++j) {
    right(j % rank, j) = 1 + 0.1 * normal(random);
    if (j >= rank) right((j + 3) % rank, j) += 0.5;
  }
  const DenseMatrix A = left * right;
  const Vector b = Vector::NullaryExpr(rows, [&] { return normal(random); });

  PseudoInverse inverse;
  inverse.compute(compressed(A), kRankTolerance);
  EXPECT_EQ(inverse.rank(), rank);
  const Vector x = inverse.apply(b);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-10 * b.norm());
  const Vector y = A.transpose().colPivHouseholderQr().solve(x);
  EXPECT_LT((A.transpose() * y - x).norm(), 1e-10 * x.norm());

  const auto chosen = inverse.independent_columns();
  ASSERT_EQ(static_cast<int>(chosen.size()), rank);
  EXPECT_EQ(A(Eigen::all, chosen).colPivHouseholderQr().rank(), rank);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PseudoInverseOfShape,
                         testing::Values(Shape{4, 4, 4}, Shape{3, 7, 3}, Shape{7, 3, 3},
                                         Shape{6, 6, 4}, Shape{5, 9, 3}, Shape{9, 5, 3},
                                         Shape{300, 300, 300}, Shape{260, 330, 260},
                                         Shape{330, 260, 260}, Shape{300, 300, 280},
                                         Shape{260, 330, 240}, Shape{330, 260, 240}));

TEST(PseudoInverse, of_nothing_is_zero) {
  PseudoInverse inverse;
  inverse.compute(Matrix(0, 3), kRankTolerance);
  EXPECT_EQ(inverse.apply(Vector(0)), Vector::Zero(3));
  inverse.compute(Matrix(2, 0), kRankTolerance);
  EXPECT_EQ(inverse.apply(Vector::Ones(2)).size(), 0);
  inverse.compute(Matrix(2, 3), kRankTolerance);
  EXPECT_EQ(inverse.rank(), 0);
  EXPECT_EQ(inverse.apply(Vector::Ones(2)), Vector::Zero(3));
}

TEST(PseudoInverse, large_square_matrix_that_is_nearly_singular_loses_the_small_direction) {
  DenseMatrix A = DenseMatrix::Identity(300, 300);
  A(299, 299) = 1e-13;
  PseudoInverse inverse;
  inverse.compute(compressed(A), kRankTolerance);
  EXPECT_EQ(inverse.rank(), 299);
  EXPECT_LT(inverse.apply(Vector::Ones(300)).lpNorm<Eigen::Infinity>(), 1.001);
}

}  // namespace
}  // namespace hydae::init
