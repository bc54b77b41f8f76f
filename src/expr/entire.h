// Expressions that have a Taylor series at every point.
#pragma once

#include <hydae/expr.h>

namespace hydae {

// Whether an expression is made of sums, products, powers with natural exponents, divisions by
// numbers, sin, cos, exp and such alone. No root, logarithm, inverse function or call: those end
// somewhere, or have no derivative there; and no left limits.
bool is_entire(const Graph& graph, NodeId root);

}  // namespace hydae
