#include "structure/offsets.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "structure/radix_heap.h"

namespace hydae::structure {
namespace {

// With potentials u, v and slack r_ij = v_j - u_i - sigma_ij >= 0, write c_i = u_i - p_i. The
// conditions on c become p_i <= u_i and p_i' <= p_i + r_ij where i' is matched with j: the largest
// such p are shortest distances, from a source that reaches equation i with length u_i.
IdVector<EqId, int> shortest_distances(const SignatureMatrix& sigma, const Transversal& t) {
  IdVector<EqId, int> p = t.eq_potential;
  const int lowest = *std::min_element(p.begin(), p.end());
  RadixHeap<EqId> queue;
  const auto push = [&](EqId eq) {
    queue.push(static_cast<RadixHeap<EqId>::Key>(p[eq]) - static_cast<RadixHeap<EqId>::Key>(lowest),
               eq);
  };
  for (EqId eq : ids<EqId>(p.size())) push(eq);
  while (!queue.empty()) {
    const auto [key, eq] = queue.pop();
    const int distance = static_cast<int>(key + static_cast<RadixHeap<EqId>::Key>(lowest));
    if (distance > p[eq]) continue;  // a shorter way was found since
    for (const auto& entry : sigma.row(eq)) {
      const EqId owner = t.matching.var_to_eq[entry.var];
      const int slack = t.var_potential[entry.var] - t.eq_potential[eq] - entry.order;
      if (distance + slack >= p[owner]) continue;
      p[owner] = distance + slack;
      push(owner);
    }
  }
  return p;
}

}  // namespace

Offsets compute_canonical_offsets(const SignatureMatrix& sigma, const Transversal& t) {
  HYDAE_CHECK(t.matching.is_perfect() && t.matching.eq_to_var.size() == sigma.num_eqs());
  Offsets offsets{t.eq_potential, t.var_potential};
  if (sigma.num_eqs() == 0) return offsets;
  const IdVector<EqId, int> p = shortest_distances(sigma, t);
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    offsets.c[eq] -= p[eq];
    offsets.d[t.matching.eq_to_var[eq]] -= p[eq];
  }
  return offsets;
}

int structural_index(const Offsets& offsets) {
  if (offsets.c.empty()) return 0;
  const int max_c = *std::max_element(offsets.c.begin(), offsets.c.end());
  const bool has_algebraic = std::find(offsets.d.begin(), offsets.d.end(), 0) != offsets.d.end();
  return max_c + (has_algebraic ? 1 : 0);
}

std::int64_t degrees_of_freedom(const Offsets& offsets) {
  std::int64_t sum = 0;
  for (int d : offsets.d) sum += d;
  for (int c : offsets.c) sum -= c;
  return sum;
}

}  // namespace hydae::structure
