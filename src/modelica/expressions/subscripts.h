// Subscripts that change during the simulation: which element they name is a condition.
#pragma once

#include <hydae/expr.h>

namespace hydae::modelica {

// Whether `index` is the number `i`. For a Boolean one, which is `if b then 2 else 1`, b itself.
inline NodeId is_index(Graph& graph, NodeId index, int i) {
  const Node node = graph.node(index);
  const bool is_choice =
      node.op == Op::kSelect && graph.is_constant(node.b) && graph.is_constant(node.c);
  if (!is_choice) return graph.relation(Op::kEqual, index, graph.constant(i), true);
  return graph.select(node.a, graph.boolean(graph.is_constant(node.b, i)),
                      graph.boolean(graph.is_constant(node.c, i)));
}

}  // namespace hydae::modelica
