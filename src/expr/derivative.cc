#include "expr/derivative.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <hydae/error.h>

#include "expr/local_derivative.h"
#include "expr/node_map.h"
#include "expr/walk.h"
#include "ops/operation.h"

namespace hydae {
namespace {

// The range of operands that the derivative of a node is made of.
struct Dependence {
  std::size_t begin, end;
};

Dependence dependence(const Graph& graph, NodeId id) {
  const Op op = graph.op(id);
  if (ops::is_step(op)) return {0, 0};
  if (op == Op::kSelect) return {1, 3};
  if (op == Op::kSmooth) return {1, 2};
  if (op == Op::kDelay) return {0, 2};
  return {0, graph.operands(id).size()};
}

// In the operands it depends on: its derivative of any order is the same operation on theirs.
bool is_linear(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kNeg:
    case Op::kHomotopy:
    case Op::kSelect:
    case Op::kSmooth:
    case Op::kAbs:
    case Op::kMin:
    case Op::kMax: return true;
    default: return false;
  }
}

// `operands` and their derivatives `d` are those of the node.
NodeId differentiate_linear(Graph& graph, Op op, std::span<const NodeId> operands,
                            std::span<const NodeId> d) {
  if (op == Op::kNeg) return graph.unary(op, d[0]);
  if (op == Op::kSmooth) return d[1];
  if (op == Op::kSelect) return graph.select(operands[0], d[1], d[2]);
  if (op != Op::kAbs && op != Op::kMin && op != Op::kMax) return graph.binary(op, d[0], d[1]);
  const NodeId otherwise = op == Op::kAbs ? graph.unary(Op::kNeg, d[0]) : d[1];
  return graph.select(switching_relation(graph, op, operands), d[0], otherwise);
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
    if (ops::is_step(op)) return graph_.constant(0);
    operands_.assign(graph_.operands(id).begin(), graph_.operands(id).end());
    derivatives_.clear();
    for (NodeId operand : operands_) derivatives_.push_back(rule_.known(operand));
    if (op == Op::kDelay) return rule_.delay(operands_, derivatives_[1]);
    return is_linear(op) ? differentiate_linear(graph_, op, operands_, derivatives_)
                         : chain_rule(id);
  }

  NodeId chain_rule(NodeId id) {
    NodeId sum = graph_.constant(0);
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const NodeId inner = derivatives_[i];
      if (graph_.is_constant(inner, 0)) continue;
      const NodeId outer = local_derivative(graph_, id, i);
      sum = graph_.binary(Op::kAdd, sum, graph_.binary(Op::kMul, outer, inner));
    }
    return sum;
  }

  Graph& graph_;
  Rule& rule_;
  std::vector<NodeId> pending_;
  std::vector<NodeId> operands_, derivatives_;  // of the node at hand
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

  NodeId known(NodeId id) const { return graph_.known_derivative(id); }
  void remember(NodeId id, NodeId derivative) { graph_.remember_derivative(id, derivative); }
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

namespace {

// Derivatives of higher order by time. Those of products and quotients come from Leibniz's rule
// applied to the factors, not from differentiating the sum of the order below term by term: order m
// adds m terms to a product, as the recurrences of Taylor series do. A function is differentiated
// once, which leaves products.
class HigherDerivative {
 public:
  explicit HigherDerivative(Graph& graph) : graph_(graph), rule_(graph), first_(graph, rule_) {}

  NodeId derivative(NodeId root, int order) {
    pending_.assign(1, {root, order});
    while (!pending_.empty()) {
      const Task task = pending_.back();
      if (!known(task).is_valid()) {
        if (!wait_for_parts(task)) continue;
        rule_.remember(known({task.id, task.order - 1}), differentiate(task));
      }
      pending_.pop_back();
    }
    return known({root, order});
  }

 private:
  struct Task {
    NodeId id;
    int order;
  };

  NodeId known(Task task) const {
    for (int k = 0; k < task.order && task.id.is_valid(); ++k) task.id = rule_.known(task.id);
    return task.id;
  }

  // By Leibniz's rule: products, quotients, squares.
  bool is_product(NodeId id) const {
    const Op op = graph_.op(id);
    return op == Op::kMul || op == Op::kDiv ||
           (op == Op::kPow && graph_.is_constant(graph_.operands(id)[1], 2));
  }

  // True if everything that the derivative is made of is known; otherwise puts it first.
  bool wait_for_parts(Task task) {
    if (task.order == 1) return true;
    const std::size_t before = pending_.size();
    const auto wait_for = [&](Task part) {
      if (!known(part).is_valid()) pending_.push_back(part);
    };
    wait_for({task.id, task.order - 1});
    if (pending_.size() > before) return false;
    if (!is_linear(graph_.op(task.id)) && !is_product(task.id)) {
      wait_for({rule_.known(task.id), task.order - 1});
    } else {
      const auto [begin, end] = dependence(graph_, task.id);
      for (std::size_t i = begin; i < end; ++i) wait_for({graph_.operands(task.id)[i], task.order});
    }
    return pending_.size() == before;
  }

  NodeId differentiate(Task task) {
    if (task.order == 1) return first_.derivative(task.id);
    if (is_product(task.id)) return differentiate_product(task);
    const Op op = graph_.op(task.id);
    if (!is_linear(op)) return known({rule_.known(task.id), task.order - 1});
    const auto below = graph_.operands(task.id);
    const std::vector<NodeId> operands(below.begin(), below.end());
    std::vector<NodeId> parts;
    for (NodeId operand : operands) parts.push_back(known({operand, task.order}));
    return differentiate_linear(graph_, op, operands, parts);
  }

  NodeId differentiate_product(Task task) {
    const Op op = graph_.op(task.id);
    const NodeId a = graph_.operands(task.id)[0], b = graph_.operands(task.id)[1];
    const int m = task.order;
    if (op == Op::kPow) return leibniz(a, a, m, m);
    if (op == Op::kMul) return leibniz(a, b, m, m);
    // v = a/b: a^(m) is the sum of C(m, k) v^(k) b^(m-k)
    const NodeId rest = leibniz(task.id, b, m, m - 1);
    return graph_.binary(Op::kDiv, graph_.binary(Op::kSub, known({a, m}), rest), b);
  }

  // The sum of C(m, k) a^(k) b^(m-k) for k = 0 .. last.
  NodeId leibniz(NodeId a, NodeId b, int m, int last) {
    const std::vector<NodeId> of_a = derivatives(a, last), of_b = derivatives(b, m);
    const bool is_square = a == b && last == m;
    NodeId sum = graph_.constant(0);
    long double binomial = 1;
    for (int k = 0; k <= (is_square ? m / 2 : last); ++k) {
      const auto weight = static_cast<double>(is_square && 2 * k < m ? 2 * binomial : binomial);
      const NodeId term = graph_.binary(Op::kMul, of_a[static_cast<std::size_t>(k)],
                                        of_b[static_cast<std::size_t>(m - k)]);
      sum = graph_.binary(Op::kAdd, sum, graph_.binary(Op::kMul, graph_.constant(weight), term));
      binomial = std::round(binomial * (m - k) / (k + 1));
    }
    return sum;
  }

  // a, a', ..., a^(m)
  std::vector<NodeId> derivatives(NodeId a, int m) const {
    std::vector<NodeId> list = {a};
    for (int k = 0; k < m; ++k) list.push_back(rule_.known(list.back()));
    return list;
  }

  Graph& graph_;
  TotalDerivative rule_;
  Forward<TotalDerivative> first_;
  std::vector<Task> pending_;
};

}  // namespace

NodeId total_derivative(Graph& graph, NodeId root, int times) {
  if (times < 0) throw UsageError("a derivative must have an order of 0 or more");
  return HigherDerivative(graph).derivative(root, times);
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
