// Derivatives of one operation by one of its operands, as the table of operations has them.
#pragma once

#include <span>

#include <hydae/expr.h>

namespace hydae {

// d id / d operand number i, as an expression of the operands. Not for select, min, max, abs,
// homotopy, smooth and delay, which the sweeps treat themselves.
NodeId local_derivative(Graph& graph, NodeId id, std::size_t i);

// The silent relation that says which way a switching function goes: a >= 0 for abs(a), a <= b for
// min(a, b), a >= b for max(a, b).
NodeId switching_relation(Graph& graph, Op op, std::span<const NodeId> operands);

}  // namespace hydae
