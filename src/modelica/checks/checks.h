// Checks of the whole model: parameters that depend on themselves, discrete variables that would
// change between events.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "modelica/flat/flatten.h"

namespace hydae::modelica {

// Judged on whole bindings: an array that uses one of its own elements is a cycle (4.4.3).
void check_parameter_cycles(Session& session);

// Modifiers of predefined types name attributes that these have.
void check_attributes(Session& session, const ComponentOrder& order);

// Boolean, Integer and enumeration variables change at events only (3.8, 4.4.4).
void check_variability(Session& session);
// A discrete Real is determined in a when-clause (4.4.4).
void check_discrete_reals(Session& session);
// A variable is determined by one when-clause (8.6: single assignment).
void check_when_targets(Session& session);

// min = 1, max = 0 leaves no value.
struct DeclaredRange {
  std::string name;
  std::optional<NodeId> min, max;
  SourceRange source;
};
void check_range(Session& session, const DeclaredRange& range);

// A continuous variable has a last value in when-clauses only (3.7.5).
void check_pre_uses(Session& session, const IdVector<VarId, VariableKind>& kinds,
                    const std::function<std::string(VarId)>& name_of);

// What changes at events only has no derivative.
void check_der_uses(Session& session);

}  // namespace hydae::modelica
