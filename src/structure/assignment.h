// Highest-value transversal of a signature matrix: a perfect matching whose orders have the largest
// sum. Found by a primal-dual method: potentials c, d keep d_j - c_i >= sigma_ij; the matching
// grows on the tight entries (equality); when it is stuck, one Dijkstra search from all free
// equations at once raises the potentials just far enough. On orders 0..q that takes O(sqrt(n q))
// rounds at worst, a few in practice. The potentials certify the result, give the canonical offsets
// (offsets.h), and make the repair after a change of some equations cheap. (Jonker & Volgenant
// 1987; Pryce 2001.)
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <hydae/ids.h>

#include "structure/blt.h"
#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

// Invariant: var_potential[j] - eq_potential[i] >= sigma_ij, with equality where i and j are
// matched. The potentials may be negative and are not the canonical offsets.
struct Transversal {
  Matching matching;
  IdVector<EqId, int> eq_potential;
  IdVector<VarId, int> var_potential;

  // Sum of the orders on the transversal, Val(Sigma).
  std::int64_t value() const;
};

// None if no transversal exists (structurally singular, or not square): see dulmage_mendelsohn.h.
std::optional<Transversal> find_highest_value_transversal(const SignatureMatrix& sigma);

// The same when the coarse block triangular form of `sigma` (blocks.h) is known: no transversal has
// an entry outside of its diagonal blocks, so each block is solved by itself.
Transversal compute_highest_value_transversal(const SignatureMatrix& sigma, const Blocks& coarse);

// Repairs `old`, a transversal of a matrix that differs from `sigma` at most in the rows of
// `changed_eqs`: one augmenting path for each of them. None if no transversal exists any more.
std::optional<Transversal> find_transversal_after_change(const SignatureMatrix& sigma,
                                                         const Transversal& old,
                                                         std::span<const EqId> changed_eqs);

// For a matrix in which all equations can be matched at once: a matching of all equations with the
// largest sum of orders; some variables may stay free. Throws InternalError if it has none.
Matching compute_highest_value_row_matching(const SignatureMatrix& sigma);

}  // namespace hydae::structure
