#include "expr/derivative.h"

#include <algorithm>
#include <optional>

#include <hydae/error.h>

#include "expr/local_derivative.h"
#include "expr/node_map.h"
#include "expr/walk.h"

namespace hydae {
namespace {

// The range of operands that the derivative of a node is made of.
struct Dependence {
  std::size_t begin, end;
};

Dependence dependence(const Graph& graph, NodeId id) {
  const Op op = graph.op(id);
  if (is_piecewise_constant(op)) return {0, 0};
  if (op == Op::kSelect) return {1, 3};
  if (op == Op::kSmooth) return {1, 2};
  if (op == Op::kDelay) return {0, 2};
  return {0, graph.operands(id).size()};
}

// Forward sweep: the derivative of every node below a root, operands first. `Rule` remembers known
// derivatives and says what leaves and delays have.
template <class Rule>
class Forward {
 public:
  Forward(Graph& graph, Rule& rule) : graph_(graph), rule_(rule) {}

  NodeId derivative(NodeId root) {
    pending_.assign(1, root);
    while (!pending_.empty()) {
      const NodeId id = pending_.back();
      if (!rule_.known(id).is_valid()) {
        if (!wait_for_operands(id)) continue;
        rule_.remember(id, differentiate(id));
      }
      pending_.pop_back();
    }
    return rule_.known(root);
  }

 private:
  // True if the derivatives of all operands are known; otherwise puts the missing ones first.
  bool wait_for_operands(NodeId id) {
    const std::size_t before = pending_.size();
    const auto [begin, end] = dependence(graph_, id);
    const auto operands = graph_.operands(id);
    for (std::size_t i = begin; i < end; ++i)
      if (!rule_.known(operands[i]).is_valid()) pending_.push_back(operands[i]);
    return pending_.size() == before;
  }

  NodeId differentiate(NodeId id) {
    const Op op = graph_.op(id);
    if (num_operands(op) == 0) return rule_.leaf(id);
    if (is_piecewise_constant(op)) return graph_.constant(0);
    operands_.assign(graph_.operands(id).begin(), graph_.operands(id).end());
    const auto d = [&](std::size_t i) { return rule_.known(operands_[i]); };
    switch (op) {
      case Op::kSelect: return graph_.select(operands_[0], d(1), d(2));
      case Op::kSmooth: return d(1);
      case Op::kHomotopy: return graph_.binary(op, d(0), d(1));
      case Op::kDelay: return rule_.delay(operands_, d(1));
      case Op::kAbs:
        return graph_.select(switching_relation(graph_, op, operands_), d(0),
                             graph_.unary(Op::kNeg, d(0)));
      case Op::kMin:
      case Op::kMax: return graph_.select(switching_relation(graph_, op, operands_), d(0), d(1));
      default: return chain_rule(id);
    }
  }

  NodeId chain_rule(NodeId id) {
    NodeId sum = graph_.constant(0);
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const NodeId inner = rule_.known(operands_[i]);
      if (graph_.is_constant(inner, 0)) continue;
      const NodeId outer = local_derivative(graph_, id, i);
      sum = graph_.binary(Op::kAdd, sum, graph_.binary(Op::kMul, outer, inner));
    }
    return sum;
  }

  Graph& graph_;
  Rule& rule_;
  std::vector<NodeId> pending_;
  std::vector<NodeId> operands_;  // of the node at hand
};

// delay(e, d) by its delay time.
NodeId derivative_by_delay(Graph& graph, NodeId e, NodeId d, NodeId max) {
  return graph.unary(Op::kNeg, graph.ternary(Op::kDelay, total_derivative(graph, e), d, max));
}

class ByLeaf {
 public:
  ByLeaf(Graph& graph, Leaf leaf) : graph_(graph), leaf_(leaf), zero_(graph.constant(0)) {}

  NodeId known(NodeId id) const {
    const NodeId* derivative = known_.find(id);
    return derivative ? *derivative : NodeId();
  }
  void remember(NodeId id, NodeId derivative) { known_.insert(id, derivative); }
  NodeId leaf(NodeId id) {
    const bool is_it = graph_.op(id) == Op::kVariable && graph_.leaf_of(id) == leaf_;
    return is_it ? graph_.constant(1) : zero_;
  }
  NodeId delay(const std::vector<NodeId>& operands, NodeId d_delay) {
    if (d_delay == zero_) return zero_;
    const NodeId slope = derivative_by_delay(graph_, operands[0], operands[1], operands[2]);
    return graph_.binary(Op::kMul, slope, d_delay);
  }

 private:
  Graph& graph_;
  Leaf leaf_;
  NodeId zero_;
  NodeMap<NodeId> known_;
};

}  // namespace

// By time; the memory is the graph's.
class TotalDerivative {
 public:
  explicit TotalDerivative(Graph& graph) : graph_(graph) {}

  NodeId known(NodeId id) const {
    const auto& all = graph_.time_derivative_;
    return id.index() < all.size() ? all[id.index()] : NodeId();
  }
  void remember(NodeId id, NodeId derivative) {
    auto& all = graph_.time_derivative_;
    if (id.index() >= all.size()) all.resize(graph_.size());
    all[id.index()] = derivative;
  }
  NodeId leaf(NodeId id) {
    const Op op = graph_.op(id);
    if (op == Op::kTime) return graph_.constant(1);
    if (op != Op::kVariable) return graph_.constant(0);
    const Leaf leaf = graph_.leaf_of(id);
    if (graph_.is_held_between_events(leaf.variable)) return graph_.constant(0);
    return graph_.variable(leaf.variable, leaf.order + 1);
  }
  // d/dt e(t - d(t)) = e'(t - d) (1 - d')
  NodeId delay(const std::vector<NodeId>& operands, NodeId d_delay) {
    const NodeId inner = graph_.ternary(Op::kDelay, known(operands[0]), operands[1], operands[2]);
    const NodeId rate = graph_.binary(Op::kSub, graph_.constant(1), d_delay);
    return graph_.binary(Op::kMul, inner, rate);
  }

 private:
  Graph& graph_;
};

NodeId total_derivative(Graph& graph, NodeId root, int times) {
  if (times < 0) throw UsageError("a derivative must have an order of 0 or more");
  TotalDerivative rule(graph);
  Forward<TotalDerivative> forward(graph, rule);
  for (int i = 0; i < times; ++i) root = forward.derivative(root);
  return root;
}

NodeId partial(Graph& graph, NodeId root, Leaf leaf) {
  ByLeaf rule(graph, leaf);
  return Forward<ByLeaf>(graph, rule).derivative(root);
}

namespace {

// Most derivatives that a model asks for are those of a variable: no sweep is needed.
std::optional<Leaf> free_leaf(const Graph& graph, NodeId id) {
  if (graph.op(id) != Op::kVariable) return {};
  const Leaf leaf = graph.leaf_of(id);
  return graph.is_held_between_events(leaf.variable) ? std::nullopt : std::optional(leaf);
}

}  // namespace

Expr der(const Expr& a, int order) {
  if (order < 0) throw UsageError("der() takes an order of 0 or more");
  if (order == 0) return a;
  if (a.is_number()) return 0;
  if (const auto leaf = free_leaf(*a.graph(), a.id()))
    return {*a.graph(), a.graph()->variable(leaf->variable, leaf->order + order)};
  return {*a.graph(), total_derivative(*a.graph(), a.id(), order)};
}

}  // namespace hydae
