#include "linalg/svd.h"

#include <Eigen/SVD>
#include <algorithm>
#include <limits>

#include "linalg/symmetric_eigen.h"

namespace hydae::linalg {

namespace {

bool is_decomposable(const Eigen::MatrixXd& matrix) {
  return matrix.size() > 0 && matrix.allFinite();
}

Eigen::VectorXd undefined_values(const Eigen::MatrixXd& matrix) {
  return Eigen::VectorXd::Constant(std::min(matrix.rows(), matrix.cols()),
                                   std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

// They are the largest eigenvalues of (0 A; A^T 0), to the same absolute accuracy and in a fraction
// of the time that singular vectors take.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix) {
  if (!is_decomposable(matrix)) return undefined_values(matrix);
  const Eigen::Index m = matrix.rows(), n = matrix.cols();
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(m + n, m + n);
  both.bottomLeftCorner(n, m) = matrix.transpose();  // the lower triangle is read
  return symmetric_eigenvalues(both).tail(std::min(m, n)).reverse().cwiseMax(0.0);
}

// By Jacobi rotations. Eigen's divide and conquer is faster, but Eigen 3.4.0 returns wrong vectors
// for matrices with equal singular values, a permutation matrix with some rows zero for instance.
Svd compute_svd(const Eigen::MatrixXd& matrix) {
  if (!is_decomposable(matrix)) {
    return {Eigen::MatrixXd::Identity(matrix.rows(), matrix.rows()), undefined_values(matrix),
            Eigen::MatrixXd::Identity(matrix.cols(), matrix.cols())};
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace hydae::linalg
