// How much of its unknowns a group determines at a point: the rank of its rows by its columns, in
// units of unknowns and relative to the size of each equation.
#pragma once

#include <span>

#include "compile/group_equations.h"
#include "compile/guess_release.h"

namespace hydae {

class GroupRank {
 public:
  GroupRank(const InitialSystem& system, GroupEquations& equations)
      : system_(system), equations_(equations) {}

  // `left_out`: columns, ascending, that do not count.
  Eigen::Index rank(const InitialGroup& group, std::span<const int> left_out,
                    const init::Vector& x);

  // Whether the columns that the groups determine are determined at the point.
  bool is_regular(const GroupGraph::Release& release, const init::Vector& x);
  // The same in grades, down to what is lost by rounding.
  int regularity(const GroupGraph::Release& release, const init::Vector& x);

 private:
  Eigen::Index rank(const InitialGroup& group, std::span<const int> left_out, const init::Vector& x,
                    double pivot);
  bool has_full_rank(const GroupGraph::Release& release, const init::Vector& x, double pivot);

  const InitialSystem& system_;
  GroupEquations& equations_;
};

}  // namespace hydae
