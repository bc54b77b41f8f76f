#include "compile/null_vector.h"

#include <algorithm>
#include <cmath>

#include "linalg/dense_factors.h"
#include "linalg/rank.h"

namespace hydae {
namespace {

constexpr double kZero = 1e-8;  // entries of a normalised null vector below it are noise

// The basis of the same space in which some rows, a well-conditioned square part, are the identity.
Eigen::MatrixXd echelon(const Eigen::MatrixXd& basis) {
  const Eigen::MatrixXd square = basis(linalg::independent_rows(basis), Eigen::all);
  return basis * linalg::DenseLu(square).inverse();
}

std::vector<int> support(const Eigen::VectorXd& vector) {
  const double largest = vector.cwiseAbs().maxCoeff();
  std::vector<int> places;
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    if (std::abs(vector[i]) > kZero * largest) places.push_back(static_cast<int>(i));
  return places;
}

// The basis vector of the null space with the fewest entries.
std::optional<Eigen::VectorXd> sparsest_null_vector(const Eigen::MatrixXd& matrix) {
  const Eigen::MatrixXd space = linalg::null_space(matrix);
  if (space.cols() == 0) return std::nullopt;
  const Eigen::MatrixXd basis = echelon(space);
  std::optional<Eigen::VectorXd> best;
  for (Eigen::Index k = 0; k < basis.cols(); ++k)
    if (!best || support(basis.col(k)).size() < support(*best).size()) best = basis.col(k);
  return best;
}

// Noise becomes zero and numbers next to a small fraction become that fraction.
Eigen::VectorXd cleaned(Eigen::VectorXd vector) {
  vector /= vector.cwiseAbs().maxCoeff();
  for (double& entry : vector) {
    if (std::abs(entry) <= kZero) entry = 0;
    for (double denominator = 1; denominator <= 12; ++denominator) {
      const double nearest = std::round(entry * denominator) / denominator;
      if (std::abs(entry - nearest) < 1e-11) {
        entry = nearest;
        break;
      }
    }
  }
  return vector;
}

Eigen::MatrixXd stacked(const std::vector<Eigen::MatrixXd>& matrices) {
  const Eigen::Index rows = matrices.front().rows();
  Eigen::MatrixXd result(rows * static_cast<Eigen::Index>(matrices.size()),
                         matrices.front().cols());
  for (std::size_t p = 0; p < matrices.size(); ++p)
    result.middleRows(rows * static_cast<Eigen::Index>(p), rows) = matrices[p];
  return result;
}

}  // namespace

std::optional<Eigen::VectorXd> find_constant_null_vector(
    const std::vector<Eigen::MatrixXd>& matrices) {
  const auto vector = sparsest_null_vector(stacked(matrices));
  return vector ? std::optional(cleaned(*vector)) : std::nullopt;
}

Eigen::MatrixXd constant_null_basis(const std::vector<Eigen::MatrixXd>& matrices) {
  const Eigen::MatrixXd space = linalg::null_space(stacked(matrices));
  if (space.cols() == 0) return space;
  Eigen::MatrixXd basis = echelon(space);
  for (Eigen::Index k = 0; k < basis.cols(); ++k) basis.col(k) = cleaned(basis.col(k));
  return basis;
}

std::vector<int> null_vector_support(const std::vector<Eigen::MatrixXd>& matrices) {
  const auto vector = sparsest_null_vector(matrices.front());
  return vector ? support(*vector) : std::vector<int>{};
}

}  // namespace hydae
