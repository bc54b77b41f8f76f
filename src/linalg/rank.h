// Rank of dense matrices whose rows and columns have very different sizes: they are scaled first,
// and the decision is made on the singular values of the scaled matrix.
#pragma once

#include <Eigen/Core>

namespace hydae::linalg {

// Singular values below this share of the largest one, after scaling, count as zero.
inline constexpr double kRankTolerance = 1e-10;

// Largest singular value over the smallest, of the scaled matrix; infinite for a deficient rank.
double scaled_condition(const Eigen::MatrixXd& matrix);

// Columns that span { v : matrix v = 0 }.
Eigen::MatrixXd null_space(const Eigen::MatrixXd& matrix);

}  // namespace hydae::linalg
