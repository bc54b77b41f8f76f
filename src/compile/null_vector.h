// Null vectors that are the same at all points: the null space of the matrices of all points, one
// below the other, each row scaled. So an entry that is tiny at one point counts where it is not.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace hydae {

// v with A_p v = 0 for all matrices A_p, with as few entries as possible, the largest 1.
std::optional<Eigen::VectorXd> find_constant_null_vector(
    const std::vector<Eigen::MatrixXd>& matrices);

// All of them: columns that span the v with A_p v = 0, each with few entries, the largest 1.
Eigen::MatrixXd constant_null_basis(const std::vector<Eigen::MatrixXd>& matrices);

// Which entries of a null vector with few entries are not zero, at the first point.
std::vector<int> null_vector_support(const std::vector<Eigen::MatrixXd>& matrices);

}  // namespace hydae
