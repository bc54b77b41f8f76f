// As many equations as unknowns: in each class (Modelica 3.6, 4.8) and in the whole model. A class
// counts its own unknowns and those flows and inputs of its components that it must determine;
// flows and inputs of its own public connectors are determined outside, which counts as equations.
// The message names the class whose fault it is, and by a matching what is not determined.
#pragma once

#include <hydae/model.h>

#include "modelica/flat/flatten.h"

namespace hydae::modelica {

struct Tally {
  std::int64_t unknowns = 0;
  std::int64_t equations = 0;
  std::int64_t given = 0;  // flows and inputs among the equations that come from outside
  bool is_checked = true;  // false where generated equations are not the business of one class
  bool is_balanced() const { return unknowns == equations || !is_checked; }
};

// In the order of first use, parents not necessarily first.
using Tallies = std::vector<std::pair<Instance*, Tally>>;

// Unknowns and equations of every model and block in use. Call it before `lower`.
Tallies count_by_class(Session& session, const ComponentOrder& order);

// An error if the whole model is not balanced, a warning for a class that is not while the whole
// is.
void check_balance(Session& session, const Model& model, const Tallies& tallies);

}  // namespace hydae::modelica
