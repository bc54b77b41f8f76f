#include "partition/log_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "linalg/symmetric_eigen.h"

namespace hydae::partition {

namespace {

constexpr int kLargestKrylovSpace = 120;
constexpr int kMostRestarts = 20;
// Of the residual, relative to the spectrum seen; the eigenvalue is off by its square over a gap.
constexpr double kLanczosTolerance = 1e-5;
// Less gain than this from one more Krylov space, relative to the spectrum, is not worth it: the
// leading eigenvalues lie closer together than it matters.
constexpr double kLeastGain = 1e-9;

Vector make_start(const SymmetricOperator& op) {
  std::mt19937_64 random(20000516);  // fixed: the same model gives the same report
  std::normal_distribution<double> normal;
  Vector start = Vector::NullaryExpr(op.size, [&] { return normal(random); });
  return op.project(start);
}

// One Krylov space from `start`: the best Ritz pair in it.
LeadingEigenvalue search_krylov_space(const SymmetricOperator& op, Vector start, double& spread) {
  const int most = std::min(op.size, kLargestKrylovSpace);
  Matrix basis(op.size, most);
  Vector diagonal(most), off_diagonal = Vector::Zero(most);
  int m = 0;
  for (Vector next = start.normalized(); m < most; ++m) {
    basis.col(m) = next;
    Vector image = op.apply(next);
    diagonal[m] = next.dot(image);
    for (int pass = 0; pass < 2; ++pass) {
      image -= basis.leftCols(m + 1) * (basis.leftCols(m + 1).transpose() * image);
    }
    image = op.project(image);
    off_diagonal[m] = image.norm();
    const double size = std::abs(diagonal[m]) + (m > 0 ? off_diagonal[m - 1] : 0.0);
    if (off_diagonal[m] <= 1e-14 * std::max(size, spread)) {
      off_diagonal[m] = 0;
      ++m;
      break;
    }
    next = image / off_diagonal[m];
  }
  const linalg::SymmetricEigen eigen =
      linalg::decompose_tridiagonal(diagonal.head(m), off_diagonal.head(std::max(m - 1, 0)));
  spread = std::max(spread, eigen.values.cwiseAbs().maxCoeff());
  const Vector coefficients = eigen.vectors.col(m - 1);
  return {eigen.values[m - 1], off_diagonal[m - 1] * std::abs(coefficients[m - 1]),
          basis.leftCols(m) * coefficients};
}

}  // namespace

double log_norm(const Matrix& matrix) {
  if (matrix.rows() == 0) return -std::numeric_limits<double>::infinity();
  const Matrix symmetric = (matrix + matrix.transpose()) / 2;
  return linalg::symmetric_eigenvalues(symmetric).maxCoeff();
}

double rank_one_log_norm(const Vector& u, const Vector& v) {
  if (u.size() == 0) return 0;
  if (u.size() == 1) return u[0] * v[0];
  return (u.dot(v) + u.norm() * v.norm()) / 2;
}

LeadingEigenvalue find_leading_eigenvalue(const SymmetricOperator& op) {
  Vector start = make_start(op);
  if (op.size == 0 || start.norm() < 1e-12) {
    return {-std::numeric_limits<double>::infinity(), 0, Vector::Zero(op.size)};
  }
  double spread = 0;
  LeadingEigenvalue best;
  for (int restart = 0; restart < kMostRestarts; ++restart) {
    const double before = best.value;
    best = search_krylov_space(op, std::move(start), spread);
    const bool has_stalled = restart > 0 && best.value - before <= kLeastGain * spread;
    if (best.error <= kLanczosTolerance * spread || has_stalled) break;
    start = best.vector;
  }
  return best;
}

Matrix leading_eigenspace(const Matrix& matrix) {
  const Matrix symmetric = (matrix + matrix.transpose()) / 2;
  const linalg::SymmetricEigen eigen = linalg::decompose_symmetric(symmetric);
  const Vector& values = eigen.values;
  const double size = values.cwiseAbs().maxCoeff();
  const double largest = values[values.size() - 1];
  const auto count = (values.array() >= largest - 1e-9 * size).count();
  return eigen.vectors.rightCols(count);
}

}  // namespace hydae::partition
