// noEvent(floor(a)): floor, ceil or trunc that makes no event, written as their value under a
// smooth() that promises nothing, of order -1.
#pragma once

#include <hydae/expr.h>

namespace hydae {

constexpr bool is_rounding(Op op) { return Op::kFloor <= op && op <= Op::kTrunc; }

// Of floor, ceil or trunc; anything else stays as it is.
NodeId silent_rounding(Graph& graph, NodeId rounding);
bool is_silent_rounding(const Graph& graph, NodeId id);

}  // namespace hydae
