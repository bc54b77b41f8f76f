// Null vectors that are the same at all points. A null space has many bases; its echelon form with
// pivots chosen once is unique, so a space that does not depend on the point gives constant
// vectors.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

namespace hydae {

// v with A_p v = 0 for all matrices A_p, with as few entries as possible, the largest 1. None if no
// vector of the echelon bases is constant.
std::optional<Eigen::VectorXd> find_constant_null_vector(
    const std::vector<Eigen::MatrixXd>& matrices);

// Which entries of a null vector with few entries are not zero, at the first point; the same places
// at all points.
std::vector<int> null_vector_support(const std::vector<Eigen::MatrixXd>& matrices);

}  // namespace hydae
