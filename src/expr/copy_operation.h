// The operation of a node on other operands, in its own graph or in another.
#pragma once

#include <span>

#include <hydae/expr.h>

namespace hydae {

// `operands`: those of the new node, as many as `id` has in `from`; not a view of those in `to`.
// Leaves are copied as they are.
NodeId copy_operation(const Graph& from, NodeId id, std::span<const NodeId> operands, Graph& to);

}  // namespace hydae
