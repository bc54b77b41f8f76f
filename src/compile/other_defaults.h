// The closest point where a default is a trap. An unknown that nobody gave begins at its default,
// most often 0, and where no equation depends on it there (p1^2 + p2^2 = 1 at p1 = 0) no step
// leaves it: what is found is the closest point with that unknown at 0, a saddle of the distance.
// Then the search begins again on both sides of such defaults, and the closest of what it finds
// counts.
#pragma once

#include "compile/group_equations.h"

namespace hydae {

init::Solution try_other_defaults(const InitialGroup& group, GroupEquations& equations,
                                  init::Solution first);

}  // namespace hydae
