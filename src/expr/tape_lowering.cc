#include "expr/tape_lowering.h"

#include <algorithm>

#include <hydae/error.h>

namespace hydae {
namespace {

using ops::code_of;
using ops::kNoRegister;

std::uint32_t tag_of(NodeId id) { return static_cast<std::uint32_t>(id.index()); }

}  // namespace

TapeLowering::TapeLowering(const Graph& graph, std::span<const NodeId> roots) : graph_(graph) {
  nodes_ = walk_.order(graph, roots, Walk::Scope::kGiven);
  registers_.assign(nodes_.size(), kNoRegister);
  count_uses(roots);
}

// A root is never a part of something else only.
void TapeLowering::count_uses(std::span<const NodeId> roots) {
  num_uses_.assign(nodes_.size(), 0);
  is_in_sum_.assign(nodes_.size(), false);
  const auto use = [&](std::size_t k) { num_uses_[k] = num_uses_[k] == 0 ? 1 : 2; };
  for (NodeId root : roots) num_uses_[position(root)] = 2;
  for (NodeId id : nodes_) {
    const Op op = graph_.op(id);
    if (op == Op::kDelay || op == Op::kSample) continue;
    for (NodeId operand : graph_.operands(id)) {
      const std::size_t k = position(operand);
      use(k);
      if (op == Op::kAdd || op == Op::kSub) is_in_sum_[k] = true;
    }
  }
}

void TapeLowering::place(NodeId leaf, ops::Register at) {
  registers_[position(leaf)] = at;
  tape_.set_tag(at, tag_of(leaf));
}

void TapeLowering::emit(const Functions* functions,
                        const std::function<bool(std::size_t)>& is_chosen) {
  functions_ = functions;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (registers_[k] == kNoRegister && (!is_chosen || is_chosen(k))) emit_node(k);
}

void TapeLowering::emit_node(std::size_t k) {
  const Node node = graph_.node(nodes_[k]);
  if (node.op == Op::kConstant)
    registers_[k] = tape_.add_register(node.value, tag_of(nodes_[k]));
  else if (node.op == Op::kSmooth)
    registers_[k] = ready(node.b);
  else if (node.op == Op::kHomotopy && homotopy_ == kNoRegister)
    registers_[k] = ready(node.a);
  else if (!can_wait(k))
    registers_[k] = emit_operation(k, node);
}

// A product that only one sum uses is not made by itself. Its own operands are used by a product,
// so they never wait.
bool TapeLowering::can_wait(std::size_t k) const {
  return num_uses_[k] == 1 && is_in_sum_[k] && graph_.op(nodes_[k]) == Op::kMul;
}

bool TapeLowering::is_waiting(NodeId id) const {
  const std::size_t k = position(id);
  return registers_[k] == kNoRegister && can_wait(k);
}

// The register of an operand; a product that still waits is made now.
ops::Register TapeLowering::ready(NodeId id) {
  const std::size_t k = position(id);
  if (registers_[k] == kNoRegister && can_wait(k))
    registers_[k] = emit_operation(k, graph_.node(id));
  return registers_[k];
}

ops::Register TapeLowering::emit_operation(std::size_t k, const Node& node) {
  const std::uint32_t tag = tag_of(nodes_[k]);
  if (is_call(node.op)) return emit_call(k, node);
  if (node.op == Op::kAdd || node.op == Op::kSub) return emit_sum(k, node);
  const ops::Register a = ready(node.a);
  if (node.op == Op::kPow && graph_.is_constant(node.b, 2))
    return tape_.emit(code_of(Op::kMul), {a, a, 0}, tag);
  const ops::Register b = node.b.is_valid() ? ready(node.b) : 0;
  if (node.op == Op::kHomotopy) return tape_.emit(code_of(node.op), {a, b, homotopy_}, tag);
  const ops::Register c = node.c.is_valid() ? ready(node.c) : 0;
  return tape_.emit(code_of(node.op), {a, b, c}, tag);
}

ops::Register TapeLowering::emit_sum(std::size_t k, const Node& node) {
  const bool is_sum = node.op == Op::kAdd;
  if (is_waiting(node.a))
    return emit_fused(k, is_sum ? ops::kMulAdd : ops::kMulSub, node.a, node.b);
  if (is_waiting(node.b))
    return emit_fused(k, is_sum ? ops::kMulAdd : ops::kSubMul, node.b, node.a);
  const ops::Register a = ready(node.a), b = ready(node.b);
  return tape_.emit(code_of(node.op), {a, b, 0}, tag_of(nodes_[k]));
}

ops::Register TapeLowering::emit_fused(std::size_t k, ops::Code code, NodeId product, NodeId rest) {
  const ops::Register c = ready(rest);
  const auto factors = graph_.operands(product);
  return tape_.emit(code, {register_of(factors[0]), register_of(factors[1]), c}, tag_of(nodes_[k]));
}

ops::Register TapeLowering::emit_call(std::size_t k, const Node& node) {
  if (!functions_ || node.function.index() >= functions_->size())
    throw UsageError("evaluation needs the functions that the expressions call");
  std::vector<ops::Register> arguments;
  for (NodeId argument : node.arguments) arguments.push_back(ready(argument));
  return tape_.call((*functions_)[node.function], std::move(arguments),
                    {0, node.output, node.input, node.second_input}, tag_of(nodes_[k]));
}

}  // namespace hydae
