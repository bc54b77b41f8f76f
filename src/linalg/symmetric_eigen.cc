#include "linalg/symmetric_eigen.h"

#include <Eigen/Eigenvalues>

namespace hydae::linalg {

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Solver(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen decompose_symmetric(const Eigen::MatrixXd& matrix) {
  const Solver solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

SymmetricEigen decompose_tridiagonal(const Eigen::VectorXd& diagonal,
                                     const Eigen::VectorXd& off_diagonal) {
  Solver solver;
  solver.computeFromTridiagonal(diagonal, off_diagonal);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace hydae::linalg
