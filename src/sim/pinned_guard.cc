#include "sim/pinned_guard.h"

#include <algorithm>
#include <map>

#include "expr/incidence.h"
#include "expr/rewrite.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// Expressions with the selects decided, those that depend on a sliding surface blended. The blend
// replaces the outermost select that differs from side to side.
class Blending {
 public:
  // `shares`: by surface.
  Blending(const HybridModel& model, Graph& graph, const ModeTruths& truths,
           const std::vector<PinnedGuard>& pins, std::map<std::size_t, NodeId> shares)
      : model_(model), graph_(graph), truths_(truths), pins_(pins), shares_(std::move(shares)) {
    for (const SlidingGroup& group : truths.groups)
      for (std::size_t surface : group.surfaces) group_of_[surface] = &group;
    for (const PinnedGuard& pin : pins)
      for (const SideValues& values : pin.memories)
        memories_[place_of(values)] = {pin.surface, &values};
  }

  NodeId blended(NodeId root) {
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      if (graph_.op(id) == Op::kSelect) return blended_select(id);
      const auto at = memories_.find(id);
      if (at == memories_.end()) return NodeId();
      const auto& [surface, values] = at->second;
      return mixed(graph_.constant(values->positive), graph_.constant(values->negative),
                   shares_.at(surface));
    };
    return Rewriter<decltype(change)>(graph_, change).rewrite(root);
  }
  const std::vector<NodeId>& differences() const { return differences_; }

 private:
  NodeId blended_select(NodeId id) {
    const SlidingGroup* group = find_group(id);
    if (group == nullptr) return model_.decided(graph_, {id}, truths_.truths).front();
    std::vector<NodeId> corners;
    for (std::size_t m = 0; m < group->corners.size(); ++m)
      corners.push_back(with_memories(model_.decided(graph_, {id}, group->corners[m]).front(),
                                      group->surfaces, m));
    // One surface after the other: share * (positive side) + (1 - share) * (negative side).
    for (std::size_t s = group->surfaces.size(); s-- > 0;) {
      const std::size_t half = corners.size() / 2;
      const NodeId share = shares_.at(group->surfaces[s]);
      for (std::size_t m = 0; m < half; ++m)
        corners[m] = mixed(corners[m + half], corners[m], share);
      corners.resize(half);
    }
    return corners.front();
  }

  // All sliding surfaces that a select reads are in one group.
  const SlidingGroup* find_group(NodeId select) const {
    const auto surfaces = sliding_surfaces_below(model_, pins_, select);
    return surfaces.empty() ? nullptr : group_of_.at(surfaces.front());
  }

  NodeId place_of(const SideValues& values) const {
    return graph_.parameter(ParamId(model_.value_slot(values.variable)));
  }

  // Discrete variables that follow the surfaces have their numbers at a corner.
  NodeId with_memories(NodeId root, const std::vector<std::size_t>& surfaces, std::size_t corner) {
    if (memories_.empty()) return root;
    const auto change = [&](NodeId id, const std::vector<NodeId>&) {
      const auto at = memories_.find(id);
      if (at == memories_.end()) return NodeId();
      const auto& [surface, values] = at->second;
      const auto s = std::find(surfaces.begin(), surfaces.end(), surface) - surfaces.begin();
      return graph_.constant(values->on((corner >> s & 1) != 0));
    };
    return Rewriter<decltype(change)>(graph_, change).rewrite(root);
  }

  NodeId mixed(NodeId positive, NodeId negative, NodeId share) {
    if (positive == negative) return negative;
    const NodeId difference = graph_.binary(Op::kSub, positive, negative);
    differences_.push_back(difference);
    return graph_.binary(Op::kAdd, negative, graph_.binary(Op::kMul, share, difference));
  }

  const HybridModel& model_;
  Graph& graph_;
  const ModeTruths& truths_;
  const std::vector<PinnedGuard>& pins_;
  std::map<std::size_t, NodeId> shares_;
  std::map<NodeId, std::pair<std::size_t, const SideValues*>> memories_;  // by place in the table
  std::map<std::size_t, const SlidingGroup*> group_of_;                   // by surface
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

// The equation that a share has in the place of its guard.
NodeId following(Graph& graph, NodeId share, const std::map<std::size_t, NodeId>& shares,
                 const SharedHold& follows) {
  NodeId other = shares.at(follows.surface);
  if (follows.is_opposite) other = graph.binary(Op::kSub, graph.constant(1), other);
  return graph.binary(Op::kSub, share, other);
}

}  // namespace

std::vector<PinnedGuard> impulsive(const std::vector<PinnedGuard>& pins) {
  std::vector<PinnedGuard> kept = pins;
  std::erase_if(kept, [](const PinnedGuard& pin) { return pin.is_sliding(); });
  return kept;
}

std::vector<std::size_t> sliding_surfaces_below(const HybridModel& model,
                                                const std::vector<PinnedGuard>& pins, NodeId root) {
  std::map<std::size_t, std::size_t> surface_of_place;
  std::vector<std::size_t> result;
  const auto below = model.surfaces_below(root);
  for (const PinnedGuard& pin : pins) {
    if (!pin.is_sliding()) continue;
    if (std::find(below.begin(), below.end(), pin.surface) != below.end())
      result.push_back(pin.surface);
    for (const SideValues& values : pin.memories)
      surface_of_place[model.value_slot(values.variable)] = pin.surface;
  }
  Walk walk;
  if (!surface_of_place.empty())
    for (NodeId id : walk.order(model.graph(), root)) {
      if (model.graph().op(id) != Op::kParameter) continue;
      const auto at = surface_of_place.find(model.graph().node(id).parameter.index());
      if (at != surface_of_place.end()) result.push_back(at->second);
    }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

HeldResiduals pin_guards(const HybridModel& model, Graph& graph, const ModeTruths& truths,
                         const std::vector<PinnedGuard>& pins) {
  HeldResiduals result;
  if (pins.empty()) {
    result.residuals = model.decided(graph, model.residuals(), truths.truths);
    std::vector<NodeId> guards;
    for (const Relation& relation : model.relations()) guards.push_back(relation.guard);
    result.guards = model.decided(graph, guards, truths.truths);
    return result;
  }
  std::vector<NodeId> unknowns;
  std::map<std::size_t, NodeId> shares;
  for (std::size_t k = 0; k < pins.size(); ++k) {
    unknowns.push_back(graph.variable(VarId(model.model().num_variables() + k)));
    if (pins[k].is_sliding()) shares[pins[k].surface] = unknowns.back();
  }
  Blending blending(model, graph, truths, pins, shares);
  for (NodeId residual : model.selecting_residuals())
    result.residuals.push_back(blending.blended(residual));
  result.is_meaningful = !has_leading_derivative(graph, result.residuals, blending.differences());
  for (const Relation& relation : model.relations())
    result.guards.push_back(blending.blended(relation.guard));
  const NodeId one = graph.constant(1);
  for (std::size_t k = 0; k < pins.size(); ++k) {
    const PinnedGuard& pin = pins[k];
    result.constraints.push_back(pin.follows
                                     ? following(graph, unknowns[k], shares, *pin.follows)
                                     : blending.blended(model.surfaces()[pin.surface].guard));
    if (pin.is_sliding()) {
      result.exits.push_back(unknowns[k]);
      result.exits.push_back(graph.binary(Op::kSub, one, unknowns[k]));
    } else {
      NodeId& row = result.residuals[pin.row->index()];
      row = graph.binary(Op::kAdd, row, unknowns[k]);
      result.exits.push_back(pin.sign > 0 ? unknowns[k] : graph.unary(Op::kNeg, unknowns[k]));
      result.exits.push_back(one);
    }
  }
  return result;
}

}  // namespace hydae
