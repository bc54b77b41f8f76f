// Canonical offsets of the Sigma-method: the smallest c_i, d_j >= 0 with d_j - c_i >= sigma_ij, and
// equality on a highest-value transversal. c_i says how often equation i is differentiated, d_j the
// order of the leading derivative of variable j. They do not depend on the transversal chosen.
// Computed as longest paths; the potentials of the transversal turn them into one Dijkstra search.
// (Pryce 2001; docs/math/structure.md.)
#pragma once

#include <cstdint>

#include <hydae/ids.h>

#include "structure/assignment.h"
#include "structure/signature.h"

namespace hydae::structure {

struct Offsets {
  IdVector<EqId, int> c;
  IdVector<VarId, int> d;
  bool operator==(const Offsets&) const = default;
};

Offsets compute_canonical_offsets(const SignatureMatrix& sigma, const Transversal& transversal);

// max c + (1 if some d_j = 0); an upper bound of the differentiation index, mostly equal to it.
int structural_index(const Offsets& offsets);

// sum d - sum c = Val(Sigma).
std::int64_t degrees_of_freedom(const Offsets& offsets);

}  // namespace hydae::structure
