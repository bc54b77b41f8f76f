// Names and attributes of the scalar variables of a flat model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <hydae/model.h>

#include "modelica/flat/flat.h"
#include "modelica/session.h"

namespace hydae::modelica {

// The attributes of one scalar variable, before those of its aliases are merged in.
struct Attributes {
  std::optional<NodeId> start, min, max, nominal;
  std::vector<EqualStart> equal_starts = {};  // of a merged one, the better ones first
  int start_depth = 0;  // where the start value was given: the nearer to the top, the better
  bool is_fixed = false, is_free = false;
  std::string unit, display_unit, description;
  StateSelect state_select = StateSelect::kDefault;
};

std::string name_of(Session& session, VarId variable);
std::string component_path(Session& session, const Instance* instance);  // "" for none

// Nothing if it is not given, or is wrong, which is reported.
std::optional<NodeId> number_attribute(Session& session, const Cell& cell, Symbol name,
                                       int* depth = nullptr);
std::string text_attribute(Session& session, const Cell& cell, Symbol name);
Attributes read_attributes(Session& session, VarId variable);

}  // namespace hydae::modelica
