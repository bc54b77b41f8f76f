#include "modelica/flat/semi_linear.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace hydae::modelica {
namespace {

constexpr double kNoFlow = 1e-6;  // e below; where flows count as none

struct Signed {
  NodeId variable;
  bool is_negative;
  auto operator<=>(const Signed&) const = default;
};

// [-]y = x*forward for x >= 0, [-]y = x*backward for x <= 0.
struct SemiLinear {
  std::size_t equation;
  NodeId x;
  Signed y;
  NodeId forward, backward;
};

std::optional<Signed> signed_variable(const Graph& graph, NodeId id) {
  const bool is_negative = graph.op(id) == Op::kNeg;
  if (is_negative) id = graph.operands(id)[0];
  if (graph.op(id) != Op::kVariable) return std::nullopt;
  return Signed{id, is_negative};
}

// a if the term is a*x.
std::optional<NodeId> factor(Graph& graph, NodeId term, NodeId x) {
  if (graph.is_constant(term, 0)) return term;
  if (term == x) return graph.constant(1);
  if (graph.op(term) == Op::kNeg) {
    const auto inner = factor(graph, graph.operands(term)[0], x);
    return inner ? std::optional(graph.unary(Op::kNeg, *inner)) : std::nullopt;
  }
  if (graph.op(term) != Op::kMul) return std::nullopt;
  const Node product = graph.node(term);
  if (product.a == x) return product.b;
  if (product.b == x) return product.a;
  return std::nullopt;
}

// [-]y = smooth(0, if [-]x >= 0 then a*x else b*x)
std::optional<SemiLinear> find_semi_linear(Graph& graph, NodeId left, NodeId right) {
  const auto y = signed_variable(graph, left);
  if (!y || graph.op(right) != Op::kSmooth || !graph.is_constant(graph.operands(right)[0], 0))
    return std::nullopt;
  const Node choice = graph.node(graph.operands(right)[1]);
  if (choice.op != Op::kSelect) return std::nullopt;
  const Node sign = graph.node(choice.a);
  if ((sign.op != Op::kGreaterEqual && sign.op != Op::kGreater) || !sign.silent ||
      !graph.is_constant(sign.b, 0))
    return std::nullopt;
  const auto x = signed_variable(graph, sign.a);
  if (!x) return std::nullopt;
  const auto first = factor(graph, choice.b, x->variable);
  const auto second = factor(graph, choice.c, x->variable);
  if (!first || !second) return std::nullopt;
  SemiLinear result{0, x->variable, *y, *first, *second};
  if (graph.op(*first) == Op::kNeg || graph.op(*second) == Op::kNeg) {
    result.y.is_negative = !y->is_negative;
    for (NodeId* side : {&result.forward, &result.backward}) *side = graph.unary(Op::kNeg, *side);
  }
  if (x->is_negative) std::swap(result.forward, result.backward);
  return result;
}

// The terms of an equation that is a sum of variables; empty for any other.
std::vector<Signed> sum_of(const Graph& graph, const Equation& equation) {
  if (equation.lhs.is_number() && equation.rhs.is_number()) return {};
  std::vector<Signed> terms, pending;
  const auto add = [&](const Expr& side, bool is_negative) {
    if (side.is_number() ? side.value() != 0 : false) return false;
    if (!side.is_number()) pending.push_back({side.id(), is_negative});
    return true;
  };
  if (!add(equation.lhs, false) || !add(equation.rhs, true)) return {};
  while (!pending.empty()) {
    const auto [id, is_negative] = pending.back();
    pending.pop_back();
    const Node node = graph.node(id);
    if (node.op == Op::kVariable && node.order == 0) {
      terms.push_back({id, is_negative});
    } else if (node.op == Op::kAdd || node.op == Op::kSub) {
      pending.push_back({node.b, is_negative != (node.op == Op::kSub)});
      pending.push_back({node.a, is_negative});
    } else if (node.op == Op::kNeg) {
      pending.push_back({node.a, !is_negative});
    } else if (!graph.is_constant(id, 0)) {
      return {};
    }
  }
  return terms;
}

// Flows y that are equal, up to their sign, because nothing is stored or added between them:
// y1 + y2 + q = 0 where q = 0.
class EqualFlows {
 public:
  EqualFlows(const Graph& graph, const std::vector<Equation>& equations) {
    std::vector<std::vector<Signed>> sums;
    for (const Equation& equation : equations)
      if (auto terms = sum_of(graph, equation); !terms.empty()) sums.push_back(std::move(terms));
    for (const auto& sum : sums)
      if (sum.size() == 1) is_zero_.insert(sum[0].variable);
    for (auto& sum : sums) {
      std::erase_if(sum, [this](const Signed& term) { return is_zero_.contains(term.variable); });
      if (sum.size() == 2) unite(sum[0], sum[1]);
    }
  }

  Signed representative(Signed at) const {
    for (auto next = parent_.find(at.variable); next != parent_.end();
         next = parent_.find(at.variable))
      at = {next->second.variable, at.is_negative != next->second.is_negative};
    return at;
  }

 private:
  void unite(const Signed& a, const Signed& b) {
    const Signed first = representative(a), second = representative(b);
    if (first.variable == second.variable) return;
    const bool is_negative = first.is_negative == second.is_negative;  // their sum is zero
    parent_.emplace(second.variable, Signed{first.variable, is_negative});
  }

  std::set<NodeId> is_zero_;
  std::map<NodeId, Signed> parent_;
};

// The equations in an order in which each begins with the variable that the one before ends with;
// nothing if there is no such order.
std::optional<std::vector<SemiLinear>> chain_of(const Graph& graph,
                                                const std::vector<SemiLinear>& parts) {
  std::map<NodeId, const SemiLinear*> by_forward, by_backward;
  for (const SemiLinear& part : parts) {
    if (!by_forward.emplace(part.forward, &part).second) return std::nullopt;
    if (!by_backward.emplace(part.backward, &part).second) return std::nullopt;
  }
  const SemiLinear* at = nullptr;
  for (const SemiLinear& part : parts)
    if (by_backward.count(part.forward) == 0) at = &part;
  std::vector<SemiLinear> chain;
  while (at != nullptr) {
    chain.push_back(*at);
    const auto next = by_forward.find(at->backward);
    if (next == by_forward.end()) break;
    if (graph.op(at->backward) != Op::kVariable) return std::nullopt;
    at = next->second;
  }
  if (chain.size() != parts.size()) return std::nullopt;
  return chain;
}

void rewrite(Graph& graph, const std::vector<SemiLinear>& chain, std::vector<Equation>& equations) {
  const NodeId x = chain[0].x, a = chain.front().forward, b = chain.back().backward;
  const NodeId is_forward = graph.relation(Op::kGreaterEqual, x, graph.constant(0), true);
  const NodeId upstream = graph.select(is_forward, a, b);
  const NodeId flow =
      graph.select(is_forward, graph.binary(Op::kMul, a, x), graph.binary(Op::kMul, b, x));
  const auto set = [&](const SemiLinear& part, NodeId left, NodeId right) {
    equations[part.equation].lhs = Expr(graph, left);
    equations[part.equation].rhs = Expr(graph, right);
  };
  for (std::size_t k = 0; k + 1 < chain.size(); ++k) set(chain[k], chain[k].backward, upstream);
  const Signed& y = chain.back().y;
  set(chain.back(), y.is_negative ? graph.unary(Op::kNeg, y.variable) : y.variable,
      graph.binary(Op::kSmooth, graph.constant(0), flow));
}

std::vector<SemiLinear> find_all(Graph& graph, const std::vector<Equation>& equations) {
  std::vector<SemiLinear> parts;
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const NodeId left = equations[k].lhs.in(graph), right = equations[k].rhs.in(graph);
    auto found = find_semi_linear(graph, left, right);
    if (!found) found = find_semi_linear(graph, right, left);
    if (!found) continue;
    found->equation = k;
    parts.push_back(*found);
  }
  return parts;
}

// What several streams share; none if it is not one variable.
NodeId common_value(const Graph& graph, const std::vector<const SemiLinear*>& parts) {
  for (NodeId s : {parts[0]->forward, parts[0]->backward}) {
    const auto has_it = [s](const SemiLinear* part) {
      return (part->forward == s) != (part->backward == s);
    };
    if (graph.op(s) == Op::kVariable && std::all_of(parts.begin(), parts.end(), has_it)) return s;
  }
  return {};
}

// The mixture of what flows in, sum(in_i a_i)/M with M = sum(in_i), as
//     (sum(in_i a_i) + (D - M) mean(a_i))/D,  D = sqrt(M^2 + e^2):
// without flow the mean, and off by e^2/(2 M^2) of the differences with flow.
NodeId mixture(Graph& graph, NodeId s, const std::vector<const SemiLinear*>& parts) {
  NodeId inflow = graph.constant(0), sum = graph.constant(0), mean = graph.constant(0);
  const auto plus = [&](NodeId a, NodeId b) { return graph.binary(Op::kAdd, a, b); };
  const auto times = [&](NodeId a, NodeId b) { return graph.binary(Op::kMul, a, b); };
  for (const SemiLinear* part : parts) {
    const bool leaves_forward = part->forward == s;
    const NodeId x = leaves_forward ? graph.unary(Op::kNeg, part->x) : part->x;
    const NodeId in = graph.binary(Op::kMax, x, graph.constant(0));
    const NodeId value = leaves_forward ? part->backward : part->forward;
    inflow = plus(inflow, in);
    sum = plus(sum, times(in, value));
    mean = plus(mean, value);
  }
  mean = graph.binary(Op::kDiv, mean, graph.constant(static_cast<double>(parts.size())));
  const NodeId square = graph.binary(Op::kPow, inflow, graph.constant(2));
  const NodeId D = graph.unary(Op::kSqrt, plus(square, graph.constant(kNoFlow * kNoFlow)));
  const NodeId rest = graph.binary(Op::kSub, D, inflow);
  return graph.binary(Op::kDiv, plus(sum, times(rest, mean)), D);
}

}  // namespace

void rewrite_semi_linear_chains(Graph& graph, std::vector<Equation>& equations) {
  const std::vector<SemiLinear> parts = find_all(graph, equations);
  if (parts.size() < 2) return;
  const EqualFlows flows(graph, equations);
  std::map<std::pair<NodeId, Signed>, std::vector<SemiLinear>> by_flow;
  for (SemiLinear part : parts) {
    part.y = flows.representative(part.y);
    by_flow[{part.x, part.y}].push_back(part);
  }
  for (const auto& [flow, members] : by_flow) {
    if (members.size() < 2) continue;
    if (const auto chain = chain_of(graph, members)) rewrite(graph, *chain, equations);
  }
}

void rewrite_semi_linear_junctions(Graph& graph, std::vector<Equation>& equations) {
  std::map<NodeId, std::vector<const SemiLinear*>> by_flow;
  const std::vector<SemiLinear> parts = find_all(graph, equations);
  const EqualFlows equal(graph, equations);
  for (const SemiLinear& part : parts)
    by_flow[equal.representative(part.y).variable].push_back(&part);
  if (by_flow.size() < 3) return;
  for (Equation& equation : equations) {
    std::vector<const SemiLinear*> streams;
    const std::vector<Signed> flows = sum_of(graph, equation);
    for (const Signed& flow : flows)
      if (const auto at = by_flow.find(equal.representative(flow).variable);
          at != by_flow.end() && at->second.size() == 1)
        streams.push_back(at->second[0]);
    if (streams.size() < 3 || streams.size() != flows.size()) continue;
    const NodeId s = common_value(graph, streams);
    if (!s.is_valid()) continue;
    equation.lhs = Expr(graph, s);
    equation.rhs = Expr(graph, mixture(graph, s, streams));
  }
}

}  // namespace hydae::modelica
