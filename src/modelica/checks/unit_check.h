// Units of equations, bindings and connections: both sides must have the same one. A class is
// checked once, as written: what is checked are the texts of its equations, with the units that its
// components have in its first instance. A variable without a unit gets the one its equations
// imply; literals and parameters without a unit fit anywhere, so nothing is claimed without
// evidence. Every finding is a warning.
#pragma once

#include "modelica/flat/flatten.h"

namespace hydae::modelica {

void check_units(Session& session, const Flattener& flattener);

// Units whose text is not understood.
void check_unit_texts(Session& session, const Flattener& flattener);

}  // namespace hydae::modelica
