#include "structure/assignment.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/check.h"
#include "structure/augmentation.h"
#include "structure/radix_heap.h"

namespace hydae::structure {
namespace {

using InRow = SignatureMatrix::InRow;

// The largest potential that leaves no entry of the equation violated. An empty row has no bound.
int largest_eq_potential(const SignatureMatrix& sigma, const IdVector<VarId, int>& var_potential,
                         EqId eq) {
  int smallest = std::numeric_limits<int>::max();
  for (const InRow& entry : sigma.row(eq)) {
    smallest = std::min(smallest, var_potential[entry.var] - entry.order);
  }
  return sigma.row(eq).empty() ? 0 : smallest;
}

// Legend: slack of entry (i, j) = d_j - c_i - sigma_ij >= 0; tight = slack 0; matched entries are
// tight. A path alternates between any entry (its length is the slack) and a matched one (length
// 0).
class PrimalDual {
 public:
  PrimalDual(const SignatureMatrix& sigma, Transversal& transversal)
      : sigma_(sigma), t_(transversal), distance_(sigma.num_vars(), kFar) {}

  // Matches as many equations as possible, keeping the invariants of Transversal.
  void run() {
    Augmentation augmentation(VariableSide{sigma_, t_.matching},
                              [this](VarId var, const SignatureMatrix::InColumn& entry) {
                                return slack(entry.eq, {var, entry.order}) == 0;
                              });
    do {
      augmentation.match(t_.matching.free_vars());
    } while (raise_potentials(t_.matching.free_eqs()));
  }

 private:
  static constexpr int kFar = std::numeric_limits<int>::max();

  int slack(EqId eq, const InRow& entry) const {
    return t_.var_potential[entry.var] - t_.eq_potential[eq] - entry.order;
  }

  // One Dijkstra search from all free equations. Makes the entries on the shortest paths to free
  // variables tight; false if there is no such path.
  bool raise_potentials(const std::vector<EqId>& free_eqs) {
    RadixHeap<VarId> queue;
    nearest_ = kFar;
    for (EqId eq : free_eqs) scan(eq, 0, queue);
    while (!queue.empty()) {
      const auto [key, var] = queue.pop();
      const int distance = static_cast<int>(key);
      if (distance >= nearest_) break;
      if (distance > distance_[var]) continue;  // a shorter way was found since
      scan(t_.matching.var_to_eq[var], distance, queue);
    }
    if (nearest_ != kFar) apply(free_eqs);
    for (VarId var : reached_) distance_[var] = kFar;
    reached_.clear();
    return nearest_ != kFar;
  }

  void scan(EqId eq, int distance_of_eq, RadixHeap<VarId>& queue) {
    for (const InRow& entry : sigma_.row(eq)) {
      const int distance = distance_of_eq + slack(eq, entry);
      if (distance >= std::min(nearest_, distance_[entry.var])) continue;
      if (!t_.matching.var_to_eq[entry.var].is_valid()) {
        nearest_ = distance;
        continue;
      }
      if (distance_[entry.var] == kFar) reached_.push_back(entry.var);
      distance_[entry.var] = distance;
      queue.push(static_cast<RadixHeap<VarId>::Key>(distance), entry.var);
    }
  }

  void apply(const std::vector<EqId>& free_eqs) {
    for (EqId eq : free_eqs) t_.eq_potential[eq] += nearest_;
    for (VarId var : reached_) {
      const int raise = nearest_ - distance_[var];
      if (raise <= 0) continue;
      t_.var_potential[var] += raise;
      t_.eq_potential[t_.matching.var_to_eq[var]] += raise;
    }
  }

  const SignatureMatrix& sigma_;
  Transversal& t_;
  IdVector<VarId, int> distance_;
  std::vector<VarId> reached_;
  int nearest_ = kFar;
};

// Nothing matched; d_j = highest order in its column, c_i the largest possible.
Transversal start_from_column_maxima(const SignatureMatrix& sigma) {
  Transversal t{Matching(sigma.num_eqs(), sigma.num_vars()), IdVector<EqId, int>(sigma.num_eqs()),
                IdVector<VarId, int>(sigma.num_vars(), 0)};
  for (VarId var : ids<VarId>(sigma.num_vars())) {
    for (const auto& entry : sigma.column(var)) {
      t.var_potential[var] = std::max(t.var_potential[var], entry.order);
    }
  }
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    t.eq_potential[eq] = largest_eq_potential(sigma, t.var_potential, eq);
  }
  return t;
}

// Adds one number to all potentials of each block, such that the entries outside of the diagonal
// blocks are not violated either. Those of a block's variables lie in later blocks.
void reconcile_blocks(const SignatureMatrix& sigma, const Blocks& blocks, Transversal& t) {
  for (std::size_t b = blocks.size(); b-- > 0;) {
    int violation = 0;
    for (VarId var : blocks.vars(BlockId(b))) {
      for (const auto& entry : sigma.column(var)) {
        violation =
            std::max(violation, t.eq_potential[entry.eq] + entry.order - t.var_potential[var]);
      }
    }
    if (violation == 0) continue;
    for (VarId var : blocks.vars(BlockId(b))) t.var_potential[var] += violation;
    for (EqId eq : blocks.eqs(BlockId(b))) t.eq_potential[eq] += violation;
  }
}

}  // namespace

std::int64_t Transversal::value() const {
  std::int64_t sum = 0;
  for (int d : var_potential) sum += d;
  for (int c : eq_potential) sum -= c;
  return sum;
}

std::optional<Transversal> find_highest_value_transversal(const SignatureMatrix& sigma) {
  const Matching matching = compute_maximum_matching(sigma);
  if (!matching.is_perfect()) return std::nullopt;
  return compute_highest_value_transversal(sigma, compute_block_triangular_form(sigma, matching));
}

Transversal compute_highest_value_transversal(const SignatureMatrix& sigma, const Blocks& coarse) {
  const SignatureMatrix diagonal_blocks = sigma.filtered([&](EqId eq, const InRow& entry) {
    return coarse.block_of(eq) == coarse.block_of(entry.var);
  });
  Transversal t = start_from_column_maxima(diagonal_blocks);
  PrimalDual(diagonal_blocks, t).run();
  HYDAE_CHECK(t.matching.is_perfect());
  reconcile_blocks(sigma, coarse, t);
  return t;
}

std::optional<Transversal> find_transversal_after_change(const SignatureMatrix& sigma,
                                                         const Transversal& old,
                                                         std::span<const EqId> changed_eqs) {
  HYDAE_CHECK(old.eq_potential.size() == sigma.num_eqs());
  HYDAE_CHECK(old.var_potential.size() == sigma.num_vars());
  Transversal t = old;
  for (EqId eq : changed_eqs) {
    t.matching.release(eq);
    t.eq_potential[eq] = largest_eq_potential(sigma, t.var_potential, eq);
  }
  PrimalDual(sigma, t).run();
  if (!t.matching.is_perfect()) return std::nullopt;
  return t;
}

// Equal potentials of all variables at the start make the result the best over all choices of
// variables: those that stay free keep the least potential.
Matching compute_highest_value_row_matching(const SignatureMatrix& sigma) {
  Transversal t{Matching(sigma.num_eqs(), sigma.num_vars()), IdVector<EqId, int>(sigma.num_eqs()),
                IdVector<VarId, int>(sigma.num_vars(), 0)};
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    t.eq_potential[eq] = largest_eq_potential(sigma, t.var_potential, eq);
  }
  PrimalDual(sigma, t).run();
  HYDAE_CHECK(t.matching.free_eqs().empty());
  return t.matching;
}

}  // namespace hydae::structure
