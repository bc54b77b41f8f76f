// The fastest motion that the equations of a solution know, as a rate: of the Jacobian of the rates
// by the state the largest eigenvalue that a Taylor method has met. Its last coefficients point at
// it, for each of them is the one before times the Jacobian; two more products, by differences,
// leave the directions that do not return to themselves (a chain of integrators, an input).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "integrate/taylor_stepper.h"

namespace hydae::integrate {

class FastestMotion {
 public:
  // At the start of the step at hand; `tolerance` by entry of the state. 0 where the equations are
  // not defined beside the state.
  double rate(const TaylorStepper& stepper, std::span<const double> parameters,
              std::span<const double> tolerance);

 private:
  bool find_rates(std::span<const double> state, std::vector<double>& rates);
  double apply_jacobian();  // to the direction; by how much it became larger

  std::optional<codegen::Expansion> expansion_;
  double t_ = 0, step_ = 0;
  std::span<const double> tolerance_{};
  std::vector<double> state_, moved_, rates_, moved_rates_;
  std::vector<double> direction_;  // in tolerances
};

}  // namespace hydae::integrate
