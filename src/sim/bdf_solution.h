// A solution by BDF, with values of the last step.
#pragma once

#include <cmath>

#include "sim/bdf_solver.h"
#include "sim/mode_solution.h"

namespace hydae {

class BdfSolution final : public ModeSolution {
 public:
  // `solver` of the mode, started.
  BdfSolution(const CompiledMode& mode, BdfSolver& solver) : ModeSolution(mode), solver_(solver) {}

  double time() const override { return solver_.time(); }
  double value(VarId column, int order, double t) const override {
    return solver_.value(column, order, t);
  }
  double step_of_differences() const override { return std::abs(solver_.last_step()); }

 private:
  BdfSolver& solver_;
};

}  // namespace hydae
