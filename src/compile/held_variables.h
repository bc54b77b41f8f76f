// Continuous variables that change at events only, because an equation gives them by values that
// do: a Real that copies an Integer, the signal of a logic gate.
#pragma once

#include <set>
#include <span>

#include <hydae/model.h>

namespace hydae {

// What changes at events only, whatever it is made of.
bool is_event_valued(Op op);

// `residuals` of continuous equations. Loops of several such variables are not looked for.
std::set<VarId> find_held_variables(const Model& model, std::span<const NodeId> residuals);

// Whether an expression keeps its value between events, with these variables held.
bool is_held(const Model& model, NodeId root, const std::set<VarId>& held);

}  // namespace hydae
