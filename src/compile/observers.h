// What variables that are no unknowns say about the start.
//
// Observed variables (compile/observed.h): the run does without them, and
// so does the initial system, but for those that matter: a start value whose variable depends on
// something that no other start value determines, and bounds that the point found without them
// would leave. For the others the point is compared with their start values afterwards.
// docs/math/observed.md.
//
// Aliases: of start values that speak of one unknown one was chosen (compile/given_starts.h). Two
// fixed ones that differ contradict each other, guesses that gave way have moved.
#pragma once

#include <optional>

#include "compile/consistent_point.h"

namespace hydae {

// As solve_initial_system(); observers that matter become rows and columns of the system. If no
// point suits them and one suits the rest, that one is taken: they act on nothing.
ConsistentPoint solve_with_observers(InitialSystem& system, const PointSettings& settings);

// [conflicting-start-values] of equal variables, if there are such.
std::optional<Diagnostic> find_unequal_starts(const InitialSystem& system);

}  // namespace hydae
