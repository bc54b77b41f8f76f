// What a class may hold by its kind, judged on its text alone (Modelica 3.6, 4.6 and 12.2):
// sections, prefixes, statements without a loop or function around them, names that mean two
// things. Each class is judged once, when its declarations are listed; what the names in it mean is
// not asked.
#pragma once

#include <hydae/diagnostic.h>

#include "modelica/classes/class_tree.h"

namespace hydae::modelica {

void check_class_rules(const Workspace& workspace, const ClassDef& cls, Diagnostics& diagnostics);

}  // namespace hydae::modelica
