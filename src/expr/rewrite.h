// Rewriting an expression from the leaves up. A Rewriter remembers what became of each node, so
// that several roots share the work; a branch of a select whose condition became constant is not
// visited.
#pragma once

#include <vector>

#include <hydae/expr.h>

#include "expr/node_map.h"

namespace hydae {

// `Change` is called as change(id, operands) with the new operands of a node (a
// const std::vector<NodeId>&) and returns the new node, or an invalid id to keep the operation.
template <class Change>
class Rewriter {
 public:
  Rewriter(Graph& graph, Change change) : graph_(graph), change_(std::move(change)) {}

  NodeId rewrite(NodeId root) {
    pending_.assign(1, root);
    while (!pending_.empty()) {
      const NodeId id = pending_.back();
      if (!known_.find(id)) {
        if (!wait_for_operands(id)) continue;
        known_.insert(id, rewrite_node(id));
      }
      pending_.pop_back();
    }
    return *known_.find(root);
  }

 private:
  // True if all operands that matter have been rewritten; otherwise puts the missing ones first.
  bool wait_for_operands(NodeId id) {
    const auto operands = graph_.operands(id);
    if (graph_.op(id) == Op::kSelect) {
      if (!wait_for(operands[0])) return false;
      const NodeId condition = *known_.find(operands[0]);
      if (graph_.is_constant(condition))
        return wait_for(operands[graph_.constant_value(condition) != 0 ? 1 : 2]);
    }
    const std::size_t before = pending_.size();
    for (std::size_t i = operands.size(); i-- > 0;) wait_for(operands[i]);
    return pending_.size() == before;
  }

  bool wait_for(NodeId id) {
    if (known_.find(id)) return true;
    pending_.push_back(id);
    return false;
  }

  NodeId rewrite_node(NodeId id) {
    const auto old_operands = graph_.operands(id);
    if (graph_.op(id) == Op::kSelect) {
      const NodeId condition = *known_.find(old_operands[0]);
      if (graph_.is_constant(condition))
        return *known_.find(old_operands[graph_.constant_value(condition) != 0 ? 1 : 2]);
    }
    operands_.clear();
    bool has_changed = false;
    for (NodeId operand : old_operands) {
      operands_.push_back(*known_.find(operand));
      has_changed |= operands_.back() != operand;
    }
    const NodeId changed = change_(id, operands_);
    if (changed.is_valid()) return changed;
    return has_changed ? graph_.rebuild(id, operands_) : id;
  }

  Graph& graph_;
  Change change_;
  NodeMap<NodeId> known_;
  std::vector<NodeId> pending_;
  std::vector<NodeId> operands_;  // new ones, of the node at hand
};

}  // namespace hydae
