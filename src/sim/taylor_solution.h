// The Taylor series of one mode, from one instant on. Whoever has asked the workspaces for one has
// it for himself: a trial works on its own series, and accepting it hands them over.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "integrate/taylor_stepper.h"
#include "sim/mode_solution.h"

namespace hydae {

class TaylorSolution final : public ModeSolution {
 public:
  TaylorSolution(const CompiledMode& mode, const integrate::TaylorOptions& options,
                 std::vector<double> atol)
      : ModeSolution(mode), stepper_(mode.compiled.program, options, std::move(atol)) {}

  integrate::TaylorStepper& stepper() { return stepper_; }
  const integrate::TaylorStepper& stepper() const { return stepper_; }
  double time() const override { return stepper_.time(); }

  // The numbers that equations and outputs read.
  void load(const std::vector<double>& table);
  // Whether these are the numbers at hand, as far as the mode reads them.
  bool is_loaded_with(const std::vector<double>& table) const;
  // A table with the numbers at hand in their places.
  std::vector<double> put_into(std::vector<double> table) const;

  double value(VarId column, int order, double t) const override {
    return stepper_.value(static_cast<int>(column.index()), order, t);
  }
  std::span<const double> output(std::size_t k) const {
    return stepper_.output_series(static_cast<int>(k));
  }
  // Of delayed signal k at time().
  double delayed(std::size_t k) const { return output(mode().layout.delayed(k))[0]; }

 private:
  integrate::TaylorStepper stepper_;
  std::vector<double> inputs_;  // by place in mode().inputs
};

using SolutionPtr = std::shared_ptr<TaylorSolution>;

}  // namespace hydae
