// The operation of a node, made in another graph.
#pragma once

#include <span>

#include <hydae/expr.h>

namespace hydae::modelica {

// `operands`: those of the new node, as many as `id` has in `from`. Leaves are copied as they are.
NodeId copy_operation(const Graph& from, NodeId id, std::span<const NodeId> operands, Graph& to);

}  // namespace hydae::modelica
