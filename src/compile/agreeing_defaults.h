// Where an equation has several roots for what nobody gave (s^2 = 2 from s = 0), one of them may be
// that with which all start values agree. All of these are held, and the rest is looked for at
// once: more equations than unknowns, with a solution if they agree.
#pragma once

#include <optional>

#include "compile/group_equations.h"

namespace hydae {

// `system` with the values of such a solution in place of the guesses that nobody gave; nothing if
// the start values do not agree. `all`: the same with every start value as a column.
std::optional<InitialSystem> with_agreeing_defaults(const InitialSystem& system,
                                                    const InitialSystem& all,
                                                    const PointSettings& settings);

}  // namespace hydae
