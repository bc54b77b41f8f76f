// A matching that variables enter one after the other: each is matched if that is possible together
// with all that are matched already, which may change their equations but never lose one. The sets
// of variables that can be matched are the independent sets of a matroid, so going through them in
// the order of preference gives the best set of the largest size (Edmonds 1971). A variable that
// failed cannot be matched later either.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

class OrderedMatching {
 public:
  using Admits = std::function<bool(EqId eq, VarId var)>;

  explicit OrderedMatching(const SignatureMatrix& pattern);

  // In the order given, on those entries that `admits` says (empty: all). Variables that entered
  // without such limits have none.
  void enter(std::span<const VarId> vars, const Admits& admits = {});

  bool is_full() const { return num_matched_ == matching_.eq_to_var.size(); }
  const Matching& matching() const { return matching_; }

 private:
  bool find_path(VarId from);

  const SignatureMatrix& pattern_;
  Matching matching_;
  std::size_t num_matched_ = 0;
  IdVector<VarId, bool> is_free_of_limits_;  // entered with all its entries
  const Admits* admits_ = nullptr;
  IdVector<EqId, bool> is_dead_;  // no free equation can be reached from here
};

}  // namespace hydae::structure
