// Parameters that are known only after the initialization, because their bindings read, directly or
// through other parameters, one that has `fixed = false`.
#pragma once

#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

struct DependentParameter {
  ParamId parameter;
  NodeId binding;
};

// All scalars of a component if one of them is so.
std::vector<DependentParameter> find_dependent_on_free(Session& session);

}  // namespace hydae::modelica
