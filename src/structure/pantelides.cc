#include "structure/pantelides.h"

#include <algorithm>
#include <utility>

namespace hydae::structure {
namespace {

// One run: MATCH-EQUATION for each equation in turn; what a search in vain has coloured is
// differentiated.
class Differentiation {
 public:
  explicit Differentiation(const SignatureMatrix& sigma)
      : sigma_(sigma), next_(sigma.num_eqs(), 0), is_coloured_(sigma.num_vars(), false) {
    result_.num_differentiations.assign(sigma.num_eqs(), 0);
    result_.highest_order.assign(sigma.num_vars(), 0);
    result_.matching = Matching(sigma.num_eqs(), sigma.num_vars());
    for (VarId var : ids<VarId>(sigma.num_vars())) {
      int& highest = result_.highest_order[var];
      for (const auto& entry : sigma.column(var)) highest = std::max(highest, entry.order);
    }
  }

  Pantelides run() {
    for (EqId eq : ids<EqId>(sigma_.num_eqs())) {
      while (!match_equation(eq)) differentiate_coloured();
      clear_colours();
    }
    return std::move(result_);
  }

 private:
  bool is_highest(EqId eq, const SignatureMatrix::InRow& entry) const {
    return entry.order + result_.num_differentiations[eq] == result_.highest_order[entry.var];
  }

  // Depth first along alternating paths, colouring on the way.
  bool match_equation(EqId root) {
    clear_colours();
    path_.clear();
    bool is_found = enter(root);
    while (!is_found && !path_.empty()) {
      const EqId owner = find_step(path_.back());
      if (owner.is_valid()) {
        is_found = enter(owner);
      } else {
        path_.pop_back();
      }
    }
    if (is_found) {
      for (EqId eq : path_) result_.matching.match(eq, sigma_.row(eq)[next_[eq]].var);
    }
    return is_found;
  }

  // Colours `eq` and puts it on the path. True if it has a free variable: the cursor is then there.
  bool enter(EqId eq) {
    path_.push_back(eq);
    coloured_eqs_.push_back(eq);
    const auto row = sigma_.row(eq);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (result_.matching.var_to_eq[row[k].var].is_valid() || !is_highest(eq, row[k])) continue;
      next_[eq] = k;
      return true;
    }
    next_[eq] = 0;
    return false;
  }

  // Colours the next variable that is not, and returns the equation it is assigned to.
  EqId find_step(EqId eq) {
    const auto row = sigma_.row(eq);
    for (; next_[eq] < row.size(); ++next_[eq]) {
      const auto& entry = row[next_[eq]];
      if (is_coloured_[entry.var] || !is_highest(eq, entry)) continue;
      is_coloured_[entry.var] = true;
      coloured_vars_.push_back(entry.var);
      return result_.matching.var_to_eq[entry.var];
    }
    return EqId();
  }

  // The assignments move on to the derivatives by themselves: both sides are counted up.
  void differentiate_coloured() {
    for (VarId var : coloured_vars_) ++result_.highest_order[var];
    for (EqId eq : coloured_eqs_) ++result_.num_differentiations[eq];
  }

  void clear_colours() {
    for (VarId var : coloured_vars_) is_coloured_[var] = false;
    coloured_vars_.clear();
    coloured_eqs_.clear();
  }

  const SignatureMatrix& sigma_;
  Pantelides result_;
  IdVector<EqId, std::size_t> next_;
  IdVector<VarId, char> is_coloured_;
  std::vector<EqId> coloured_eqs_;
  std::vector<VarId> coloured_vars_;
  std::vector<EqId> path_;
};

}  // namespace

std::optional<Pantelides> find_pantelides(const SignatureMatrix& sigma) {
  if (!compute_maximum_matching(sigma).is_perfect()) return std::nullopt;
  return Differentiation(sigma).run();
}

}  // namespace hydae::structure
