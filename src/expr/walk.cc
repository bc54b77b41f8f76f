#include "expr/walk.h"

namespace hydae {
namespace {

std::span<const NodeId> operands(const Graph& graph, NodeId id, Walk::Scope scope) {
  const Op op = graph.op(id);
  if (scope == Walk::Scope::kInstant) return graph.instant_operands(id);
  if (scope == Walk::Scope::kGiven && (op == Op::kDelay || op == Op::kSample)) return {};
  return graph.operands(id);
}

}  // namespace

std::span<const NodeId> Walk::order(const Graph& graph, std::span<const NodeId> roots,
                                    Scope scope) {
  order_.clear();
  positions_.clear();
  for (NodeId root : roots) visit(graph, root, scope);
  return order_;
}

void Walk::visit(const Graph& graph, NodeId root, Scope scope) {
  // A node is entered in positions_ when it is first seen: a graph has no cycles, so it cannot be
  // met again below itself.
  if (!positions_.insert(root, 0)) return;
  pending_.push_back({root, 0});
  while (!pending_.empty()) {
    Pending& top = pending_.back();
    const auto below = operands(graph, top.id, scope);
    if (top.next_operand < below.size()) {
      const NodeId operand = below[top.next_operand++];
      if (positions_.insert(operand, 0)) pending_.push_back({operand, 0});
      continue;
    }
    *positions_.find(top.id) = static_cast<std::uint32_t>(order_.size());
    order_.push_back(top.id);
    pending_.pop_back();
  }
}

}  // namespace hydae
