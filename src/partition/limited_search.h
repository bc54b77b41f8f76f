// The limited search: a wide mass matrix (n rows, m > n columns, full row rank) leaves it open
// which n of its m variables are differential. Each index-1 constraint on those variables makes one
// of them algebraic ("surplus").
//
// Legend: N spans the null space of the mass matrix, one column for each of the m - n open
// directions. Constraints with rows C are index 1 together iff C N has full row rank; variables v
// may be the surplus ones iff the rows N(v,:) do, because then the mass matrix of the others is
// invertible.
#pragma once

#include <vector>

#include "partition/linearization.h"
#include "partition/mass_blocks.h"
#include "partition/partition_system.h"

namespace hydae::partition {

struct LimitedSearch {
  std::vector<Pair> pairs;     // index-1 constraints with their surplus variables
  std::vector<VarId> surplus;  // of `pairs`, then those that no constraint decides
};

struct LimitedSearchInput {
  const LinearSystem& system;
  const std::vector<MassBlock>& blocks;    // the wide ones are searched
  const std::vector<bool>& is_constraint;  // by equation: may be used
  bool is_regular = true;                  // false: constraints on derivative variables alone
  Policy policy = Policy::kModerate;
  double rank_tolerance = 1e-10;
};
LimitedSearch search_wide_blocks(const LimitedSearchInput& input);

}  // namespace hydae::partition
