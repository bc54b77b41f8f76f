// Of all points that satisfy the equations within the bounds, the one closest to what was wanted:
// min |y - wish|, unknowns without a weight left out (Nedialkov and Pryce 2008 for DAETS). A cheap
// fixed-point iteration first. Where curvature or bounds defeat it: Ipopt, and Newton's method on
// the conditions of a minimum to make its result exact. docs/math/initialization.md.
#pragma once

#include "init/problem.h"
#include "init/system.h"

namespace hydae::init {

// From the solution y along f = 0; y itself if nothing closer is found. Adds to `iterations`.
Vector move_to_closest_point(System& system, const Vector& y, const Options& options,
                             int& iterations);

}  // namespace hydae::init
