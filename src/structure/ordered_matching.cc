#include "structure/ordered_matching.h"

namespace hydae::structure {

OrderedMatching::OrderedMatching(const SignatureMatrix& pattern)
    : pattern_(pattern),
      matching_(pattern.num_eqs(), pattern.num_vars()),
      is_free_of_limits_(pattern.num_vars()) {}

void OrderedMatching::enter(std::span<const VarId> vars, const Admits& admits) {
  is_dead_ = IdVector<EqId, bool>(pattern_.num_eqs());
  admits_ = admits ? &admits : nullptr;
  for (VarId var : vars) {
    if (is_full()) break;
    if (matching_.var_to_eq[var].is_valid()) continue;
    is_free_of_limits_[var] = admits_ == nullptr;
    if (find_path(var)) ++num_matched_;
  }
}

// Depth first, without recursion. Equations that were seen stay dead if the search fails: nothing
// that happens elsewhere opens a way out of them.
bool OrderedMatching::find_path(VarId from) {
  struct Place {
    VarId var;
    std::size_t next = 0;
    EqId via;  // the equation that led here
  };
  std::vector<Place> path = {{from, 0, EqId()}};
  std::vector<EqId> seen;
  while (!path.empty()) {
    Place& top = path.back();
    const auto entries = pattern_.column(top.var);
    if (top.next == entries.size()) {
      path.pop_back();
      continue;
    }
    const EqId eq = entries[top.next++].eq;
    if (is_dead_[eq]) continue;
    if (admits_ != nullptr && !is_free_of_limits_[top.var] && !(*admits_)(eq, top.var)) continue;
    is_dead_[eq] = true;
    seen.push_back(eq);
    const VarId owner = matching_.eq_to_var[eq];
    if (owner.is_valid()) {
      path.push_back({owner, 0, eq});
      continue;
    }
    EqId to = eq;
    for (std::size_t k = path.size(); k-- > 0;) {
      matching_.match(to, path[k].var);
      to = path[k].via;
    }
    for (EqId visited : seen) is_dead_[visited] = false;
    return true;
  }
  return false;
}

}  // namespace hydae::structure
