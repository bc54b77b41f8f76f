// What initial equations say about discrete variables. v = expression or pre(v) = expression gives
// v its value at the start, unless v is known: by a fixed start value, by a discrete equation, or
// by another initial equation; then the equation is one for what else it contains. Equations whose
// other side is known come first. v = pre(v) leaves the value under pre() open: a steady state.
#pragma once

#include <span>
#include <vector>

#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace hydae {

struct InitialAssignment {
  VarId target;
  NodeId value;
};

struct InitialEquationRoles {
  std::vector<InitialAssignment> assignments;
  std::vector<NodeId> open;         // residuals of steady states
  std::vector<bool> is_continuous;  // by initial equation: belongs to the continuous system
};

InitialEquationRoles sort_initial_equations(const Model& model,
                                            std::span<const StartOverride> overrides);

}  // namespace hydae
