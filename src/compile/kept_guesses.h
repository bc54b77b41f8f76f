// Which start values, given but not fixed, are held in the first attempt. The others follow from
// the equations. A set can be held if every equation, hidden ones included, still finds an unknown
// of its own among the rest; of these sets the best is taken. Unknowns that nobody gave follow
// first, then guesses of the latest stage, so that positions are held before velocities and these
// before accelerations and algebraic variables; in one stage those of the model before those of the
// options, then StateSelect decides, then whether another derivative of the variable is fixed, then
// the order of declaration. A guess follows from
// an equation only if the equation depends on it at the guesses. docs/math/initialization.md.
#pragma once

#include <vector>

#include "compile/group_equations.h"

namespace hydae {

struct KeptGuesses {
  std::vector<bool> is_kept;  // by column
  std::vector<int> asked_by;  // by column: the row from which it follows; -1: none
  std::vector<int> given;     // columns with a start value that is not fixed, best held first
};

KeptGuesses choose_kept_guesses(const InitialSystem& system, const PointSettings& settings);

}  // namespace hydae
