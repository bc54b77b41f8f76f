#include "linalg/sparse_factors.h"

#include <Eigen/SparseLU>
#include <Eigen/SparseQR>

namespace hydae::linalg {

using Eigen::VectorXd;

struct SparseLuFactors::Factors {
  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<int>> lu;
};

SparseLuFactors::SparseLuFactors(SparseMatrix matrix) : factors_(std::make_unique<Factors>()) {
  matrix.makeCompressed();
  factors_->lu.compute(matrix);
}
SparseLuFactors::~SparseLuFactors() = default;
SparseLuFactors::SparseLuFactors(SparseLuFactors&&) noexcept = default;
SparseLuFactors& SparseLuFactors::operator=(SparseLuFactors&&) noexcept = default;

bool SparseLuFactors::is_regular() const { return factors_->lu.info() == Eigen::Success; }
int SparseLuFactors::size() const { return static_cast<int>(factors_->lu.cols()); }
int SparseLuFactors::determinant_sign() const {
  return static_cast<int>(factors_->lu.signDeterminant());
}
VectorXd SparseLuFactors::solve(const VectorXd& rhs) const { return factors_->lu.solve(rhs); }
VectorXd SparseLuFactors::solve_transposed(const VectorXd& rhs) const {
  return factors_->lu.transpose().solve(rhs);
}

struct SparseQrFactors::Factors {
  Eigen::SparseQR<SparseMatrix, Eigen::COLAMDOrdering<int>> qr;
  std::vector<int> order;
  SparseMatrix R;
};

SparseQrFactors::SparseQrFactors(SparseMatrix matrix, double threshold)
    : factors_(std::make_unique<Factors>()) {
  matrix.makeCompressed();
  if (threshold >= 0) factors_->qr.setPivotThreshold(threshold);
  factors_->qr.compute(matrix);
  const auto& order = factors_->qr.colsPermutation().indices();
  factors_->order.assign(order.data(), order.data() + order.size());
  // Eigen leaves the rows of R out of order: by rows and back they are ascending.
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = factors_->qr.matrixR();
  factors_->R = by_rows.topRows(rank());
}
SparseQrFactors::~SparseQrFactors() = default;
SparseQrFactors::SparseQrFactors(SparseQrFactors&&) noexcept = default;
SparseQrFactors& SparseQrFactors::operator=(SparseQrFactors&&) noexcept = default;

int SparseQrFactors::rows() const { return static_cast<int>(factors_->qr.rows()); }
int SparseQrFactors::rank() const { return static_cast<int>(factors_->qr.rank()); }
const std::vector<int>& SparseQrFactors::column_order() const { return factors_->order; }
const SparseMatrix& SparseQrFactors::R() const { return factors_->R; }
VectorXd SparseQrFactors::q_times(const VectorXd& x) const { return factors_->qr.matrixQ() * x; }
VectorXd SparseQrFactors::q_transpose_times(const VectorXd& x) const {
  return factors_->qr.matrixQ().transpose() * x;
}
VectorXd SparseQrFactors::solve(const VectorXd& rhs) const { return factors_->qr.solve(rhs); }

}  // namespace hydae::linalg
