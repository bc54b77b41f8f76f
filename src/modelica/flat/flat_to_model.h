// The flat model -> Model: names and attributes of the scalars, aliases out of the way but visible,
// everything copied into the graph of the Model.
#pragma once

#include <optional>

#include <hydae/model.h>

#include "modelica/flat/flatten.h"

namespace hydae::modelica {

Model lower(Session& session, const ComponentOrder& order, const std::string& name);

}  // namespace hydae::modelica
