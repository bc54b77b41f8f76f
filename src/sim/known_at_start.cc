#include "sim/known_at_start.h"

#include <algorithm>
#include <vector>

namespace hydae {

bool KnownAtStart::holds(NodeId root) {
  std::vector<NodeId> pending = {root};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    const std::size_t before = pending.size();
    if (!known_.contains(id) && !decide_alone(id))
      for (const NodeId operand : graph_.operands(id))
        if (!known_.contains(operand)) pending.push_back(operand);
    if (pending.size() != before) continue;
    pending.pop_back();
    if (!known_.contains(id)) known_[id] = decide(id);
  }
  return known_.at(root);
}

// Nothing: that depends on the operands.
std::optional<bool> KnownAtStart::decide_alone(NodeId id) const {
  const Op op = graph_.op(id);
  if (op == Op::kParameter) return graph_.node(id).parameter.index() < num_parameters_;
  const bool changes = op == Op::kTime || op == Op::kVariable || op == Op::kPre ||
                       op == Op::kDelay || op == Op::kSample || is_relation(op) || is_call(op);
  return changes ? std::optional(false) : std::nullopt;
}

bool KnownAtStart::decide(NodeId id) const {
  if (const auto alone = decide_alone(id)) return *alone;
  const auto operands = graph_.operands(id);
  return std::all_of(operands.begin(), operands.end(),
                     [&](NodeId operand) { return known_.at(operand); });
}

}  // namespace hydae
