#include "partition/graph_copy.h"

#include "expr/copy_operation.h"
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
    case Op::kVariable:
    case Op::kPre: return leaf_map_(node);
    // One instant between events is what was partitioned.
    case Op::kInitial:
    case Op::kTerminal:
    case Op::kSample: return to_.boolean(false);
    default: break;
  }
  std::vector<NodeId> operands;
  for (const NodeId operand : from_.operands(id)) operands.push_back(*copies_.find(operand));
  return copy_operation(from_, id, operands, to_);
}

}  // namespace hydae::partition
