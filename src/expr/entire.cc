#include "expr/entire.h"

#include <algorithm>
#include <cmath>

#include "expr/walk.h"
#include "ops/operation.h"

namespace hydae {
namespace {

bool is_entire_operation(const Graph& graph, NodeId id) {
  const Node node = graph.node(id);
  switch (node.op) {
    case Op::kDiv: return graph.is_constant(node.b) || graph.op(node.b) == Op::kParameter;
    case Op::kPow: {
      if (!graph.is_constant(node.b)) return false;
      const double exponent = graph.constant_value(node.b);
      return exponent >= 0 && exponent == std::floor(exponent);
    }
    default: return ops::entry(node.op).is_total;
  }
}

}  // namespace

bool is_entire(const Graph& graph, NodeId root) {
  Walk walk;
  const auto nodes = walk.order(graph, root);
  return std::all_of(nodes.begin(), nodes.end(),
                     [&](NodeId id) { return is_entire_operation(graph, id); });
}

}  // namespace hydae
