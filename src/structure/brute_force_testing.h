// Slow but obvious answers for small systems, straight from the definitions, for the tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include <hydae/ids.h>

#include "structure/offsets.h"
#include "structure/signature.h"

namespace hydae::structure::brute_force {

// Largest sum of orders over all permutations; none if each permutation misses an entry.
inline std::optional<int> transversal_value(const SignatureMatrix& sigma) {
  std::vector<std::size_t> column(sigma.num_eqs());
  std::iota(column.begin(), column.end(), 0);
  std::optional<int> best;
  do {
    std::optional<int> value = 0;
    for (EqId eq : ids<EqId>(sigma.num_eqs())) {
      const auto order = sigma.find_order(eq, VarId(column[eq.index()]));
      value = value && order ? std::optional(*value + *order) : std::nullopt;
    }
    best = std::max(best, value);  // no value is less than any value
  } while (std::next_permutation(column.begin(), column.end()));
  return best;
}

// Columns of row `eq` as a bit mask.
inline std::uint32_t columns(const SignatureMatrix& pattern, EqId eq) {
  std::uint32_t mask = 0;
  for (const auto& entry : pattern.row(eq)) mask |= 1u << entry.var.index();
  return mask;
}

// Size of a maximum matching of the rows and columns of two bit masks, by Koenig-Ore: the number of
// rows minus the largest deficiency |S| - |columns of S| over sets S of rows.
inline int matching_size(const SignatureMatrix& pattern, std::uint32_t rows, std::uint32_t cols) {
  int deficiency = 0;
  for (std::uint32_t set = rows;; set = (set - 1) & rows) {
    std::uint32_t seen = 0;
    for (EqId eq : ids<EqId>(pattern.num_eqs())) {
      if (set >> eq.index() & 1u) seen |= columns(pattern, eq) & cols;
    }
    deficiency = std::max(deficiency, std::popcount(set) - std::popcount(seen));
    if (set == 0) break;
  }
  return std::popcount(rows) - deficiency;
}

// Smallest d for given c.
inline IdVector<VarId, int> smallest_d(const SignatureMatrix& sigma, const IdVector<EqId, int>& c) {
  IdVector<VarId, int> d(sigma.num_vars(), 0);
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    for (const auto& entry : sigma.row(eq)) {
      d[entry.var] = std::max(d[entry.var], entry.order + c[eq]);
    }
  }
  return d;
}

// The componentwise least valid offsets with all c_i <= limit. Offsets are valid if sum d - sum c =
// value: since d_j - c_i >= sigma_ij everywhere, that is equality on every highest-value
// transversal.
inline Offsets canonical_offsets(const SignatureMatrix& sigma, int value, int limit) {
  const std::size_t n = sigma.num_eqs();
  IdVector<EqId, int> c(n, 0);
  Offsets least{IdVector<EqId, int>(n, limit + 1), IdVector<VarId, int>(n, 0)};
  for (;;) {
    const IdVector<VarId, int> d = smallest_d(sigma, c);
    const int sum = std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0);
    if (sum == value) {
      for (EqId eq : ids<EqId>(n)) least.c[eq] = std::min(least.c[eq], c[eq]);
    }
    std::size_t digit = 0;  // count on in base limit + 1
    while (digit < n && c[EqId(digit)] == limit) c[EqId(digit++)] = 0;
    if (digit == n) break;
    ++c[EqId(digit)];
  }
  least.d = smallest_d(sigma, least.c);
  return least;
}

}  // namespace hydae::structure::brute_force
