#include "structure/matching.h"

#include <algorithm>

#include "structure/augmentation.h"

namespace hydae::structure {
namespace {

template <class I, class T>
std::vector<I> ids_without_partner(const IdVector<I, T>& partner) {
  std::vector<I> free;
  for (I id : ids<I>(partner.size())) {
    if (!partner[id].is_valid()) free.push_back(id);
  }
  return free;
}

}  // namespace

void Matching::release(EqId eq) {
  const VarId var = eq_to_var[eq];
  if (var.is_valid()) var_to_eq[var] = EqId();
  eq_to_var[eq] = VarId();
}

std::size_t Matching::size() const {
  return static_cast<std::size_t>(
      std::count_if(eq_to_var.begin(), eq_to_var.end(), [](VarId var) { return var.is_valid(); }));
}

bool Matching::is_perfect() const {
  return eq_to_var.size() == var_to_eq.size() && size() == eq_to_var.size();
}

std::vector<EqId> Matching::free_eqs() const { return ids_without_partner(eq_to_var); }
std::vector<VarId> Matching::free_vars() const { return ids_without_partner(var_to_eq); }

Matching compute_maximum_matching(const SignatureMatrix& pattern) {
  Matching matching(pattern.num_eqs(), pattern.num_vars());
  Augmentation augmentation(EquationSide{pattern, matching},
                            [](EqId, const SignatureMatrix::InRow&) { return true; });
  augmentation.match(matching.free_eqs());
  return matching;
}

}  // namespace hydae::structure
