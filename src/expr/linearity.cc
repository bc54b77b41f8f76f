#include "expr/linearity.h"

#include <algorithm>

#include "expr/walk.h"

namespace hydae {
namespace {

using enum Linearity;

Linearity combine(const Graph& graph, NodeId id, std::span<const Linearity> operands) {
  const auto most = [&](std::size_t first) {
    return *std::max_element(operands.begin() + first, operands.end());
  };
  if (operands.empty() || most(0) == kFree) return kFree;
  switch (graph.op(id)) {
    case Op::kNeg:
    case Op::kAdd:
    case Op::kSub:
    case Op::kHomotopy: return most(0);
    case Op::kMul: return operands[0] != kFree && operands[1] != kFree ? kNonlinear : most(0);
    case Op::kDiv: return operands[1] == kFree ? operands[0] : kNonlinear;
    case Op::kSelect: return operands[0] == kFree ? most(1) : kNonlinear;
    case Op::kSmooth: return operands[0] == kFree ? operands[1] : kNonlinear;
    default: return kNonlinear;
  }
}

}  // namespace

Linearity linearity(const Graph& graph, NodeId root, const std::function<bool(Leaf)>& is_chosen) {
  Walk walk;
  std::vector<Linearity> found, operands;
  for (NodeId id : walk.order(graph, root, Walk::Scope::kInstant)) {
    if (graph.op(id) == Op::kVariable) {
      found.push_back(is_chosen(graph.leaf_of(id)) ? kLinear : kFree);
      continue;
    }
    operands.clear();
    for (NodeId operand : graph.instant_operands(id))
      operands.push_back(found[walk.position(operand)]);
    found.push_back(combine(graph, id, operands));
  }
  return found.back();
}

Linearity linearity(const Graph& graph, NodeId root, std::span<const Leaf> leaves) {
  std::vector<Leaf> sorted(leaves.begin(), leaves.end());
  std::sort(sorted.begin(), sorted.end());
  return linearity(graph, root, [&](Leaf leaf) {
    return std::binary_search(sorted.begin(), sorted.end(), leaf);
  });
}

}  // namespace hydae
