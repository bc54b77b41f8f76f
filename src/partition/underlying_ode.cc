#include "partition/underlying_ode.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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

double UnderlyingOde::compute_log_norm(States states) const {
  if (size() > kDenseLimit) return sparse_log_norm(nullptr, nullptr, states);
  return dense_log_norm(to_dense(), states);
}

double UnderlyingOde::compute_log_norm_with(const Vector& u, const Vector& v, States states) const {
  HYDAE_CHECK(!has_index2());
  if (size() > kDenseLimit) return sparse_log_norm(&u, &v, states);
  return dense_log_norm(to_dense() + u * v.transpose(), states);
}

double UnderlyingOde::dense_log_norm(const Matrix& matrix, States states) const {
  if (states == States::kAll && !is_restricted()) return log_norm(matrix);
  std::vector<int> kept(static_cast<std::size_t>(size()));
  std::iota(kept.begin(), kept.end(), 0);
  if (states == States::kActing) kept = find_acting_states(matrix);
  const Matrix part = matrix(kept, kept);
  if (!is_restricted()) return log_norm(part);
  const Matrix C2 = Matrix(C2_)(Eigen::all, kept);
  const Matrix basis = linalg::orthogonal_complement(C2.transpose());  // of C_2 xi = 0
  return log_norm(basis.transpose() * part * basis);
}

// Without those that act on nothing, nor on anything but such states; a state in C_2 acts on the
// others through the constraint.
std::vector<int> UnderlyingOde::find_acting_states(const Matrix& matrix) const {
  const double noise = 1e-12 * (matrix.size() > 0 ? matrix.cwiseAbs().maxCoeff() : 0.0);
  std::vector<int> kept(static_cast<std::size_t>(size()));
  std::iota(kept.begin(), kept.end(), 0);
  const Matrix C2(C2_);
  const auto acts_on_nothing = [&](int j) {
    if (has_index2() && !C2.col(j).isZero(0)) return false;
    return std::none_of(kept.begin(), kept.end(),
                        [&](int i) { return std::abs(matrix(i, j)) > noise; });
  };
  for (bool found = true; found;) {
    const auto first = std::find_if(kept.begin(), kept.end(), acts_on_nothing);
    found = first != kept.end();
    if (found) kept.erase(first);
  }
  return kept;
}

// The same for large systems, 1 for acting states and 0 for others: those only whose columns are
// zero in everything that the matrix is made of.
Vector UnderlyingOde::mark_acting_states(const Vector* v) const {
  Vector acting = s_.H.column_sizes();
  const auto add = [&](const RowMatrix& matrix) {
    for (int i = 0; i < matrix.outerSize(); ++i) {
      for (RowMatrix::InnerIterator e(matrix, i); e; ++e) acting[e.col()] += std::abs(e.value());
    }
  };
  add(C1_);
  if (has_index2()) add(C2_), add(C2_rate_);
  if (v != nullptr) acting += v->cwiseAbs();
  return acting.unaryExpr([](double size) { return size > 0 ? 1.0 : 0.0; });
}

bool UnderlyingOde::has_idle_states() const {
  return size() > 0 && mark_acting_states(nullptr).minCoeff() == 0;
}

double UnderlyingOde::sparse_log_norm(const Vector* u, const Vector* v, States states) const {
  const Vector acting =
      states == States::kActing ? mark_acting_states(v) : Vector(Vector::Ones(size()));
  std::optional<linalg::SparseLuFactors> gram;  // C_2 C_2^T
  if (is_restricted()) gram.emplace(SparseMatrix(C2_ * C2_.transpose()));
  const auto project = [&](const Vector& x) -> Vector {
    const Vector y = acting.cwiseProduct(x);
    return gram ? Vector(y - C2_.transpose() * gram->solve(C2_ * y)) : y;
  };
  const auto apply = [&](const Vector& x) -> Vector {
    Vector y = (times(x) + transpose_times(x)) / 2;
    if (u != nullptr) y += (*u * v->dot(x) + *v * u->dot(x)) / 2;
    return project(y);
  };
  return find_leading_eigenvalue({size(), apply, project}).value;
}

}  // namespace hydae::partition
