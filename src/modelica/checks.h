// Checks of the whole model: parameters that depend on themselves, discrete variables that would
// change between events, as many equations as unknowns.
#pragma once

#include <hydae/model.h>

#include "modelica/flatten.h"

namespace hydae::modelica {

// Judged on whole bindings: an array that uses one of its own elements is a cycle (4.4.3).
void check_parameter_cycles(Session& session);

// Boolean, Integer and enumeration variables change at events only (3.8, 4.4.4).
void check_variability(Session& session);

// Says what is not determined, or determined too often.
void check_balance(Session& session, const Model& model);

}  // namespace hydae::modelica
