#include "modelica/flat/tanh_rewrite.h"

#include <optional>

namespace hydae::modelica {
namespace {

struct Logistic {  // numerator/(1 + exp(argument))
  double numerator;
  NodeId argument;
};

std::optional<Logistic> find_logistic(const Graph& graph, NodeId id) {
  if (graph.op(id) != Op::kDiv) return std::nullopt;
  const Node quotient = graph.node(id);
  if (!graph.is_constant(quotient.a) || graph.op(quotient.b) != Op::kAdd) return std::nullopt;
  const Node sum = graph.node(quotient.b);
  if (graph.op(sum.a) != Op::kExp || !graph.is_constant(sum.b, 1)) return std::nullopt;
  return Logistic{graph.constant_value(quotient.a), graph.operands(sum.a)[0]};
}

}  // namespace

// d + c/(1 + exp(u)) with c = -2 d is d (exp(u) - 1)/(exp(u) + 1) = d tanh(u/2).
NodeId without_logistic(Graph& graph, NodeId id) {
  const Op op = graph.op(id);
  if (op != Op::kAdd && op != Op::kSub) return id;
  const Node node = graph.node(id);
  const NodeId constant = op == Op::kAdd ? node.b : node.a;
  const NodeId quotient = op == Op::kAdd ? node.a : node.b;
  if (!graph.is_constant(constant)) return id;
  const auto logistic = find_logistic(graph, quotient);
  const double d = graph.constant_value(constant);
  if (!logistic || (op == Op::kAdd ? 1 : -1) * logistic->numerator != -2 * d) return id;
  const NodeId half = graph.binary(Op::kMul, graph.constant(0.5), logistic->argument);
  return graph.binary(Op::kMul, constant, graph.unary(Op::kTanh, half));
}

}  // namespace hydae::modelica
