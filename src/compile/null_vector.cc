#include "compile/null_vector.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "linalg/rank.h"

namespace hydae {
namespace {

constexpr double kZero = 1e-8;  // entries of a normalised null vector below it are noise

// Rows of the basis that identify its vectors: a well-conditioned square part.
std::vector<int> pivot_rows(const Eigen::MatrixXd& basis) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(basis);
  const auto& order = lu.permutationP().indices();  // row i of the basis goes to row order[i]
  std::vector<int> pivots;
  for (Eigen::Index i = 0; i < basis.rows(); ++i)
    if (order[i] < basis.cols()) pivots.push_back(static_cast<int>(i));
  return pivots;
}

// The basis whose pivot rows form the identity.
Eigen::MatrixXd echelon(const Eigen::MatrixXd& basis, const std::vector<int>& pivots) {
  Eigen::MatrixXd square(basis.cols(), basis.cols());
  for (Eigen::Index k = 0; k < basis.cols(); ++k)
    square.row(k) = basis.row(pivots[static_cast<std::size_t>(k)]);
  return basis * square.fullPivLu().inverse();
}

std::vector<int> support(const Eigen::VectorXd& vector) {
  const double largest = vector.cwiseAbs().maxCoeff();
  std::vector<int> places;
  for (Eigen::Index i = 0; i < vector.size(); ++i)
    if (std::abs(vector[i]) > kZero * largest) places.push_back(static_cast<int>(i));
  return places;
}

// The echelon bases at all points; empty if the dimension of the null space changes.
std::vector<Eigen::MatrixXd> echelon_bases(const std::vector<Eigen::MatrixXd>& matrices) {
  std::vector<Eigen::MatrixXd> bases;
  std::vector<int> pivots;
  for (const Eigen::MatrixXd& matrix : matrices) {
    const Eigen::MatrixXd basis = linalg::null_space(matrix);
    if (basis.cols() == 0) return {};
    if (bases.empty())
      pivots = pivot_rows(basis);
    else if (basis.cols() != bases.front().cols())
      return {};
    bases.push_back(echelon(basis, pivots));
  }
  return bases;
}

bool is_constant(const std::vector<Eigen::MatrixXd>& bases, Eigen::Index column) {
  const Eigen::VectorXd first = bases.front().col(column);
  return std::all_of(bases.begin(), bases.end(), [&](const Eigen::MatrixXd& basis) {
    return (basis.col(column) - first).lpNorm<Eigen::Infinity>() <=
           kZero * first.lpNorm<Eigen::Infinity>();
  });
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

}  // namespace

std::optional<Eigen::VectorXd> find_constant_null_vector(
    const std::vector<Eigen::MatrixXd>& matrices) {
  const std::vector<Eigen::MatrixXd> bases = echelon_bases(matrices);
  std::optional<Eigen::VectorXd> best;
  for (Eigen::Index k = 0; !bases.empty() && k < bases.front().cols(); ++k) {
    const Eigen::VectorXd vector = bases.front().col(k);
    if (is_constant(bases, k) && (!best || support(vector).size() < support(*best).size()))
      best = vector;
  }
  if (best) best = cleaned(*best);
  return best;
}

std::vector<int> null_vector_support(const std::vector<Eigen::MatrixXd>& matrices) {
  const std::vector<Eigen::MatrixXd> bases = echelon_bases(matrices);
  std::vector<int> best;
  for (Eigen::Index k = 0; !bases.empty() && k < bases.front().cols(); ++k) {
    const std::vector<int> places = support(bases.front().col(k));
    if (best.empty() || places.size() < best.size()) best = places;
  }
  return best;
}

}  // namespace hydae
