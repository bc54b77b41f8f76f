// Guesses that follow from others. Few variables of a large system have a start value; zero for
// all others is far from any solution: a permeability of zero, a density of zero. Where an equation
// holds one unknown without a guess, linearly, the equation says what to begin with; where all hold
// more, the unknown that most of them read begins with its default, and so on. No equation is
// solved by this: what is left over is for the iteration. docs/math/initialization.md.
#pragma once

#include <vector>

#include "compile/group_equations.h"

namespace hydae {

// For the columns of a group, in its order; `values` by column of the system are known outside of
// the group, and inside it where a start value was given.
std::vector<double> propagated_guesses(const InitialSystem& system, const InitialGroup& group,
                                       const PointSettings& settings, std::vector<double> values);

}  // namespace hydae
