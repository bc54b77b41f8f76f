#include "linalg/svd.h"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace hydae::linalg {

namespace {

// Divide and conquer; Eigen itself takes Jacobi rotations for matrices of fewer than 16 columns.
using Decomposition = Eigen::BDCSVD<Eigen::MatrixXd>;

bool is_decomposable(const Eigen::MatrixXd& matrix) {
  return matrix.size() > 0 && matrix.allFinite();
}

Eigen::VectorXd undefined_values(const Eigen::MatrixXd& matrix) {
  return Eigen::VectorXd::Constant(std::min(matrix.rows(), matrix.cols()),
                                   std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  if (!is_decomposable(matrix)) return undefined_values(matrix);
  return Decomposition(matrix).singularValues();
}

Svd compute_svd(const Eigen::MatrixXd& matrix) {
  if (!is_decomposable(matrix)) {
    return {Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows()), undefined_values(matrix),
            Eigen::MatrixXd::Identity(matrix.cols(), matrix.cols())};
  }
  const Decomposition svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace hydae::linalg
