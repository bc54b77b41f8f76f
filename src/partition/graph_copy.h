// Copies expressions into the graph of another model. What becomes of a variable, a derivative or a
// value under pre() is the caller's choice; parameters and functions keep their numbers.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include <hydae/expr.h>

#include "expr/node_map.h"

namespace hydae::partition {

class Transplant {
 public:
  // What a kVariable or kPre node becomes in the new graph.
  using LeafMap = std::function<NodeId(const Node& leaf)>;

  Transplant(const Graph& from, Graph& to, LeafMap leaf_map)
      : from_(from), to_(to), leaf_map_(std::move(leaf_map)) {}

  NodeId copy(NodeId root);

 private:
  NodeId copy_node(NodeId id);

  const Graph& from_;
  Graph& to_;
  LeafMap leaf_map_;
  NodeMap<NodeId> copies_;
};

}  // namespace hydae::partition
