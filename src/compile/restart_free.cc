#include "compile/restart_free.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/dense_factors.h"

namespace hydae {
namespace {

constexpr double kSettled = 1e-10;  // change of the weights, relative
constexpr int kMostFreeRounds = 8;  // of Gauss-Newton: one where constraints are linear

}  // namespace

std::optional<EqId> find_equation_of(const RestartStages& stages, Leaf leaf) {
  const VarId column = *stages.system.find_column(leaf.variable);
  std::optional<EqId> found;
  for (EqId eq : ids<EqId>(stages.n))
    for (const auto& [var, order] : stages.prepared.sigma.row(eq))
      if (var == column && order == leaf.order + 1 && (!found || stages.c[eq] < stages.c[*found]))
        found = eq;
  return found;
}

bool FreeVariables::is_free(VarId column) const {
  const VarId variable = stages_.system.unknowns[column];
  const Model& model = *stages_.system.model;
  return variable.index() < model.num_variables() &&
         model.all_variables()[variable].is_free_at_events;
}

void FreeVariables::add_sources() {
  for (VarId column : ids<VarId>(stages_.n))
    for (int order = 0; order < stages_.d[column] && is_free(column); ++order)
      if (const auto eq = find_equation_of(stages_, {stages_.system.unknowns[column], order}))
        sources_.emplace_back(*eq, 0.0);
}

// Of all that should persist, in units of errors.
Eigen::VectorXd FreeVariables::jumps_of_others() const {
  std::vector<double> list;
  for (VarId column : ids<VarId>(stages_.n))
    for (int order = 0; order < stages_.d[column] && !is_free(column); ++order) {
      const std::size_t k = stages_.slots.at(column, order);
      list.push_back((stages_.limits.right[k] - stages_.limits.left[k]) /
                     stages_.error_of({stages_.system.unknowns[column], order}));
    }
  return Eigen::Map<const Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

Eigen::VectorXd FreeVariables::weights() const {
  Eigen::VectorXd list(static_cast<Eigen::Index>(sources_.size() - first_));
  for (Eigen::Index k = 0; k < list.size(); ++k)
    list[k] = sources_[first_ + static_cast<std::size_t>(k)].second;
  return list;
}

// Gauss-Newton with differences: exact in one step where the constraints are linear.
bool FreeVariables::give_way() {
  add_sources();
  if (sources_.size() == first_) return true;
  for (int round = 0; round < kMostFreeRounds; ++round) {
    const Eigen::VectorXd jumps = jumps_of_others(), before = weights();
    if (jumps.size() == 0 || jumps.cwiseAbs().maxCoeff() <= 1) return true;
    if (!reduce(jumps)) return false;
    const double change = (weights() - before).cwiseAbs().maxCoeff();
    if (change <= kSettled * before.cwiseAbs().maxCoeff()) return true;
  }
  return true;
}

bool FreeVariables::reduce(const Eigen::VectorXd& jumps) {
  double size = 0;
  for (std::size_t k = 0; k < stages_.limits.right.size(); ++k)
    size = std::max(size, std::abs(stages_.limits.right[k] - stages_.limits.left[k]));
  const auto num_free = static_cast<Eigen::Index>(sources_.size() - first_);
  Eigen::MatrixXd response(jumps.size(), num_free);
  for (Eigen::Index k = 0; k < num_free; ++k) {
    double& weight = sources_[first_ + static_cast<std::size_t>(k)].second;
    weight += size;
    if (!stages_.solve_stages(sources_)) return false;
    response.col(k) = (jumps_of_others() - jumps) / size;
    weight -= size;
  }
  const Eigen::VectorXd change = linalg::solve_least_squares(response, -jumps);
  for (Eigen::Index k = 0; k < num_free; ++k)
    sources_[first_ + static_cast<std::size_t>(k)].second += change[k];
  return stages_.solve_stages(sources_);
}

}  // namespace hydae
