// Is an expression linear in some of its leaves? Jointly: x*y is not linear in {x, y}. A leaf in a
// denominator, in a function, in a power other than 1 or in the condition of a select counts as
// nonlinear. The answer comes from the structure: kLinear is certain, kNonlinear may be an
// expression that more algebra would show to be linear.
#pragma once

#include <functional>
#include <span>

#include <hydae/expr.h>

namespace hydae {

enum class Linearity { kFree, kLinear, kNonlinear };  // free: none of the leaves occurs

Linearity linearity(const Graph& graph, NodeId root, const std::function<bool(Leaf)>& is_chosen);
Linearity linearity(const Graph& graph, NodeId root, std::span<const Leaf> leaves);

}  // namespace hydae
