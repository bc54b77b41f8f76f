#include "expr/silent_rounding.h"

namespace hydae {

NodeId silent_rounding(Graph& graph, NodeId rounding) {
  if (!is_rounding(graph.op(rounding))) return rounding;
  return graph.binary(Op::kSmooth, graph.constant(-1), rounding);
}

bool is_silent_rounding(const Graph& graph, NodeId id) {
  return graph.op(id) == Op::kSmooth && graph.is_constant(graph.operands(id)[0], -1) &&
         is_rounding(graph.op(graph.operands(id)[1]));
}

}  // namespace hydae
