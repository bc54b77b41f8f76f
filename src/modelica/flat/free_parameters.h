// Parameters that are known only after the initialization, because their bindings read, directly or
// through other parameters, one that has `fixed = false`.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

struct Cell;

struct DependentParameter {
  ParamId parameter;
  NodeId binding;
};

// All scalars of a component if one of them is so.
std::vector<DependentParameter> find_dependent_on_free(Session& session);

// The value of an attribute, which holds no variables; a start value may depend on such parameters.
bool is_known(const Session& session, NodeId value, bool is_start);
// Such a start value becomes an initial equation if it is fixed; as a guess it becomes what the
// start values of these parameters give, or none if that is no number either.
void resolve_free_start(Session& session, VarId variable, std::optional<NodeId>& start,
                        bool& is_fixed, const std::function<NodeId(const Cell&)>& start_of);

}  // namespace hydae::modelica
