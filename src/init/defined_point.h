// Guesses at which an equation is not defined (the logarithm of 0, a division by 0) are common: 0
// is the default guess. This moves as few unknowns as possible to make all equations defined.
#pragma once

#include <optional>
#include <vector>

#include "init/system.h"

namespace hydae::init {

struct DefinedPoint {
  std::optional<Vector> y;     // empty: none found
  std::vector<int> undefined;  // equations that are not defined, at the best point
};

// Within the bounds. Tries values around the guess and between the bounds, one unknown after the
// other, as long as that makes more equations defined; then random points.
DefinedPoint find_defined_point(System& system, const Vector& start);

}  // namespace hydae::init
