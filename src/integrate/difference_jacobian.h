// The Jacobian of a problem by differences of its whole residual, as solvers make it that know
// nothing of the equations: one evaluation per unknown, increments as in DASSL (Brenan, Campbell,
// Petzold 1996, 5.2.2). It serves for comparison.
#pragma once

#include "integrate/bdf_stepper.h"

namespace hydae::integrate {

// `problem` keeps its pattern, which must not be larger than its size, and its residual; its own
// linearization is replaced.
void use_differences(BdfProblem& problem, const BdfOptions& options);

}  // namespace hydae::integrate
