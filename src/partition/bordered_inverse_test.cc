#include "partition/bordered_inverse.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace hydae::partition {
namespace {

using Entries = BorderedInverse::Entries;

Entries entries_of(const Vector& dense) {
  Entries result;
  for (int i = 0; i < dense.size(); ++i) {
    if (dense[i] != 0) result.push_back({i, dense[i]});
  }
  return result;
}

Vector to_dense(const Entries& entries, int size) {
  Vector result = Vector::Zero(size);
  for (const auto& [position, value] : entries) result[position] += value;
  return result;
}

// The matrix row by row and column by column.
BorderedInverse build(const Matrix& A) {
  BorderedInverse inverse;
  for (int k = 0; k < A.rows(); ++k) {
    inverse.append(entries_of(A.row(k).head(k).transpose()), entries_of(A.col(k).head(k)), A(k, k));
  }
  return inverse;
}

// Sparse with a dominant diagonal: condition numbers of some 10, so 1e-13 is rounding.
Matrix random_of_density(int n, double density) {
  static std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Matrix A = Matrix::NullaryExpr(
      n, n, [&] { return std::abs(uniform(random)) < density ? uniform(random) : 0.0; });
  A.diagonal() += Vector::Constant(n, 2 + n * density);
  return A;
}

TEST(BorderedInverse, is_the_inverse_after_every_row_and_column) {
  for (double density : {0.02, 0.1, 0.6}) {
    const Matrix A = random_of_density(40, density);
    const BorderedInverse inverse = build(A);
    const Vector b = Vector::LinSpaced(40, -1, 2);
    EXPECT_LT((A * inverse.inverse_times(b) - b).norm(), 1e-12);
    EXPECT_LT((A.transpose() * inverse.inverse_transpose_times(b) - b).norm(), 1e-12);
    const Vector row = to_dense(inverse.times_inverse(entries_of(b)), 40);
    const Vector column = to_dense(inverse.inverse_times(entries_of(b)), 40);
    EXPECT_LT((row.transpose() * A - b.transpose()).norm(), 1e-12);
    EXPECT_LT((A * column - b).norm(), 1e-12);
  }
}

// Positions 0, 2, 4, ... and 1, 3, 5, ... do not touch; a last row that holds both joins them.
TEST(BorderedInverse, parts_that_do_not_touch_stay_apart_until_something_joins_them) {
  const int n = 12;
  Matrix A = random_of_density(n, 1);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A(i, j) *= (i + j) % 2 == 0;
  }
  BorderedInverse inverse = build(A);
  EXPECT_EQ(inverse.num_blocks(), 2);
  inverse.append(Entries{{0, 1.0}, {1, 1.0}}, Entries{}, 3);
  EXPECT_EQ(inverse.num_blocks(), 1);
  Matrix larger = Matrix::Zero(n + 1, n + 1);
  larger.topLeftCorner(n, n) = A;
  larger(n, 0) = larger(n, 1) = 1;
  larger(n, n) = 3;
  const Vector b = Vector::Ones(n + 1);
  EXPECT_LT((larger * inverse.inverse_times(b) - b).norm(), 1e-12);
}

// The first pivot 1e-12 makes numbers of 1e12 in the update, which cancel: without a fresh
// factorisation four digits would be left of the inverse of a matrix of condition number 3.
TEST(BorderedInverse, small_pivots_do_not_cost_digits) {
  Matrix A(3, 3);
  A << 1e-12, 1, 0.5, 1, 0.3, 1, 0.2, 1, 2;
  const Vector b = Vector::Ones(3);
  EXPECT_LT((A * build(A).inverse_times(b) - b).norm(), 1e-11);
}

}  // namespace
}  // namespace hydae::partition
