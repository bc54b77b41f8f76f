#include "expr/copy_operation.h"

namespace hydae {

namespace {

NodeId copy_leaf(const Node& node, Graph& to) {
  switch (node.op) {
    case Op::kConstant:
      return node.is_boolean ? to.boolean(node.value != 0) : to.constant(node.value);
    case Op::kParameter: return to.parameter(node.parameter);
    case Op::kVariable: return to.variable(node.variable, node.order);
    case Op::kPre: return to.pre(node.variable, node.order);
    default: return to.leaf(node.op);
  }
}

}  // namespace

NodeId copy_operation(const Graph& from, NodeId id, std::span<const NodeId> operands, Graph& to) {
  const Node node = from.node(id);
  if (num_operands(node.op) == 0) return copy_leaf(node, to);
  if (is_relation(node.op)) return to.relation(node.op, operands[0], operands[1], node.silent);
  switch (node.op) {
    case Op::kCall: return to.call(node.function, node.output, operands);
    case Op::kCallDerivative:
      return to.call_derivative(node.function, node.output, node.input, node.second_input,
                                operands);
    default: break;
  }
  switch (operands.size()) {
    case 1: return to.unary(node.op, operands[0]);
    case 2: return to.binary(node.op, operands[0], operands[1]);
    default: return to.ternary(node.op, operands[0], operands[1], operands[2]);
  }
}

}  // namespace hydae
