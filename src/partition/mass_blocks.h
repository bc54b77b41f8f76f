// The blocks of the mass matrix that share no row and no column, and what their rank says.
#pragma once

#include <vector>

#include "partition/matrices.h"
#include "partition/partition_system.h"

namespace hydae::partition {

enum class MassKind {
  kSquare,     // as many rows as columns, full rank
  kWide,       // more columns than rows, full row rank
  kDeficient,  // anything else
};

struct MassBlock {
  std::vector<EqId> equations;
  std::vector<VarId> variables;
  MassKind kind = MassKind::kSquare;
  RankDecision rank;
};

// The blocks alone, in the order of their first equation, without a decision about their rank.
std::vector<MassBlock> split_mass(const RowMatrix& mass);

std::vector<MassBlock> find_mass_blocks(const RowMatrix& mass, double rank_tolerance);

// The singular value decomposition of one block: left = U^T, right = V.
BlockTransformation decompose(const RowMatrix& mass, const MassBlock& block);

}  // namespace hydae::partition
