// Matrix types of the partitioning algorithm: sparse by rows where equations are walked, sparse by
// columns where variables are.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace hydae::partition {

using SparseMatrix = Eigen::SparseMatrix<double>;
using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Systems up to this size are treated with dense linear algebra, larger ones stay sparse.
inline constexpr int kDenseLimit = 256;

}  // namespace hydae::partition
