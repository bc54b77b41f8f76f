// Switching expressions. A mode of a hybrid system is one truth value per relation; `resolve` gives
// the expression of a mode, in which only the active branches are left.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <hydae/expr.h>

namespace hydae {

// abs, sign, min, max written with select and silent relations:
// abs(a) = if a >= 0 then a else -a, min(a, b) = if a <= b then a else b, and so on.
std::vector<NodeId> lower_switches(Graph& graph, std::span<const NodeId> roots);
NodeId lower_switches(Graph& graph, NodeId root);

// The relations of the roots, each once, in the order of first occurrence: left to right, those
// inside the operands of a relation before it.
std::vector<NodeId> relations(const Graph& graph, std::span<const NodeId> roots);

// Truth of a relation; no value leaves the relation in place.
using Truth = std::function<std::optional<bool>(NodeId relation)>;

// The roots with relations replaced by their truth. Branches that are not active vanish.
std::vector<NodeId> resolve(Graph& graph, std::span<const NodeId> roots, const Truth& truth);
NodeId resolve(Graph& graph, NodeId root, const Truth& truth);

// The same expression with all relations silent.
NodeId silence(Graph& graph, NodeId root);

}  // namespace hydae
