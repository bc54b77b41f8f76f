// Singular value decomposition of dense matrices. Eigen's templates for it take long to compile:
// they are instantiated here and nowhere else.
#pragma once

#include <Eigen/Core>

namespace hydae::linalg {

// Descending, min(rows, columns) of them; NaN if the matrix is not finite.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& matrix);

// matrix = U diag(values) V^T with square orthogonal U and V. Values as above.
struct Svd {
  Eigen::MatrixXd U;
  Eigen::VectorXd values;
  Eigen::MatrixXd V;
};
Svd compute_svd(const Eigen::MatrixXd& matrix);

}  // namespace hydae::linalg
