// The linear complementarity problem: find z >= 0 with w = q + M z >= 0 and z'w = 0. Lemke's
// algorithm with the lexicographic rule against cycles (Cottle, Pang & Stone, The Linear
// Complementarity Problem, 1992, 4.4): finds a solution for every positive semidefinite M that has
// one, and says so when it ends on a ray.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace hydae::linalg {

// No value: no solution was found. For a positive semidefinite M there is none then.
std::optional<Eigen::VectorXd> solve_lcp(const Eigen::MatrixXd& M, const Eigen::VectorXd& q);

}  // namespace hydae::linalg
