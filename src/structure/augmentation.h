// Maximum matching on those entries of a matrix that a predicate admits. Each round is one of
// Hopcroft and Karp, along breadth-first layers, which gives the bound O(entries * sqrt(n)), and a
// depth-first pass that ignores the layers, which saves many rounds (Duff & Wiberg 1988). The
// search may start on either side: the `Side` says who seeks a partner. The predicate may change
// between calls (the tight entries of an assignment problem do); the work of a call is bounded by
// what can be reached from the free seekers it is given.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

// Equations seek variables.
struct EquationSide {
  using Seeker = EqId;
  using Entry = SignatureMatrix::InRow;
  const SignatureMatrix& sigma;
  Matching& matching;

  std::size_t num_seekers() const { return sigma.num_eqs(); }
  std::span<const Entry> entries(EqId eq) const { return sigma.row(eq); }
  EqId owner(const Entry& entry) const { return matching.var_to_eq[entry.var]; }
  void match(EqId eq, const Entry& entry) const { matching.match(eq, entry.var); }
};

// Variables seek equations.
struct VariableSide {
  using Seeker = VarId;
  using Entry = SignatureMatrix::InColumn;
  const SignatureMatrix& sigma;
  Matching& matching;

  std::size_t num_seekers() const { return sigma.num_vars(); }
  std::span<const Entry> entries(VarId var) const { return sigma.column(var); }
  VarId owner(const Entry& entry) const { return matching.eq_to_var[entry.eq]; }
  void match(VarId var, const Entry& entry) const { matching.match(entry.eq, var); }
};

template <class Side, class IsAdmissible>
class Augmentation {
 public:
  using Seeker = typename Side::Seeker;
  using Entry = typename Side::Entry;

  // `is_admissible(Seeker, Entry)` selects the entries.
  Augmentation(Side side, IsAdmissible is_admissible)
      : side_(side),
        is_admissible_(is_admissible),
        state_(side.num_seekers(), kUnseen),
        next_(side.num_seekers(), 0) {}

  // Augments until no path starts from any of the free seekers given.
  void match(std::vector<Seeker> free) {
    while (build_layers(free)) {
      augment(free, [this](Seeker to) { return state_[to] == static_cast<int>(path_.size()); });
      augment(free, [this](Seeker to) { return state_[to] == kUnseen; });
    }
    forget(layered_);
  }

 private:
  // State of a seeker: the number of its layer, or
  enum State : int {
    kUnseen = -1,
    kVisited = -2,
  };

  // Breadth first along alternating paths; false if no free partner can be reached.
  bool build_layers(const std::vector<Seeker>& free) {
    layered_ = free;
    for (Seeker seeker : free) state_[seeker] = 0;
    for (std::size_t k = 0; k < layered_.size(); ++k) {
      const Seeker seeker = layered_[k];
      for (const Entry& entry : side_.entries(seeker)) {
        if (!is_admissible_(seeker, entry)) continue;
        const Seeker owner = side_.owner(entry);
        if (!owner.is_valid()) return true;
        if (state_[owner] != kUnseen) continue;
        state_[owner] = state_[seeker] + 1;
        layered_.push_back(owner);
      }
    }
    return false;
  }

  // Vertex-disjoint paths from as many of `free` as possible, by steps to seekers for which
  // may_step is true. Removes those that are matched.
  template <class MayStep>
  void augment(std::vector<Seeker>& free, MayStep may_step) {
    std::erase_if(free, [&](Seeker seeker) { return augment_from(seeker, may_step); });
    forget(layered_);
    forget(visited_);
  }

  // Depth first. The cursor of each seeker on the path points at the entry by which the path goes
  // on.
  template <class MayStep>
  bool augment_from(Seeker root, MayStep may_step) {
    path_.clear();
    bool is_found = enter(root);
    while (!is_found && !path_.empty()) {
      const Seeker owner = find_step(path_.back(), may_step);
      if (owner.is_valid()) {
        is_found = enter(owner);
      } else {
        path_.pop_back();
      }
    }
    if (is_found) flip_path();
    return is_found;
  }

  // Puts a seeker on the path. True if it has a free partner: the cursor is then there.
  bool enter(Seeker seeker) {
    path_.push_back(seeker);
    state_[seeker] = kVisited;
    visited_.push_back(seeker);
    const auto entries = side_.entries(seeker);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (side_.owner(entries[k]).is_valid() || !is_admissible_(seeker, entries[k])) continue;
      next_[seeker] = k;
      return true;
    }
    return false;
  }

  // Moves the cursor to an entry whose partner belongs to a seeker we may step to.
  template <class MayStep>
  Seeker find_step(Seeker seeker, MayStep may_step) {
    const auto entries = side_.entries(seeker);
    for (; next_[seeker] < entries.size(); ++next_[seeker]) {
      const Entry& entry = entries[next_[seeker]];
      if (!is_admissible_(seeker, entry)) continue;
      const Seeker owner = side_.owner(entry);
      if (may_step(owner)) return owner;
    }
    return Seeker();
  }

  void flip_path() {
    for (Seeker seeker : path_) side_.match(seeker, side_.entries(seeker)[next_[seeker]]);
  }

  void forget(std::vector<Seeker>& seekers) {
    for (Seeker seeker : seekers) {
      state_[seeker] = kUnseen;
      next_[seeker] = 0;
    }
    seekers.clear();
  }

  Side side_;
  IsAdmissible is_admissible_;
  IdVector<Seeker, int> state_;
  IdVector<Seeker, std::size_t> next_;
  std::vector<Seeker> layered_;
  std::vector<Seeker> visited_;
  std::vector<Seeker> path_;
};

}  // namespace hydae::structure
