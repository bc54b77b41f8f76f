// Damped Gauss-Newton method for f(y) = 0 of any shape and rank. A step is the shortest solution of
// the linearized equations within the bounds; it is shortened until the simplified correction -J^+
// f at the new point is smaller than the step itself (natural monotonicity test, Deuflhard 2011,
// sections 2.1 and 4.4). The test is that of a residual scaled by J^+: it does not depend on how
// equations are scaled. Where the residual is not defined the step is shortened, too.
#pragma once

#include "init/descent.h"

namespace hydae::init {

Outcome gauss_newton(System& system, const Vector& start, const Options& options);

}  // namespace hydae::init
