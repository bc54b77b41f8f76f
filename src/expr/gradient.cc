// Reverse sweep. The adjoint of a node is d root / d node; each node hands its own, times the local
// derivative, to its operands. Below a branch of a select, an adjoint holds only where that branch
// is active: it carries this guard, and no product is formed with a value that may be undefined
// elsewhere. Guards are undone where the two branches meet again.
#include <algorithm>
#include <map>
#include <tuple>

#include "expr/derivative.h"
#include "expr/local_derivative.h"
#include "expr/walk.h"
#include "ops/operation.h"

namespace hydae {
namespace {

class Reverse {
 public:
  explicit Reverse(Graph& graph) : graph_(graph), zero_(graph.constant(0)) {
    guards_.push_back({kAlways, graph.boolean(true), true, graph.boolean(true)});
  }

  std::vector<Partial> gradient(NodeId root) {
    const auto order = walk_.order(graph_, root, Walk::Scope::kInstant);
    adjoints_.assign(order.size(), {kNowhere, {}});
    find_active(order);
    contribute(root, kAlways, graph_.constant(1));
    std::vector<Partial> partials;
    for (std::size_t k = order.size(); k-- > 0;) {
      const Adjoint adjoint = adjoints_[k];
      if (adjoint.guard == kNowhere) continue;
      if (graph_.op(order[k]) != Op::kVariable)
        hand_down(order[k], adjoint);
      else if (const NodeId value = guarded(adjoint); value != zero_)
        partials.push_back({graph_.leaf_of(order[k]), value});
    }
    std::sort(partials.begin(), partials.end(),
              [](const Partial& a, const Partial& b) { return a.leaf < b.leaf; });
    return partials;
  }

 private:
  using GuardId = int;
  static constexpr GuardId kNowhere = -1, kAlways = 0;

  // Where an adjoint holds: one side of a select within an outer guard.
  struct Guard {
    GuardId outer;
    NodeId select_condition;
    bool side;
    NodeId condition;  // the whole of it
  };
  struct Adjoint {
    GuardId guard;
    NodeId value;
  };

  void hand_down(NodeId id, Adjoint adjoint) {
    const Op op = graph_.op(id);
    if (num_operands(op) == 0 || ops::is_step(op)) return;
    operands_.assign(graph_.operands(id).begin(), graph_.operands(id).end());
    const std::vector<NodeId>& operands = operands_;
    const auto [guard, value] = adjoint;
    switch (op) {
      case Op::kSelect: return branch(operands[0], operands[1], operands[2], adjoint);
      case Op::kMin:
      case Op::kMax:
        return branch(switching_relation(graph_, op, operands), operands[0], operands[1], adjoint);
      case Op::kAbs:
        return contribute(operands[0], guard,
                          graph_.select(switching_relation(graph_, op, operands), value,
                                        graph_.unary(Op::kNeg, value)));
      case Op::kSmooth: return contribute(operands[1], guard, value);
      case Op::kHomotopy:
        contribute(operands[0], guard, graph_.binary(op, value, zero_));
        return contribute(operands[1], guard, graph_.binary(op, zero_, value));
      case Op::kDelay: return through_delay(operands, adjoint);
      default:
        if (is_call(op) && graph_.node(id).second_input >= 0) return;  // taken as constant
        for (std::size_t i = 0; i < operands.size(); ++i) {
          if (!is_active(operands[i])) continue;
          const NodeId local = local_derivative(graph_, id, i);
          contribute(operands[i], guard, graph_.binary(Op::kMul, value, local));
        }
    }
  }

  // A node is active if its derivative by some variable may be other than zero.
  void find_active(std::span<const NodeId> order) {
    active_.assign(order.size(), false);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Op op = graph_.op(order[k]);
      active_[k] = op == Op::kVariable;
      if (ops::is_step(op)) continue;
      for (NodeId operand : graph_.instant_operands(order[k]))
        if (is_active(operand)) active_[k] = true;
    }
  }
  bool is_active(NodeId id) const { return active_[walk_.position(id)]; }

  void branch(NodeId condition, NodeId then_value, NodeId else_value, Adjoint adjoint) {
    contribute(then_value, inner_guard(adjoint.guard, condition, true), adjoint.value);
    contribute(else_value, inner_guard(adjoint.guard, condition, false), adjoint.value);
  }

  void through_delay(const std::vector<NodeId>& operands, Adjoint adjoint) {
    if (!is_active(operands[1])) return;
    const NodeId past = total_derivative(graph_, operands[0]);
    const NodeId slope = graph_.ternary(Op::kDelay, past, operands[1], operands[2]);
    const NodeId product = graph_.binary(Op::kMul, adjoint.value, slope);
    contribute(operands[1], adjoint.guard, graph_.unary(Op::kNeg, product));
  }

  void contribute(NodeId id, GuardId guard, NodeId value) {
    if (value == zero_ || !is_active(id)) return;
    Adjoint& adjoint = adjoints_[walk_.position(id)];
    adjoint = adjoint.guard == kNowhere ? Adjoint{guard, value} : join(adjoint, {guard, value});
  }

  Adjoint join(Adjoint a, Adjoint b) {
    if (a.guard == b.guard) return {a.guard, graph_.binary(Op::kAdd, a.value, b.value)};
    const Guard ga = guards_[a.guard], gb = guards_[b.guard];
    if (a.guard != kAlways && b.guard != kAlways && ga.outer == gb.outer &&
        ga.select_condition == gb.select_condition)  // the two sides of one select
      return {ga.outer, ga.side ? graph_.select(ga.select_condition, a.value, b.value)
                                : graph_.select(ga.select_condition, b.value, a.value)};
    const NodeId sum = graph_.binary(Op::kAdd, guarded(a), guarded(b));
    if (a.guard == kAlways || b.guard == kAlways) return {kAlways, sum};
    const NodeId either = graph_.binary(Op::kOr, ga.condition, gb.condition);
    return {inner_guard(kAlways, either, true), sum};
  }

  NodeId guarded(Adjoint adjoint) {
    return graph_.select(guards_[adjoint.guard].condition, adjoint.value, zero_);
  }

  GuardId inner_guard(GuardId outer, NodeId condition, bool side) {
    const auto [known, is_new] =
        guard_ids_.insert({{outer, condition, side}, static_cast<GuardId>(guards_.size())});
    if (is_new) {
      const NodeId own = side ? condition : graph_.unary(Op::kNot, condition);
      const NodeId whole = graph_.binary(Op::kAnd, guards_[outer].condition, own);
      guards_.push_back({outer, condition, side, whole});
    }
    return known->second;
  }

  Graph& graph_;
  NodeId zero_;
  Walk walk_;
  std::vector<NodeId> operands_;   // of the node at hand
  std::vector<bool> active_;       // by position in the walk
  std::vector<Adjoint> adjoints_;  // by position in the walk
  std::vector<Guard> guards_;
  std::map<std::tuple<GuardId, NodeId, bool>, GuardId> guard_ids_;
};

}  // namespace

std::vector<Partial> gradient(Graph& graph, NodeId root) { return Reverse(graph).gradient(root); }

}  // namespace hydae
