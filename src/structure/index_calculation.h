// The index calculation of Uhlig, Blochwitz, Schnabel & Naehring (section 2.1),
// which also handles singular systems. First the best assignment of equations to variables: as many
// pairs as possible, and among these the largest sum of orders. Then equations are differentiated
// until the highest derivative of each assigned variable occurs in its equation. Equations and
// variables without partner stay as they are. Published for orders 0 and 1; any order works. For a
// structurally nonsingular system it gives the canonical offsets of the Sigma-method.
#pragma once

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

struct IndexCalculation {
  Matching assignment;
  IdVector<EqId, int> num_differentiations;
  // Highest derivative present after differentiation; -1 if the variable occurs nowhere.
  IdVector<VarId, int> highest_order;
  bool is_singular() const { return !assignment.is_perfect(); }
};

IndexCalculation compute_index(const SignatureMatrix& sigma);

}  // namespace hydae::structure
