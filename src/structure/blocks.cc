#include "structure/blocks.h"

#include <algorithm>
#include <limits>

namespace hydae::structure {

Blocks compute_coarse_blocks(const SignatureMatrix& sigma, const Matching& matching) {
  return compute_block_triangular_form(sigma, matching);
}

SignatureMatrix compute_tight_entries(const SignatureMatrix& sigma, const Offsets& offsets) {
  return sigma.filtered([&](EqId eq, const SignatureMatrix::InRow& entry) {
    return offsets.d[entry.var] - offsets.c[eq] == entry.order;
  });
}

Blocks compute_fine_blocks(const SignatureMatrix& sigma, const Matching& transversal,
                           const Offsets& offsets, const Blocks& coarse) {
  return compute_block_triangular_form(compute_tight_entries(sigma, offsets), transversal, &coarse);
}

Offsets compute_local_offsets(const Offsets& offsets, const Blocks& fine) {
  Offsets local = offsets;
  for (BlockId block : ids<BlockId>(fine.size())) {
    int lead = std::numeric_limits<int>::max();
    for (EqId eq : fine.eqs(block)) lead = std::min(lead, offsets.c[eq]);
    for (EqId eq : fine.eqs(block)) local.c[eq] -= lead;
    for (VarId var : fine.vars(block)) local.d[var] -= lead;
  }
  return local;
}

}  // namespace hydae::structure
