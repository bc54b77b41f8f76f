#include "modelica/checks/discrete_time.h"

#include "modelica/flat/flat.h"

namespace hydae::modelica {

bool DiscreteTime::holds(NodeId root) {
  const Graph& graph = *session_.graph;
  if (known_.size() < graph.size()) known_.resize(graph.size(), kUnknown);
  std::vector<NodeId> pending = {root};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    if (known_[id.index()] != kUnknown) {
      pending.pop_back();
      continue;
    }
    const std::size_t before = pending.size();
    if (!is_decided_alone(id))
      for (const NodeId operand : graph.operands(id))
        if (known_[operand.index()] == kUnknown) pending.push_back(operand);
    if (pending.size() != before) continue;
    known_[id.index()] = decide(id) ? kYes : kNo;
    pending.pop_back();
  }
  return known_[root.index()] == kYes;
}

bool DiscreteTime::is_decided_alone(NodeId id) const {
  const Node node = session_.graph->node(id);
  return (is_relation(node.op) && !node.silent) || node.op == Op::kFloor || node.op == Op::kCeil ||
         node.op == Op::kTrunc || node.op == Op::kSample;
}

bool DiscreteTime::decide(NodeId id) const {
  const Graph& graph = *session_.graph;
  if (is_decided_alone(id)) return true;
  const Node node = graph.node(id);
  if (node.op == Op::kTime) return false;
  if (node.op == Op::kVariable) {
    // The registers of a program are no variables of the model: no event is inside of it.
    if (node.variable.index() >= session_.flat->variables.size()) return true;
    const Component* component = session_.flat->variables[node.variable].component;
    return component == nullptr || component->is_discrete || component->is_free_parameter ||
           component->variability <= Variability::kDiscrete;
  }
  for (const NodeId operand : graph.operands(id))
    if (known_[operand.index()] != kYes) return false;
  return true;
}

}  // namespace hydae::modelica
