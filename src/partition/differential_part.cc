#include "partition/differential_part.h"

#include <algorithm>
#include <utility>

#include "partition/limited_search.h"
#include "partition/mass_blocks.h"

namespace hydae::partition {

namespace {

// The transformed mass block is diagonal up to rounding; this makes it so. The first `rank`
// equations and variables of the block stay differential, the others are algebraic from here on.
void set_diagonal_mass(LinearSystem& system, const BlockTransformation& transformation, int rank) {
  std::vector<int> place(system.num_variables(), -1);
  for (std::size_t j = 0; j < transformation.variables.size(); ++j) {
    place[transformation.variables[j].index()] = static_cast<int>(j);
  }
  for (std::size_t i = 0; i < transformation.equations.size(); ++i) {
    const int row = static_cast<int>(transformation.equations[i].index());
    for (RowMatrix::InnerIterator e(system.mass, row); e; ++e) {
      const bool is_kept = place[e.col()] == static_cast<int>(i) && static_cast<int>(i) < rank;
      e.valueRef() = is_kept ? transformation.singular_values[i] : 0.0;
    }
  }
  system.mass.prune([](Eigen::Index, Eigen::Index, double value) { return value != 0; });
}

void transform_deficient_block(DifferentialPart& part, MassBlock& block) {
  BlockTransformation transformation = decompose(part.system.mass, block);
  transform_system(part.system, transformation);
  set_diagonal_mass(part.system, transformation, block.rank.rank);
  for (EqId i : block.equations) part.is_candidate[i.index()] = true;
  block.equations.resize(block.rank.rank);
  block.variables.resize(block.rank.rank);
  part.transformations.push_back(std::move(transformation));
}

}  // namespace

DifferentialPart find_differential_part(LinearSystem system, const Pencil& pencil,
                                        std::vector<bool> is_candidate,
                                        const SystemOptions& options) {
  DifferentialPart part;
  part.system = std::move(system);
  part.is_candidate = std::move(is_candidate);
  std::vector<MassBlock> blocks = find_mass_blocks(part.system.mass, options.rank_tolerance);
  for (MassBlock& block : blocks) {
    part.ranks.push_back(block.rank);
    if (block.kind == MassKind::kDeficient) transform_deficient_block(part, block);
  }
  std::vector<bool> is_constraint = part.is_candidate;
  for (const MassBlock& block : blocks) {
    for (EqId i : block.equations) is_constraint[i.index()] = false;
  }
  LimitedSearch search = search_wide_blocks({part.system, blocks, is_constraint, pencil.is_regular,
                                             options.policy, options.rank_tolerance});
  std::vector<bool> is_surplus(part.system.num_variables(), false);
  for (VarId j : search.surplus) is_surplus[j.index()] = true;
  for (const MassBlock& block : blocks) {
    part.equations.insert(part.equations.end(), block.equations.begin(), block.equations.end());
    for (VarId j : block.variables) {
      if (!is_surplus[j.index()]) part.variables.push_back(j);
    }
  }
  std::sort(part.equations.begin(), part.equations.end());
  std::sort(part.variables.begin(), part.variables.end());
  part.limited = std::move(search.pairs);
  part.surplus = std::move(search.surplus);
  return part;
}

}  // namespace hydae::partition
