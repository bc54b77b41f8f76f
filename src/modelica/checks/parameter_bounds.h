// min and max of parameters are assertions on their values (Modelica 3.6, 4.8.1). Those of
// variables are watched during the run.
#pragma once

#include "modelica/flat/flatten.h"

namespace hydae::modelica {

void check_parameter_bounds(Session& session, const ComponentOrder& order, const Model& model);

}  // namespace hydae::modelica
