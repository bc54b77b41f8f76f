#include "sim/hold.h"

#include <algorithm>

#include "expr/incidence.h"
#include "expr/rewrite.h"

namespace hydae {
namespace {

// Expressions with the selects decided, those that depend on a sliding surface blended. The blend
// replaces the outermost select that differs from side to side.
class Blending {
 public:
  Blending(const HybridModel& model, const CornerTruths& truths, std::vector<NodeId> shares)
      : model_(model), graph_(model.graph()), truths_(truths), shares_(std::move(shares)) {}

  NodeId blended(NodeId root) {
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      return graph_.op(id) == Op::kSelect ? blended_select(id) : NodeId();
    };
    return Rewriter<decltype(change)>(graph_, change).rewrite(root);
  }
  const std::vector<NodeId>& differences() const { return differences_; }

 private:
  NodeId blended_select(NodeId id) {
    std::vector<NodeId> corners;
    for (const std::vector<bool>& truths : truths_)
      corners.push_back(model_.decided({id}, truths).front());
    // One surface after the other: share * (positive side) + (1 - share) * (negative side).
    for (std::size_t s = shares_.size(); s-- > 0;) {
      const std::size_t half = corners.size() / 2;
      for (std::size_t m = 0; m < half; ++m) corners[m] = mixed(corners[m + half], corners[m], s);
      corners.resize(half);
    }
    return corners.front();
  }

  NodeId mixed(NodeId positive, NodeId negative, std::size_t s) {
    if (positive == negative) return negative;
    const NodeId difference = graph_.binary(Op::kSub, positive, negative);
    differences_.push_back(difference);
    return graph_.binary(Op::kAdd, negative, graph_.binary(Op::kMul, shares_[s], difference));
  }

  const HybridModel& model_;
  Graph& graph_;
  const CornerTruths& truths_;
  std::vector<NodeId> shares_;
  std::vector<NodeId> differences_;
};

// Whether one of `parts` contains the highest derivative that `residuals` have of some variable.
bool has_leading_derivative(const Graph& graph, std::span<const NodeId> residuals,
                            std::span<const NodeId> parts) {
  Incidence incidence;
  const auto of_residuals = incidence.of(graph, residuals);
  const std::vector<Leaf> leading(of_residuals.begin(), of_residuals.end());
  for (const Leaf& leaf : leaves(graph, parts))
    if (leaf.order > 0 && std::binary_search(leading.begin(), leading.end(), leaf)) return true;
  return false;
}

}  // namespace

HeldResiduals hold_guards(const HybridModel& model, const CornerTruths& truths,
                          const std::vector<Hold>& holds) {
  Graph& graph = model.graph();
  HeldResiduals result;
  if (holds.empty()) {
    result.residuals = model.decided(model.residuals(), truths.front());
    std::vector<NodeId> guards;
    for (const Relation& relation : model.relations()) guards.push_back(relation.guard);
    result.guards = model.decided(guards, truths.front());
    return result;
  }
  std::vector<NodeId> unknowns, shares;
  for (std::size_t k = 0; k < holds.size(); ++k) {
    unknowns.push_back(graph.variable(VarId(model.model().num_variables() + k)));
    if (holds[k].is_sliding()) shares.push_back(unknowns.back());
  }
  Blending blending(model, truths, shares);
  for (NodeId residual : model.selecting_residuals())
    result.residuals.push_back(blending.blended(residual));
  result.is_meaningful = !has_leading_derivative(graph, result.residuals, blending.differences());
  for (const Relation& relation : model.relations())
    result.guards.push_back(blending.blended(relation.guard));
  const NodeId one = graph.constant(1);
  for (std::size_t k = 0; k < holds.size(); ++k) {
    const Hold& hold = holds[k];
    result.constraints.push_back(blending.blended(model.surfaces()[hold.surface].guard));
    if (hold.is_sliding()) {
      result.exits.push_back(unknowns[k]);
      result.exits.push_back(graph.binary(Op::kSub, one, unknowns[k]));
    } else {
      NodeId& row = result.residuals[hold.row->index()];
      row = graph.binary(Op::kAdd, row, unknowns[k]);
      result.exits.push_back(hold.sign > 0 ? unknowns[k] : graph.unary(Op::kNeg, unknowns[k]));
      result.exits.push_back(one);
    }
  }
  return result;
}

}  // namespace hydae
