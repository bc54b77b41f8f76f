// Eigenvalues and eigenvectors of symmetric matrices, compiled once.
#pragma once

#include <Eigen/Core>

namespace hydae::linalg {

// Ascending. Only the lower triangle is read.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

// Eigenvalues ascending, column k of `vectors` belongs to value k; orthonormal.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen decompose_symmetric(const Eigen::MatrixXd& matrix);
SymmetricEigen decompose_tridiagonal(const Eigen::VectorXd& diagonal,
                                     const Eigen::VectorXd& off_diagonal);

}  // namespace hydae::linalg
