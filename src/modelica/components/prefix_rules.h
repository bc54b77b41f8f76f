// What prefixes say about a component of a class (Modelica 3.6, 4.4.2, 4.6, 9.2, 15.1): which types
// they go with, and that no two of them are nested.
#pragma once

#include "modelica/classes/instance.h"

namespace hydae::modelica {

class Session;

// Of a component that is expanded.
void check_prefixes(Session& session, const Component& component);

}  // namespace hydae::modelica
