// What the two sides of an instant hold: left and right limits of all columns and of held values,
// by slots, and the coefficients of impulses between them. docs/math/restart.md.
#pragma once

#include <vector>

#include "compile/analyzed_system.h"

namespace hydae {

// Slots: derivatives 0 .. d_j of each column, one for derivatives that no stage knows, then held
// values as they are met.
class RestartSlots {
 public:
  // `prepared` must outlive the slots.
  explicit RestartSlots(const AnalyzedSystem& prepared);

  std::size_t size() const { return num_known_ + held_.size(); }
  std::size_t at(VarId column, int order) const {
    return first_[column.index()] + static_cast<std::size_t>(order);
  }
  bool contains(Leaf leaf) const;  // as a derivative of a column
  std::size_t find_or_add(Leaf leaf);
  const std::vector<Leaf>& held() const { return held_; }
  std::size_t first_held() const { return num_known_; }

 private:
  const System& system_;
  const IdVector<VarId, int>& d_;
  std::size_t num_known_ = 0;
  std::vector<std::size_t> first_;  // of a column
  std::vector<Leaf> held_;
};

struct RestartLimits {
  // Both must outlive the limits.
  RestartLimits(const AnalyzedSystem& prepared, const RestartSlots& places)
      : system(prepared.system), d(prepared.structure.offsets.d), slots(places) {}

  // The unknown of column j at stage l: a right value, or an impulse coefficient.
  double& unknown(VarId column, int l);
  double impulse(VarId column, int order) const;
  // Coefficient of delta^(s) in the leaf: a jump of a lower derivative, or an impulse.
  double content(Leaf leaf, int s) const;
  double size_of_content(Leaf leaf, int s) const;  // of what content() is the difference of

  const System& system;
  const IdVector<VarId, int>& d;
  const RestartSlots& slots;
  std::vector<double> left, right;            // by slot
  std::vector<std::vector<double>> impulses;  // by column and order
};

}  // namespace hydae
