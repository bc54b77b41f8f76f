// The Jacobian of a problem by differences of its whole residual, as solvers make it that know
// nothing of the equations: one evaluation per unknown, increments as in DASSL (Brenan, Campbell,
// Petzold 1996, 5.2.2). It serves for comparison.
#pragma once

#include "integrate/ida_stepper.h"

namespace hydae::integrate {

// `problem` gives pattern and residual; its own Jacobian is not used.
IdaProblem::Jacobian difference_jacobian(const IdaProblem& problem, const IdaOptions& options);

}  // namespace hydae::integrate
