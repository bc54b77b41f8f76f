// Where a search goes: free unknowns only, each divided by its nominal value, y_k = x_j /
// nominal_j, within their bounds. Norms, minimum-norm steps and distances are then plain Euclidean
// ones.
#pragma once

#include <vector>

#include "init/problem.h"

namespace hydae::init {

class SearchSpace {
 public:
  // Nothing may be left out of `unknowns`.
  explicit SearchSpace(const Unknowns& unknowns);

  int size() const { return static_cast<int>(free_.size()); }
  int unknown(int free_index) const { return free_[static_cast<std::size_t>(free_index)]; }

  const Vector& guess() const { return guess_; }  // moved into the bounds
  const Vector& wish() const { return wish_; }    // as it was given: the centre of distances
  // Free unknowns that nobody wants at their guess; empty if there is none.
  const std::vector<bool>& weightless() const { return weightless_; }
  // From the wish, over the unknowns that have a weight.
  Vector away_from_wish(const Vector& y) const;
  const Vector& lower() const { return lower_; }
  const Vector& upper() const { return upper_; }
  bool contains(const Vector& y) const;
  // The nearest point within the bounds; takes back the rounding of a step that ends on one.
  Vector into_bounds(const Vector& y) const { return y.cwiseMax(lower_).cwiseMin(upper_); }

  void write(const Vector& y, Vector& x) const;  // the free ones among all unknowns
  Vector to_unknowns(const Vector& y) const;     // the others at their guess

 private:
  double value(int free_index, double y) const;

  Unknowns unknowns_;  // the numbers of them
  std::vector<int> free_;
  Vector guess_, wish_, lower_, upper_;
  std::vector<bool> weightless_;
};

// Largest |step_j| relative to max(1, |y_j|).
double relative_size(const Vector& step, const Vector& y);

}  // namespace hydae::init
