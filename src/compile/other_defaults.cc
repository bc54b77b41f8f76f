#include "compile/other_defaults.h"

#include <algorithm>
#include <cmath>

#include "init/solve.h"

namespace hydae {
namespace {

// Shares of an equation's size below this are no dependence.
constexpr double kNoShare = 1e-6;
// Improvements of the distance below this are rounding.
constexpr double kSmallestGain = 1e-9;

// Sum of squares over the given values, in units of their nominal values.
double distance_of(const init::Unknowns& unknowns, const init::Vector& x) {
  double sum = 0;
  for (Eigen::Index k = 0; k < x.size(); ++k)
    if (unknowns.is_wanted[static_cast<std::size_t>(k)])
      sum += std::pow((x[k] - unknowns.guess[k]) / unknowns.nominal[k], 2);
  return sum;
}

// Unknowns that nobody gave, that stand in an equation, and that none depends on at the point.
std::vector<Eigen::Index> trapped(const init::Unknowns& unknowns,
                                  const std::vector<Eigen::Triplet<double>>& entries,
                                  const init::Vector& x) {
  std::vector<double> row_size;
  const auto share = [&](const Eigen::Triplet<double>& entry) {
    const Eigen::Index k = entry.col();
    return std::abs(entry.value()) * std::max(unknowns.nominal[k], std::abs(x[k]));
  };
  for (const auto& entry : entries) {
    row_size.resize(std::max(row_size.size(), slot(entry.row()) + 1), 0.0);
    row_size[slot(entry.row())] = std::max(row_size[slot(entry.row())], share(entry));
  }
  std::vector<bool> stands(static_cast<std::size_t>(x.size()), false), counts = stands;
  for (const auto& entry : entries) {
    stands[slot(entry.col())] = true;
    if (share(entry) > kNoShare * row_size[slot(entry.row())]) counts[slot(entry.col())] = true;
  }
  std::vector<Eigen::Index> result;
  for (std::size_t k = 0; k < stands.size(); ++k)
    if (stands[k] && !counts[k] && !unknowns.is_wanted[k])
      result.push_back(static_cast<Eigen::Index>(k));
  return result;
}

}  // namespace

init::Solution try_other_defaults(const InitialGroup& group, GroupEquations& equations,
                                  init::Solution first) {
  equations.select(group);
  const init::Problem problem = equations.problem();
  if (!first.is_solved() || problem.unknowns.is_wanted.empty()) return first;
  const auto places = trapped(problem.unknowns, equations.jacobian_entries(first.x), first.x);
  if (places.empty()) return first;
  init::Solution best = std::move(first);
  for (const double side : {1.0, -1.0}) {
    init::Problem other = problem;
    for (Eigen::Index k : places) other.unknowns.guess[k] += side * other.unknowns.nominal[k];
    init::Options options;
    options.insists_on_closest_point = true;
    init::Solution found = init::solve(other, options);
    if (found.is_solved() && distance_of(problem.unknowns, found.x) <
                                 (1 - kSmallestGain) * distance_of(problem.unknowns, best.x))
      best = std::move(found);
  }
  return best;
}

}  // namespace hydae
