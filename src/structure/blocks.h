// The two block triangular forms of the Sigma-method. Coarse: on the pattern of the signature
// matrix, "who occurs where". Fine: on the entries with d_j - c_i = sigma_ij, the pattern of the
// system Jacobian; often much finer, and what a stage of the solution scheme (scheme.h) has to
// solve at once. Fine blocks lie inside coarse ones and follow their order. (Pryce, Nedialkov & Tan
// 2015, "DAESA: theory"; blt.h for the order of blocks.)
#pragma once

#include "structure/blt.h"
#include "structure/offsets.h"
#include "structure/signature.h"

namespace hydae::structure {

Blocks compute_coarse_blocks(const SignatureMatrix& sigma, const Matching& matching);

// The entries with d_j - c_i = sigma_ij.
SignatureMatrix compute_tight_entries(const SignatureMatrix& sigma, const Offsets& offsets);

Blocks compute_fine_blocks(const SignatureMatrix& sigma, const Matching& transversal,
                           const Offsets& offsets, const Blocks& coarse);

// The canonical offsets of each fine block as if it stood alone. On a fine block they differ from
// the global ones by one number (the smallest c of the block), since its tight entries connect it
// strongly.
Offsets compute_local_offsets(const Offsets& offsets, const Blocks& fine);

}  // namespace hydae::structure
