// Matching equations with variables: which equation is to be used for which variable. A maximum
// matching is found by Hopcroft and Karp's algorithm: rounds of breadth-first layers from all free
// equations, then vertex-disjoint augmenting paths along the layers; O(entries * sqrt(n)).
// (Hopcroft & Karp 1973; the role of matching in equation-based languages: Duff 1981.)
#pragma once

#include <cstddef>
#include <vector>

#include <hydae/ids.h>

#include "structure/signature.h"

namespace hydae::structure {

// Invariant: eq_to_var[i] == j exactly if var_to_eq[j] == i. An id that is not valid means free.
struct Matching {
  IdVector<EqId, VarId> eq_to_var;
  IdVector<VarId, EqId> var_to_eq;

  Matching() = default;
  Matching(std::size_t num_eqs, std::size_t num_vars) : eq_to_var(num_eqs), var_to_eq(num_vars) {}

  void match(EqId eq, VarId var) {
    eq_to_var[eq] = var;
    var_to_eq[var] = eq;
  }
  // Makes `eq` and the variable it had free.
  void release(EqId eq);

  std::size_t size() const;
  // Neither an equation nor a variable is free.
  bool is_perfect() const;
  std::vector<EqId> free_eqs() const;
  std::vector<VarId> free_vars() const;
  bool operator==(const Matching&) const = default;
};

// A matching of as many equations as possible; which one is not specified, but the same input gives
// the same result.
Matching compute_maximum_matching(const SignatureMatrix& pattern);

}  // namespace hydae::structure
