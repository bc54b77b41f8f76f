// The local matrix pencil s M + J: regular (full row rank for some s) or singular, which equations
// depend on each other if it is singular, and the index of a regular square pencil.
#pragma once

#include <vector>

#include "partition/linearization.h"
#include "partition/partition_system.h"

namespace hydae::partition {

struct PencilPart {
  std::vector<EqId> equations;       // that may be taken
  std::vector<VarId> all_variables;  // the rank is of these columns
  std::vector<VarId> unknowns;       // without inputs: the index is of these
};
Pencil examine_pencil(const LinearSystem& system, const PencilPart& part, double rank_tolerance);

}  // namespace hydae::partition
