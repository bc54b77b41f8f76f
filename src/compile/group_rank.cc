#include "compile/group_rank.h"

#include <algorithm>
#include <cmath>

#include "init/pseudo_inverse.h"

namespace hydae {
namespace {

// Of a scaled Jacobian at a closest point: an iteration ends as far as its root from a singular
// one. Below, by how much it is singular, down to what is lost by rounding.
constexpr double kSmallestFreePivot = 1e-5;
constexpr double kSmallerPivots[] = {1e-9, 1e-13};

}  // namespace

Eigen::Index GroupRank::rank(const InitialGroup& group, std::span<const int> left_out,
                             const init::Vector& x) {
  return rank(group, left_out, x, kSmallestFreePivot);
}

Eigen::Index GroupRank::rank(const InitialGroup& group, std::span<const int> left_out,
                             const init::Vector& x, double pivot) {
  equations_.select(group);
  const std::vector<int>& columns = group.columns;
  // A border of one more row and column makes pivots relative to the size of equations.
  const auto rows = static_cast<Eigen::Index>(group.rows.size());
  init::Matrix J(rows + 1, static_cast<Eigen::Index>(columns.size()) + 1);
  std::vector<Eigen::Triplet<double>> entries{
      {static_cast<int>(rows), static_cast<int>(x.size()), 1.0}};
  init::Vector size = init::Vector::Zero(J.rows());
  size[rows] = 1;
  for (const auto& entry : equations_.jacobian_entries(x)) {
    const int column = columns[slot(entry.col())];
    const double unit = std::max(system_.columns[slot(column)].nominal, std::abs(x[entry.col()]));
    size[entry.row()] = std::max(size[entry.row()], std::abs(entry.value()) * unit);
    if (!std::binary_search(left_out.begin(), left_out.end(), column))
      entries.emplace_back(entry.row(), entry.col(), entry.value() * unit);
  }
  J.setFromTriplets(entries.begin(), entries.end());
  init::scale_rows(size.cwiseInverse(), J);
  init::PseudoInverse inverse;
  inverse.compute(J, pivot);
  return inverse.rank() - 1;
}

bool GroupRank::has_full_rank(const GroupGraph::Release& release, const init::Vector& x,
                              double pivot) {
  return rank(release.together, release.columns, x, pivot) ==
         static_cast<Eigen::Index>(release.together.rows.size());
}

bool GroupRank::is_regular(const GroupGraph::Release& release, const init::Vector& x) {
  return has_full_rank(release, x, kSmallestFreePivot);
}

int GroupRank::regularity(const GroupGraph::Release& release, const init::Vector& x) {
  int level = is_regular(release, x) ? 1 : 0;
  for (const double pivot : kSmallerPivots) level += has_full_rank(release, x, pivot) ? 1 : 0;
  return level;
}

}  // namespace hydae
