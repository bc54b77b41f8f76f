// Values that are computed from what they themselves decide: discrete Reals of a when-equation and
// the solution that the continuous equations have with them. Newton's method with difference
// quotients on v = map(v): linear loops take one step, and the iteration v := map(v), which need
// not converge, is not used.
#pragma once

#include <functional>
#include <vector>

#include "sim/outcome.h"

namespace hydae {

using ValueMap = std::function<Outcome<std::vector<double>>(const std::vector<double>& values)>;

// From `start`; nothing but a failure of the map itself, or kDiscreteCycle, if none is found.
Outcome<std::vector<double>> find_fixed_point(const ValueMap& map, std::vector<double> start);

}  // namespace hydae
