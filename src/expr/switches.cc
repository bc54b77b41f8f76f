#include "expr/switches.h"

#include <numbers>

#include "expr/local_derivative.h"
#include "expr/rewrite.h"
#include "expr/silent_rounding.h"
#include "expr/walk.h"

namespace hydae {
namespace {

NodeId lowered_sign(Graph& graph, NodeId a) {
  const NodeId zero = graph.constant(0);
  const NodeId negative = graph.relation(Op::kLess, a, zero, /*silent=*/true);
  const NodeId positive = graph.relation(Op::kGreater, a, zero, /*silent=*/true);
  const NodeId rest = graph.select(negative, graph.constant(-1), zero);
  return graph.select(positive, graph.constant(1), rest);
}

// The angle of (x, y) jumps where y changes its sign at negative x, and its series would go on.
// There, in each half of the plane, it is measured from the axis of y, where nothing jumps; at
// positive x it is taken as it stands, so that small angles keep their digits.
NodeId lowered_angle(Graph& graph, NodeId y, NodeId x) {
  const NodeId zero = graph.constant(0), quarter = graph.constant(std::numbers::pi / 2);
  const NodeId upper = graph.binary(Op::kSub, quarter, graph.binary(Op::kAtan2, x, y));
  const NodeId lower =
      graph.binary(Op::kSub, graph.binary(Op::kAtan2, x, graph.unary(Op::kNeg, y)), quarter);
  return graph.select(
      graph.relation(Op::kGreater, x, zero, /*silent=*/true), graph.binary(Op::kAtan2, y, x),
      graph.select(graph.relation(Op::kGreaterEqual, y, zero, /*silent=*/true), upper, lower));
}

NodeId lowered(Graph& graph, NodeId id, const std::vector<NodeId>& operands) {
  const Op op = graph.op(id);
  switch (op) {
    case Op::kSign: return lowered_sign(graph, operands[0]);
    case Op::kAtan2: return lowered_angle(graph, operands[0], operands[1]);
    case Op::kAbs:
      return graph.select(switching_relation(graph, op, operands), operands[0],
                          graph.unary(Op::kNeg, operands[0]));
    case Op::kMin:
    case Op::kMax:
      return graph.select(switching_relation(graph, op, operands), operands[0], operands[1]);
    default: return {};
  }
}

template <class Change>
std::vector<NodeId> rewrite_all(Graph& graph, std::span<const NodeId> roots, Change change) {
  Rewriter<Change> rewriter(graph, std::move(change));
  std::vector<NodeId> results;
  for (NodeId root : roots) results.push_back(rewriter.rewrite(root));
  return results;
}

}  // namespace

std::vector<NodeId> lower_switches(Graph& graph, std::span<const NodeId> roots) {
  return rewrite_all(graph, roots, [&](NodeId id, const std::vector<NodeId>& operands) {
    return lowered(graph, id, operands);
  });
}

NodeId lower_switches(Graph& graph, NodeId root) {
  return lower_switches(graph, std::span(&root, 1))[0];
}

std::vector<NodeId> relations(const Graph& graph, std::span<const NodeId> roots) {
  Walk walk;
  std::vector<NodeId> found;
  for (NodeId id : walk.order(graph, roots))
    if (is_relation(graph.op(id))) found.push_back(id);
  return found;
}

std::vector<NodeId> resolve(Graph& graph, std::span<const NodeId> roots, const Truth& truth) {
  return rewrite_all(graph, roots, [&](NodeId id, const std::vector<NodeId>&) {
    if (!is_relation(graph.op(id))) return NodeId();
    const std::optional<bool> value = truth(id);
    return value ? graph.boolean(*value) : NodeId();
  });
}

NodeId resolve(Graph& graph, NodeId root, const Truth& truth) {
  return resolve(graph, std::span(&root, 1), truth)[0];
}

NodeId silence(Graph& graph, NodeId root) {
  return rewrite_all(graph, std::span(&root, 1),
                     [&](NodeId id, const std::vector<NodeId>& operands) {
                       const Op op = graph.op(id);
                       if (is_rounding(op))
                         return silent_rounding(graph, graph.unary(op, operands[0]));
                       if (is_silent_rounding(graph, id)) return operands[1];
                       if (!is_relation(op)) return NodeId();
                       return graph.relation(op, operands[0], operands[1], /*silent=*/true);
                     })[0];
}

Expr no_event(const Expr& a) {
  return a.is_number() ? a : Expr(*a.graph(), silence(*a.graph(), a.id()));
}

}  // namespace hydae
