// The steep sign function 2/(1 + exp(-u)) - 1 is tanh(u/2): the same, without an exponential that
// overflows where u is large and negative.
#pragma once

#include <hydae/expr.h>

namespace hydae::modelica {

// The node, or tanh in its place.
NodeId without_logistic(Graph& graph, NodeId id);

}  // namespace hydae::modelica
