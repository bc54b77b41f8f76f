// The solution in one mode between two events, whoever computes it.
#pragma once

#include "sim/mode_library.h"

namespace hydae {

class ModeSolution {
 public:
  explicit ModeSolution(const CompiledMode& mode) : mode_(mode) {}
  virtual ~ModeSolution() = default;
  ModeSolution(const ModeSolution&) = delete;
  ModeSolution& operator=(const ModeSolution&) = delete;

  const CompiledMode& mode() const { return mode_; }
  // What the run has come to.
  virtual double time() const = 0;
  // Of the step at hand: x_j^(order) at a time in it.
  virtual double value(VarId column, int order, double t) const = 0;
  // The step over whose differences derivatives are known; 0: as well as values.
  virtual double step_of_differences() const { return 0; }
  // Of a variable of the mode; `otherwise` for others.
  double value_or(double otherwise, Leaf leaf, double t) const {
    const auto column = mode_.prepared.system.find_column(leaf.variable);
    return column ? value(*column, leaf.order, t) : otherwise;
  }

 private:
  const CompiledMode& mode_;
};

}  // namespace hydae
