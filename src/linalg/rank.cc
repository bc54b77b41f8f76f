#include "linalg/rank.h"

#include <cmath>
#include <limits>

#include "linalg/svd.h"

namespace hydae::linalg {
namespace {

// diag(rows) * given * diag(columns): the largest entry of each row and column is about one. Powers
// of two, so that scaling is exact.
struct Scaled {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd columns;
};

double scale_of(double largest) {
  return largest > 0 && std::isfinite(largest) ? std::exp2(-std::round(std::log2(largest))) : 1.0;
}

Scaled scaled(const Eigen::MatrixXd& matrix) {
  Scaled result{matrix, Eigen::VectorXd::Ones(matrix.cols())};
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      result.matrix.row(i) *= scale_of(result.matrix.row(i).cwiseAbs().maxCoeff());
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      const double factor = scale_of(result.matrix.col(j).cwiseAbs().maxCoeff());
      result.matrix.col(j) *= factor;
      result.columns[j] *= factor;
    }
  }
  return result;
}

}  // namespace

double scaled_condition(const Eigen::MatrixXd& matrix) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (matrix.size() == 1) return matrix(0, 0) != 0 ? 1.0 : kInfinity;
  const Eigen::VectorXd values = singular_values(scaled(matrix).matrix);
  const double smallest = values[values.size() - 1], largest = values[0];
  return smallest > kRankTolerance * largest ? largest / smallest : kInfinity;
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& matrix) {
  const Scaled s = scaled(matrix);
  const Svd svd = compute_svd(s.matrix);
  const double zero = svd.values.size() > 0 ? kRankTolerance * svd.values[0] : 0.0;
  const Eigen::Index rank = (svd.values.array() > zero).count();
  return s.columns.asDiagonal() * svd.V.rightCols(matrix.cols() - rank);
}

}  // namespace hydae::linalg
