// The last resort: the point closest to the guesses that satisfies equations and bounds, by the
// interior-point code Ipopt. Slow, but with its own ways out of places where Newton methods get
// stuck.
#pragma once

#include "init/gauss_newton.h"

namespace hydae::init {

// min |y - guess|^2 subject to f(y) = 0, lower <= y <= upper; refined by Gauss-Newton.
Outcome optimize(System& system, const Vector& start, const Options& options);

}  // namespace hydae::init
