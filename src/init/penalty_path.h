// A way from the guesses to the equations: |y - wish|^2 + weight |f|^2, f relative to the sizes of
// the equations, is made least within the bounds for growing weights. It begins at the guesses and
// goes where the equations are not satisfied, so that it reaches parts of f = 0 that no step from
// another solution reaches: of a circle in two pieces the one next to the guess (Fiacco, McCormick
// 1968). It ends near f = 0, not at it. Which piece it reaches depends on which equation is
// satisfied first.
#pragma once

#include <optional>

#include "init/system.h"

namespace hydae::init {

// `favoured`: the equation that has more weight than the others; -1: none. Nothing where the
// equations are not defined on the way.
std::optional<Vector> follow_penalty_path(System& system, int favoured, const Options& options,
                                          int& iterations);

}  // namespace hydae::init
