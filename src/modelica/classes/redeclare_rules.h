// What may be redeclared, and by what (Modelica 3.6, 7.3.2 and 7.3.3), as far as the two
// declarations tell; whether one class can stand in for the other is asked of their instances
// (checks/subtypes.h).
#pragma once

#include "modelica/classes/instance.h"

namespace hydae::modelica {

class Session;

// The redeclaration mods[at] of an element; those behind it have redeclared it before. Throws
// Failure where it cannot be used.
void check_redeclaration(Session& session, const Declaration& original, const ModList& mods,
                         std::size_t at);

}  // namespace hydae::modelica
