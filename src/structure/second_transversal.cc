#include "structure/second_transversal.h"

#include <deque>

namespace hydae::structure {
namespace {

// Breadth first from one equation over "contains the variable of", back to it.
class CycleSearch {
 public:
  CycleSearch(const SignatureMatrix& sigma, const Analysis& analysis)
      : sigma_(sigma), a_(analysis), via_(sigma.num_eqs()), from_(sigma.num_eqs()) {}

  // Moves the equations of a cycle through `start` to their neighbours' variables.
  bool turn(EqId start, Matching& matching) {
    std::deque<EqId> queue{start};
    while (!queue.empty()) {
      const EqId eq = queue.front();
      queue.pop_front();
      for (const auto& [var, order] : sigma_.row(eq)) {
        const EqId owner = a_.transversal.matching.var_to_eq[var];
        const bool is_tight = order == a_.offsets.d[var] - a_.offsets.c[eq];
        if (!is_tight || owner == eq || a_.fine.block_of(owner) != a_.fine.block_of(eq)) continue;
        if (owner == start) {
          close(start, eq, var, matching);
          return true;
        }
        if (via_[owner].is_valid()) continue;
        via_[owner] = var;
        from_[owner] = eq;
        queue.push_back(owner);
      }
    }
    return false;
  }

 private:
  void close(EqId start, EqId last, VarId var, Matching& matching) const {
    matching.match(last, var);
    for (EqId eq = last; eq != start; eq = from_[eq]) matching.match(from_[eq], via_[eq]);
  }

  const SignatureMatrix& sigma_;
  const Analysis& a_;
  IdVector<EqId, VarId> via_;  // the variable through which an equation was reached
  IdVector<EqId, EqId> from_;
};

}  // namespace

std::optional<Matching> find_second_transversal(const SignatureMatrix& sigma,
                                                const Analysis& analysis) {
  Matching matching = analysis.transversal.matching;
  CycleSearch search(sigma, analysis);
  bool is_another = false;
  for (BlockId block : ids<BlockId>(analysis.fine.size()))
    if (analysis.fine.eqs(block).size() > 1)
      is_another |= search.turn(analysis.fine.eqs(block).front(), matching);
  if (!is_another) return std::nullopt;
  return matching;
}

}  // namespace hydae::structure
