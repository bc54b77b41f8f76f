#include "partition/transplant.h"

#include "expr/walk.h"

namespace hydae::partition {

NodeId Transplant::copy(NodeId root) {
  Walk walk;
  for (NodeId id : walk.order(from_, root)) {
    if (copies_.find(id) == nullptr) copies_.insert(id, copy_node(id));
  }
  return *copies_.find(root);
}

NodeId Transplant::copy_node(NodeId id) {
  const Node node = from_.node(id);
  switch (node.op) {
    case Op::kConstant:
      return node.is_boolean ? to_.boolean(node.value != 0) : to_.constant(node.value);
    case Op::kParameter: return to_.parameter(node.parameter);
    case Op::kTime: return to_.time();
    case Op::kVariable:
    case Op::kPre: return leaf_map_(node);
    // One instant between events is what was partitioned.
    case Op::kInitial:
    case Op::kTerminal:
    case Op::kSample: return to_.boolean(false);
    default: return copy_operation(node);
  }
}

NodeId Transplant::copy_operation(const Node& node) {
  const auto at = [&](NodeId id) { return *copies_.find(id); };
  if (is_call(node.op)) {
    std::vector<NodeId> arguments;
    for (NodeId argument : node.arguments) arguments.push_back(at(argument));
    if (node.op == Op::kCall) return to_.call(node.function, node.output, arguments);
    return to_.call_derivative(node.function, node.output, node.input, node.second_input,
                               arguments);
  }
  if (is_relation(node.op)) return to_.relation(node.op, at(node.a), at(node.b), node.silent);
  if (node.c.is_valid()) return to_.ternary(node.op, at(node.a), at(node.b), at(node.c));
  if (node.b.is_valid()) return to_.binary(node.op, at(node.a), at(node.b));
  return to_.unary(node.op, at(node.a));
}

}  // namespace hydae::partition
