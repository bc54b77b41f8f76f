#include "structure/scheme.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace hydae::structure {

SolutionScheme::SolutionScheme(const Analysis& analysis, IdVector<EqId, bool> is_nonlinear)
    : offsets_(analysis.offsets),
      local_(analysis.local),
      fine_(analysis.fine),
      is_nonlinear_(std::move(is_nonlinear)),
      is_quasilinear_(analysis.fine.size(), true) {
  HYDAE_CHECK(analysis.is_well_posed && is_nonlinear_.size() == offsets_.c.size());
  for (EqId eq : ids<EqId>(is_nonlinear_.size())) {
    if (is_nonlinear_[eq] && local_.c[eq] == 0) is_quasilinear_[fine_.block_of(eq)] = false;
  }
  for (int d : offsets_.d) first_stage_ = std::min(first_stage_, -d);
}

int SolutionScheme::num_initial_values(VarId var) const {
  return local_.d[var] + (is_quasilinear_[fine_.block_of(var)] ? 0 : 1);
}

int SolutionScheme::num_constraints(EqId eq) const {
  return offsets_.c[eq] + (is_quasilinear_[fine_.block_of(eq)] ? 0 : 1);
}

std::vector<BlockStage> SolutionScheme::stage(int k) const {
  std::vector<BlockStage> stages;
  for (BlockId block : ids<BlockId>(fine_.size())) {
    BlockStage stage = block_stage(block, k);
    if (!stage.unknowns.empty()) stages.push_back(std::move(stage));
  }
  return stages;
}

BlockStage SolutionScheme::block_stage(BlockId block, int k) const {
  BlockStage stage;
  stage.block = block;
  for (EqId eq : fine_.eqs(block)) {
    const int order = offsets_.c[eq] + k;
    if (order < 0) continue;
    stage.eqs.push_back({eq, order});
    if (order == 0 && is_nonlinear_[eq]) stage.is_linear = false;
  }
  for (VarId var : fine_.vars(block)) {
    if (offsets_.d[var] + k >= 0) stage.unknowns.push_back({var, offsets_.d[var] + k});
  }
  return stage;
}

}  // namespace hydae::structure
