#include "compile/restart_matrix.h"

#include <algorithm>

namespace hydae {

RestartMatrix::RestartMatrix(const AnalyzedSystem& prepared) : n_(prepared.system.unknowns.size()) {
  const auto& [c, d] = prepared.structure.offsets;
  for (EqId eq : ids<EqId>(n_))
    for (const auto& [var, order] : prepared.sigma.row(eq))
      if (order == d[var] - c[eq]) {
        tight_.push_back({eq, var});
        positions_.emplace_back(static_cast<int>(eq.index()), static_cast<int>(var.index()));
      }
  if (n_ > 0) matrix_.emplace(static_cast<int>(n_), positions_);
}

void RestartMatrix::clear() { std::fill(matrix_->values().begin(), matrix_->values().end(), 0.0); }

double& RestartMatrix::entry(std::size_t e) {
  return matrix_->values()[static_cast<std::size_t>(matrix_->slot(static_cast<int>(e)))];
}

void RestartMatrix::scale() {
  std::vector<linalg::MatrixEntry> entries;
  for (std::size_t e = 0; e < positions_.size(); ++e)
    entries.push_back({positions_[e].first, positions_[e].second, entry(e)});
  const int size = static_cast<int>(n_);
  scaling_ = linalg::equilibrate(size, size, entries);
  for (std::size_t e = 0; e < positions_.size(); ++e) entry(e) *= factor(e);
}

double RestartMatrix::factor(std::size_t e) const {
  return scaling_.rows[static_cast<std::size_t>(positions_[e].first)] *
         scaling_.columns[static_cast<std::size_t>(positions_[e].second)];
}

void RestartMatrix::solve(std::vector<double>& rhs, std::vector<double>& solution) {
  for (std::size_t i = 0; i < n_; ++i) rhs[i] *= scaling_.rows[i];
  matrix_->solve(rhs.data(), solution.data());
  for (std::size_t i = 0; i < n_; ++i) solution[i] *= scaling_.columns[i];
}

Eigen::MatrixXd RestartMatrix::dense() {
  const auto size = static_cast<Eigen::Index>(n_);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t e = 0; e < positions_.size(); ++e)
    dense(positions_[e].first, positions_[e].second) = unscaled(e);
  return dense;
}

}  // namespace hydae
