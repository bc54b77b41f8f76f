// Constraints on the path that an optimisation is to keep, as the model's annotation lists them:
//
//     annotation(__hydae(optimization(constraint = {v <= 0.5, x + y == 1})));
//
// Conditions at an instant, x(finalTime) == 1, are no path constraints and are passed over.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

void read_path_constraints(Session& session);

}  // namespace hydae::modelica
