// Why a series could not be made, in the user's names: which equations, which operation, where it
// is written.
#pragma once

#include "sim/outcome.h"
#include "sim/taylor_solution.h"

namespace hydae {

// After stepper().expand() of the solution has failed.
Failure expansion_failure(const Model& model, const TaylorSolution& solution);

}  // namespace hydae
