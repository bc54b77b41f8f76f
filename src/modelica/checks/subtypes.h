// What stands in for something else has what that has (Modelica 3.6, 6.4, 7.3.2, 5.4): a
// redeclaration the elements of the constraining class, an inner component those of the outer one.
// Names and predefined types are compared, one level deep: what is used deeper is found missing
// where it is used.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

void check_subtypes(Session& session);

}  // namespace hydae::modelica
