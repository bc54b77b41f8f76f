// Potentials of which only differences matter: a circuit without a ground. Each potential of a
// group of connected ones can be shifted by the same amount, at all times, and every equation still
// holds; so nothing determines the group, although there may be as many equations as unknowns.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

void check_grounds(Session& session);

}  // namespace hydae::modelica
