// Of several solutions the one that belongs to the guess. A correction of Newton's method that is
// longer than the equations are straight leads anywhere: sin(x) = 0 from 1.7 to 9.42. One equation
// in one unknown is looked at outwards from the guess, on both sides at once, for the first change
// of sign. Several equations: the Newton homotopy f(y) = (1 - lambda) f(start) is followed in both
// directions, to the solutions that are connected with the guess. docs/math/initialization.md.
#pragma once

#include <optional>

#include "init/descent.h"

namespace hydae::init {

struct NearestRoot {
  std::optional<Outcome> nearer;  // than the one that is known, if any
  // Nothing nearer exists, but for roots closer together than a tenth of their distance.
  bool is_established = false;
};

// `known`: a solution, if there is one. Without one only a single unknown is looked at.
NearestRoot find_nearest_root(System& system, const Vector& start, const Outcome* known,
                              const Options& options);

}  // namespace hydae::init
