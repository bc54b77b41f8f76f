// Pantelides' algorithm: differentiate, again and again, each smallest set of equations that has
// fewer highest derivatives than equations, until the highest derivatives can be matched with
// equations. Here for any orders, and without copies of the graph: an equation that was
// differentiated c_i times contains x_j to order sigma_ij + c_i, and only the highest derivative
// x_j^(d_j) present takes part in the matching. For a structurally nonsingular system the number of
// differentiations is the canonical offset c_i of the Sigma-method (docs/math/structure.md), which
// is the quicker way for large systems: the cost here grows with the sum of all c_i. (Pantelides
// 1988.)
#pragma once

#include <optional>
#include <vector>

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

struct Pantelides {
  IdVector<EqId, int> num_differentiations;  // c
  IdVector<VarId, int> highest_order;        // d
  // The highest derivative of each variable with an equation, as often differentiated as said
  // above.
  Matching matching;
};

// None if the system is structurally singular or not square: the algorithm would not end.
std::optional<Pantelides> find_pantelides(const SignatureMatrix& sigma);

}  // namespace hydae::structure
