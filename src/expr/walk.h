// The one walk that all others are made of: the nodes below some roots, operands first, each once,
// in document order (left operands before right ones). Keep a Walk and use it again: after the
// first large root it allocates nothing. Time and memory follow the nodes visited.
#pragma once

#include <span>
#include <vector>

#include <hydae/expr.h>

#include "expr/node_map.h"

namespace hydae {

class Walk {
 public:
  enum class Scope {
    kAll,      // everything below the roots
    kInstant,  // not what is under a delay: past values are no values of this instant
    kGiven,    // nothing below delay() and sample(), whose values are given from outside
  };

  // Valid until the next call.
  std::span<const NodeId> order(const Graph& graph, std::span<const NodeId> roots,
                                Scope scope = Scope::kAll);
  std::span<const NodeId> order(const Graph& graph, NodeId root, Scope scope = Scope::kAll) {
    return order(graph, std::span(&root, 1), scope);
  }
  // Place of a node in the last order.
  std::uint32_t position(NodeId id) const { return *positions_.find(id); }
  bool contains(NodeId id) const { return positions_.find(id) != nullptr; }

 private:
  struct Pending {
    NodeId id;
    std::uint32_t next_operand;
  };
  void visit(const Graph& graph, NodeId root, Scope scope);

  std::vector<NodeId> order_;
  std::vector<Pending> pending_;  // path from the root to the node at hand
  NodeMap<std::uint32_t> positions_;
};

}  // namespace hydae
