// Hopcroft and Karp's algorithm on those entries of a matrix that a predicate admits. The predicate
// may change between calls (the tight entries of an assignment problem do); the work of a call is
// bounded by the part of the matrix that can be reached from the free equations it is given.
#pragma once

#include <cstddef>
#include <vector>

#include <hydae/ids.h>

#include "structure/matching.h"
#include "structure/signature.h"

namespace hydae::structure {

template <class IsAdmissible>
class Augmentation {
 public:
  // Keeps references to both; `is_admissible(EqId, InRow)` selects the entries.
  Augmentation(const SignatureMatrix& sigma, Matching& matching, IsAdmissible is_admissible)
      : sigma_(sigma),
        matching_(matching),
        is_admissible_(is_admissible),
        layer_(sigma.num_eqs(), kUnreached),
        next_(sigma.num_eqs(), 0) {}

  // Augments until no path starts from any of `free_eqs`, and removes the matched ones from it.
  void match(std::vector<EqId>& free_eqs) {
    while (build_layers(free_eqs)) {
      std::erase_if(free_eqs, [this](EqId eq) { return augment_from(eq); });
      clear_layers();
    }
    clear_layers();
  }

 private:
  static constexpr int kUnreached = -1;

  // Breadth first along alternating paths; false if no free variable can be reached.
  bool build_layers(const std::vector<EqId>& free_eqs) {
    reached_ = free_eqs;
    for (EqId eq : free_eqs) layer_[eq] = 0;
    bool is_found = false;
    int last_layer = 0;
    for (std::size_t k = 0; k < reached_.size(); ++k) {
      const EqId eq = reached_[k];
      if (is_found && layer_[eq] > last_layer) break;
      for (const auto& entry : sigma_.row(eq)) {
        if (!is_admissible_(eq, entry)) continue;
        const EqId owner = matching_.var_to_eq[entry.var];
        if (!owner.is_valid()) {
          is_found = true;
          last_layer = layer_[eq];
        } else if (layer_[owner] == kUnreached) {
          layer_[owner] = layer_[eq] + 1;
          reached_.push_back(owner);
        }
      }
    }
    return is_found;
  }

  // Depth first from a free equation along the layers. On the stack each equation's cursor points
  // at the entry by which the path goes on.
  bool augment_from(EqId root) {
    path_.assign(1, root);
    while (!path_.empty()) {
      const EqId eq = path_.back();
      const auto row = sigma_.row(eq);
      if (next_[eq] == row.size()) {  // dead end: nobody needs to come here again
        layer_[eq] = kUnreached;
        path_.pop_back();
        if (!path_.empty()) ++next_[path_.back()];
        continue;
      }
      const auto& entry = row[next_[eq]];
      const EqId owner = matching_.var_to_eq[entry.var];
      if (!is_admissible_(eq, entry)) {
        ++next_[eq];
      } else if (!owner.is_valid()) {
        flip_path();
        return true;
      } else if (layer_[owner] == layer_[eq] + 1) {
        path_.push_back(owner);
      } else {
        ++next_[eq];
      }
    }
    return false;
  }

  void flip_path() {
    for (EqId eq : path_) {
      matching_.match(eq, sigma_.row(eq)[next_[eq]].var);
      layer_[eq] = kUnreached;  // paths of one round are disjoint
    }
  }

  void clear_layers() {
    for (EqId eq : reached_) {
      layer_[eq] = kUnreached;
      next_[eq] = 0;
    }
    reached_.clear();
  }

  const SignatureMatrix& sigma_;
  Matching& matching_;
  IsAdmissible is_admissible_;
  IdVector<EqId, int> layer_;
  IdVector<EqId, std::size_t> next_;
  std::vector<EqId> reached_;
  std::vector<EqId> path_;
};

}  // namespace hydae::structure
