#include "linalg/rank.h"

#include <Eigen/SVD>
#include <cmath>
#include <limits>

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

using Svd = Eigen::JacobiSVD<Eigen::MatrixXd>;

}  // namespace

double scaled_condition(const Eigen::MatrixXd& matrix) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (matrix.size() == 1) return matrix(0, 0) != 0 ? 1.0 : kInfinity;
  const Eigen::VectorXd values = Svd(scaled(matrix).matrix).singularValues();
  const double smallest = values[values.size() - 1], largest = values[0];
  return smallest > kRankTolerance * largest ? largest / smallest : kInfinity;
}

Eigen::MatrixXd null_space(const Eigen::MatrixXd& matrix) {
  const Scaled s = scaled(matrix);
  Svd svd(s.matrix, Eigen::ComputeFullV);
  svd.setThreshold(kRankTolerance);
  const Eigen::Index nullity = matrix.cols() - svd.rank();
  return s.columns.asDiagonal() * svd.matrixV().rightCols(nullity);
}

}  // namespace hydae::linalg
