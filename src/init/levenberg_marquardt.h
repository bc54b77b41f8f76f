// Levenberg-Marquardt method within bounds: minimises the sum of squares of the residuals, each
// relative to the largest size its equation has shown lately (so that the measure does not grow by
// itself, and does not remember a far away start for long). Slower than Gauss-Newton near a
// solution but does not mind a singular Jacobian; ends in a local minimum when there is no solution
// nearby. Damping after Nielsen (1999).
#pragma once

#include "init/descent.h"

namespace hydae::init {

Outcome levenberg_marquardt(System& system, const Vector& start, const Options& options);

}  // namespace hydae::init
