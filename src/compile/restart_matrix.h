// The matrix of one stage of a restart: its entries are the partial derivatives that the offsets
// make tight, scaled before it is factorised. docs/math/restart.md.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <utility>
#include <vector>

#include "compile/analyzed_system.h"
#include "linalg/equilibrate.h"
#include "linalg/system_matrix.h"

namespace hydae {

class RestartMatrix {
 public:
  explicit RestartMatrix(const AnalyzedSystem& prepared);

  // By entry, ordered by equations.
  const std::vector<std::pair<EqId, VarId>>& tight() const { return tight_; }

  void clear();
  double& entry(std::size_t e);
  double unscaled(std::size_t e) { return entry(e) / factor(e); }  // after scale()
  void scale();
  bool factorize() { return matrix_->factorize(); }
  double condition() const { return matrix_->condition(); }
  // Of the matrix as it was filled; both have room for padding.
  void solve(std::vector<double>& rhs, std::vector<double>& solution);
  Eigen::MatrixXd dense();  // as it was filled

 private:
  double factor(std::size_t e) const;

  std::size_t n_;
  std::vector<std::pair<EqId, VarId>> tight_;
  std::vector<linalg::SystemMatrix::Position> positions_;
  linalg::Equilibration scaling_;
  std::optional<linalg::SystemMatrix> matrix_;
};

}  // namespace hydae
