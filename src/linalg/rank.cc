#include "linalg/rank.h"

#include <limits>

#include "linalg/equilibrate.h"
#include "linalg/svd.h"

namespace hydae::linalg {
namespace {

// diag(rows) * given * diag(columns). Powers of two, so that scaling is exact.
struct Scaled {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd columns;
};

Scaled scaled(const Eigen::MatrixXd& matrix) {
  std::vector<MatrixEntry> entries;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
      entries.push_back({static_cast<int>(i), static_cast<int>(j), matrix(i, j)});
  const Equilibration by =
      equilibrate(static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), entries);
  const Eigen::Map<const Eigen::VectorXd> rows(by.rows.data(), matrix.rows());
  const Eigen::Map<const Eigen::VectorXd> columns(by.columns.data(), matrix.cols());
  return {rows.asDiagonal() * matrix * columns.asDiagonal(), columns};
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
