// Checks of the whole model: parameters that depend on themselves, discrete variables that would
// change between events.
#pragma once

#include "modelica/flatten.h"

namespace hydae::modelica {

// Judged on whole bindings: an array that uses one of its own elements is a cycle (4.4.3).
void check_parameter_cycles(Session& session);

// Modifiers of predefined types name attributes that these have.
void check_attributes(Session& session, const ComponentOrder& order);

// Boolean, Integer and enumeration variables change at events only (3.8, 4.4.4).
void check_variability(Session& session);
// A discrete Real is determined in a when-clause (4.4.4).
void check_discrete_reals(Session& session);
// A variable is determined by one when-clause (8.6: single assignment).
void check_when_targets(Session& session);

}  // namespace hydae::modelica
