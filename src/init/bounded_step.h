// The correction of one iteration: among the steps s with lower <= s <= upper the one that makes
// |J s + f| least and, where several do, the shortest. When the free step would leave the bounds,
// it is continued along them: a step that uses the kernel of J if there is one (Uhlig, Blochwitz,
// Schnabel, Naehring 2010, section 6), otherwise the bounded least-squares step (Lawson, Hanson
// 1974).
#pragma once

#include <utility>
#include <vector>

#include "init/problem.h"
#include "init/pseudo_inverse.h"

namespace hydae::init {

class BoundedStep {
 public:
  // Weightless unknowns do not count in the length of a step; empty: there is none.
  explicit BoundedStep(double rank_tolerance, std::vector<bool> weightless = {})
      : rank_tolerance_(rank_tolerance), weightless_(std::move(weightless)) {}

  // lower <= 0 <= upper. With damping > 0 the least of |J s + f|^2 + damping |s|^2 is taken.
  const Vector& compute(const Matrix& J, const Vector& f, const Vector& lower, const Vector& upper,
                        double damping = 0);

  // The shortest least-squares correction for another residual, with the same J, in the unknowns
  // that the last step left free of their bounds.
  Vector correct(const Vector& f) const;

  const Vector& step() const { return step_; }
  int rank() const { return inverse_.rank(); }
  bool is_at_bound(int unknown) const { return !is_free_[static_cast<std::size_t>(unknown)]; }
  std::vector<int> independent_columns() const;

 private:
  void factorize();
  Vector free_target() const;
  bool move_towards(const Vector& target, const Vector& lower, const Vector& upper);
  bool release_one(const Vector& lower);

  double rank_tolerance_;
  std::vector<bool> weightless_;
  Matrix J_;  // with the rows of the damping
  Vector f_;
  Eigen::Index num_equations_ = 0;
  std::vector<bool> is_free_, was_released_;
  std::vector<int> free_;  // free unknowns, ascending
  PseudoInverse inverse_;  // of the free columns
  Vector step_;
};

}  // namespace hydae::init
