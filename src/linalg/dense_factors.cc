#include "linalg/dense_factors.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <numeric>
#include <optional>

namespace hydae::linalg {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct DenseLu::Factors {
  Eigen::PartialPivLU<MatrixXd> lu;
};

DenseLu::DenseLu(const MatrixXd& matrix) : factors_(std::make_unique<Factors>()) {
  factors_->lu.compute(matrix);
}
DenseLu::~DenseLu() = default;
DenseLu::DenseLu(DenseLu&&) noexcept = default;
DenseLu& DenseLu::operator=(DenseLu&&) noexcept = default;

bool DenseLu::has_zero_pivot() const {
  return (factors_->lu.matrixLU().diagonal().array() == 0).any();
}

double DenseLu::reciprocal_condition() const { return factors_->lu.rcond(); }

int DenseLu::determinant_sign() const {
  int sign = static_cast<int>(factors_->lu.permutationP().determinant());
  for (const double pivot : factors_->lu.matrixLU().diagonal()) sign = pivot < 0 ? -sign : sign;
  return sign;
}

MatrixXd DenseLu::solve(const MatrixXd& rhs) const { return factors_->lu.solve(rhs); }

MatrixXd DenseLu::inverse() const { return factors_->lu.inverse(); }

struct FullPivotLu::Factors {
  Eigen::FullPivLU<MatrixXd> lu;
};

FullPivotLu::FullPivotLu(const MatrixXd& matrix) : factors_(std::make_unique<Factors>()) {
  factors_->lu.compute(matrix);
}
FullPivotLu::~FullPivotLu() = default;
FullPivotLu::FullPivotLu(FullPivotLu&&) noexcept = default;
FullPivotLu& FullPivotLu::operator=(FullPivotLu&&) noexcept = default;

int FullPivotLu::rank() const { return static_cast<int>(factors_->lu.rank()); }

VectorXd FullPivotLu::solve(const VectorXd& rhs) const { return factors_->lu.solve(rhs); }

struct OrthogonalFactors::Factors {
  Eigen::Index num_rows = 0, num_columns = 0;
  std::optional<Eigen::CompleteOrthogonalDecomposition<MatrixXd>> qr;  // none of an empty matrix

  Factors(const MatrixXd& matrix, std::optional<double> rank_tolerance)
      : num_rows(matrix.rows()), num_columns(matrix.cols()) {
    if (matrix.size() == 0) return;
    qr.emplace();
    if (rank_tolerance) qr->setThreshold(*rank_tolerance);
    qr->compute(matrix);
  }
};

OrthogonalFactors::OrthogonalFactors(const MatrixXd& matrix, double rank_tolerance)
    : factors_(std::make_unique<Factors>(matrix, rank_tolerance)) {}
OrthogonalFactors::OrthogonalFactors(const MatrixXd& matrix)
    : factors_(std::make_unique<Factors>(matrix, std::nullopt)) {}
OrthogonalFactors::~OrthogonalFactors() = default;
OrthogonalFactors::OrthogonalFactors(OrthogonalFactors&&) noexcept = default;
OrthogonalFactors& OrthogonalFactors::operator=(OrthogonalFactors&&) noexcept = default;

int OrthogonalFactors::rank() const {
  return factors_->qr ? static_cast<int>(factors_->qr->rank()) : 0;
}

std::vector<int> OrthogonalFactors::column_order() const {
  std::vector<int> result(static_cast<std::size_t>(factors_->num_columns));
  std::iota(result.begin(), result.end(), 0);
  if (!factors_->qr) return result;
  const auto& order = factors_->qr->colsPermutation().indices();
  std::copy(order.begin(), order.end(), result.begin());
  return result;
}

MatrixXd OrthogonalFactors::Q() const {
  if (!factors_->qr) return MatrixXd::Identity(factors_->num_rows, factors_->num_rows);
  return factors_->qr->householderQ();
}

MatrixXd OrthogonalFactors::solve(const MatrixXd& rhs) const {
  if (!factors_->qr) return MatrixXd::Zero(factors_->num_columns, rhs.cols());
  return factors_->qr->solve(rhs);
}

VectorXd solve_regular(const MatrixXd& A, const VectorXd& rhs) {
  return A.partialPivLu().solve(rhs);
}

VectorXd solve_least_squares(const MatrixXd& A, const VectorXd& rhs) {
  return A.completeOrthogonalDecomposition().solve(rhs);
}

MatrixXd orthogonal_complement(const MatrixXd& matrix) {
  if (matrix.cols() == 0) return MatrixXd::Identity(matrix.rows(), matrix.rows());
  const Eigen::HouseholderQR<MatrixXd> qr(matrix);
  const MatrixXd full = qr.householderQ();
  return full.rightCols(matrix.rows() - matrix.cols());
}

std::vector<int> independent_rows(const MatrixXd& matrix) {
  const Eigen::FullPivLU<MatrixXd> lu(matrix);
  const auto& order = lu.permutationP().indices();  // row i of the matrix goes to row order[i]
  std::vector<int> rows;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    if (order[i] < matrix.cols()) rows.push_back(static_cast<int>(i));
  }
  return rows;
}

}  // namespace hydae::linalg
