// Step two: which equations and variables are differential (section 4.1.2 of Raha & Petzold 2000).
//
// Rows and columns of the mass matrix that are not zero are candidates. They fall into blocks that
// do not touch each other, and each block is one of
//   square, full rank             - differential as it stands;
//   more columns, full row rank   - index-1 constraints are searched that tell which of its
//   variables
//                                   are algebraic (the limited search);
//   rank deficient or more rows   - replaced by its singular value decomposition; then square and
//                                   full rank, and its other equations and variables are algebraic.
#pragma once

#include <vector>

#include "partition/linearization.h"
#include "partition/partition_system.h"

namespace hydae::partition {

struct DifferentialPart {
  LinearSystem system;  // transformed where a block needed it
  std::vector<EqId> equations;
  std::vector<VarId> variables;    // as many; the square mass matrix of both is invertible
  std::vector<VarId> surplus;      // other variables with a derivative: algebraic, or undecided
  std::vector<Pair> limited;       // index-1 constraints found for surplus variables
  std::vector<bool> is_candidate;  // by equation; combinations of differential equations always are
  std::vector<BlockTransformation> transformations;
  std::vector<RankDecision> ranks;
};

// `is_candidate`: constraints that may be taken, by equation.
DifferentialPart find_differential_part(LinearSystem system, const Pencil& pencil,
                                        std::vector<bool> is_candidate,
                                        const SystemOptions& options);

}  // namespace hydae::partition
