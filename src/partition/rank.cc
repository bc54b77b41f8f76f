#include "partition/rank.h"

#include <cmath>
#include <vector>

#include "linalg/dense_factors.h"
#include "linalg/svd.h"

namespace hydae::partition {

namespace {

constexpr int kScalingSweeps = 12;

Vector factors(const Vector& largest) {
  return largest.unaryExpr([](double a) { return a > 0 ? 1 / std::sqrt(a) : 1.0; });
}

int count_above(const Vector& values, double tolerance) {
  if (values.size() == 0 || !(values[0] > 0)) return 0;
  return static_cast<int>((values.array() > tolerance * values[0]).count());
}

}  // namespace

Scaling compute_scaling(const RowMatrix& matrix) {
  Scaling scaling{Vector::Ones(matrix.rows()), Vector::Ones(matrix.cols())};
  for (int sweep = 0; sweep < kScalingSweeps; ++sweep) {
    Vector rows = Vector::Zero(matrix.rows()), columns = Vector::Zero(matrix.cols());
    for (int i = 0; i < matrix.outerSize(); ++i) {
      for (RowMatrix::InnerIterator entry(matrix, i); entry; ++entry) {
        const int j = static_cast<int>(entry.col());
        const double size = std::abs(scaling.rows[i] * entry.value() * scaling.columns[j]);
        rows[i] = std::max(rows[i], size);
        columns[j] = std::max(columns[j], size);
      }
    }
    scaling.rows.array() *= factors(rows).array();
    scaling.columns.array() *= factors(columns).array();
  }
  return scaling;
}

Matrix apply(const Scaling& scaling, const Matrix& matrix) {
  return scaling.rows.asDiagonal() * matrix * scaling.columns.asDiagonal();
}

RowMatrix apply(const Scaling& scaling, const RowMatrix& matrix) {
  return RowMatrix(scaling.rows.asDiagonal() * matrix * scaling.columns.asDiagonal());
}

ScaledRank compute_scaled_rank(const Matrix& matrix, double tolerance) {
  if (matrix.size() == 0) return {};
  const Matrix scaled = apply(compute_scaling(matrix.sparseView(0, 1)), matrix);
  const Vector values = linalg::singular_values(scaled);
  ScaledRank result;
  result.rank = count_above(values, tolerance);
  if (result.rank > 0) result.smallest_kept = values[result.rank - 1] / values[0];
  if (result.rank < values.size() && values[0] > 0) {
    result.largest_dropped = values[result.rank] / values[0];
  }
  return result;
}

Matrix compute_left_null_space(const Matrix& matrix, double tolerance) {
  const Scaling scaling = compute_scaling(matrix.sparseView(0, 1));
  const Matrix scaled = apply(scaling, matrix);
  const int rank = count_above(linalg::singular_values(scaled), tolerance);
  const Matrix Q = linalg::OrthogonalFactors(scaled).Q();
  return scaling.rows.asDiagonal() * Q.rightCols(matrix.rows() - rank);
}

}  // namespace hydae::partition
