#include "partition/underlying_ode.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check.h"
#include "linalg/dense_factors.h"
#include "linalg/sparse_factors.h"

namespace hydae::partition {

namespace {

RowMatrix take_rows(const RowMatrix& matrix, const std::vector<int>& rows) {
  RowMatrix result(static_cast<Eigen::Index>(rows.size()), matrix.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) result.row(i) = matrix.row(rows[i]);
  return result;
}

SparseMatrix take_columns(const SparseMatrix& matrix, const std::vector<int>& columns) {
  SparseMatrix result(matrix.rows(), static_cast<Eigen::Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) result.col(j) = matrix.col(columns[j]);
  return result;
}

}  // namespace

UnderlyingOde::UnderlyingOde(const SemiExplicit& s, const PivotSet& index1,
                             const Eliminated* eliminated, const PivotSet* index2)
    : s_(s),
      index1_(index1),
      eliminated_(eliminated),
      index2_(index2),
      C1_(take_rows(s.G, index1.rows())),
      Q_(take_columns(s.B, index1.columns())) {
  if (!has_index2()) return;
  C2_ = take_rows(eliminated_->C, index2_->rows());
  C2_rate_ = take_rows(eliminated_->C_rate, index2_->rows());
  T_ = take_columns(eliminated_->T, index2_->columns());
}

Vector UnderlyingOde::index1_times(const Vector& x) const {
  Vector result = s_.H.times(x);
  if (index1_.size() > 0) result -= Q_ * index1_.inverse().inverse_times(Vector(C1_ * x));
  return result;
}

Vector UnderlyingOde::index1_transpose_times(const Vector& x) const {
  Vector result = s_.H.transpose_times(x);
  if (index1_.size() > 0) {
    const Vector y = index1_.inverse().inverse_transpose_times(Vector(Q_.transpose() * x));
    result -= C1_.transpose() * y;
  }
  return result;
}

Vector UnderlyingOde::times(const Vector& x) const {
  Vector result = index1_times(x);
  if (!has_index2()) return result;
  return result - T_ * index2_->inverse().inverse_times(Vector(C2_ * result + C2_rate_ * x));
}

Vector UnderlyingOde::transpose_times(const Vector& x) const {
  if (!has_index2()) return index1_transpose_times(x);
  const Vector w = index2_->inverse().inverse_transpose_times(Vector(T_.transpose() * x));
  return index1_transpose_times(x - C2_.transpose() * w) - C2_rate_.transpose() * w;
}

Matrix UnderlyingOde::to_dense() const {
  Matrix result(size(), size());
  for (int j = 0; j < size(); ++j) result.col(j) = times(Vector::Unit(size(), j));
  return result;
}

double UnderlyingOde::compute_log_norm() const {
  if (size() > kDenseLimit) return sparse_log_norm(nullptr, nullptr);
  return dense_log_norm();
}

double UnderlyingOde::compute_log_norm_with(const Vector& u, const Vector& v) const {
  HYDAE_CHECK(!has_index2());
  if (size() > kDenseLimit) return sparse_log_norm(&u, &v);
  return log_norm(to_dense() + u * v.transpose());
}

double UnderlyingOde::dense_log_norm() const {
  if (!has_index2()) return log_norm(to_dense());
  const Matrix basis = linalg::orthogonal_complement(Matrix(C2_.transpose()));  // of C_2 xi = 0
  return log_norm(basis.transpose() * to_dense() * basis);
}

double UnderlyingOde::sparse_log_norm(const Vector* u, const Vector* v) const {
  SymmetricOperator op;
  op.size = size();
  op.apply = [&](const Vector& x) -> Vector {
    Vector y = (times(x) + transpose_times(x)) / 2;
    if (u != nullptr) y += (*u * v->dot(x) + *v * u->dot(x)) / 2;
    return y;
  };
  op.project = [](const Vector& x) { return x; };
  std::optional<linalg::SparseLuFactors> gram;  // C_2 C_2^T
  if (has_index2()) {
    gram.emplace(SparseMatrix(C2_ * C2_.transpose()));
    op.project = [&](const Vector& x) -> Vector {
      return x - C2_.transpose() * gram->solve(C2_ * x);
    };
  }
  const auto on_manifold = [&](const Vector& x) { return op.project(op.apply(x)); };
  return find_leading_eigenvalue({op.size, on_manifold, op.project}).value;
}

double log_norm_without_quadratures(const Matrix& matrix) {
  const double noise = 1e-12 * (matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0);
  std::vector<int> kept(matrix.rows());
  for (int i = 0; i < matrix.rows(); ++i) kept[i] = i;
  const auto is_quadrature = [&](int j) {
    return std::none_of(kept.begin(), kept.end(),
                        [&](int i) { return std::abs(matrix(i, j)) > noise; });
  };
  for (bool found = true; found;) {
    const auto first = std::find_if(kept.begin(), kept.end(), is_quadrature);
    found = first != kept.end();
    if (found) kept.erase(first);
  }
  return log_norm(matrix(kept, kept));
}

}  // namespace hydae::partition
