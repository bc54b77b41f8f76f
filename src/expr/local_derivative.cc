#include "expr/local_derivative.h"

#include <vector>

#include <hydae/error.h>

#include "base/check.h"
#include "ops/list.h"
#include "ops/operation.h"

namespace hydae {

// What the formulas of ops/ ask of expressions beside the public functions.
Expr zero_at_zero(const Expr& a, const Expr& other) {
  Graph& graph = *a.graph();
  const NodeId is_zero = graph.relation(Op::kEqual, a.id(), graph.constant(0), /*silent=*/true);
  return {graph, graph.select(is_zero, graph.constant(0), other.in(graph))};
}

namespace {

Expr no_formula(const Expr&, const Expr&, const Expr&) {
  fail_check("a differentiable operation", __FILE__, __LINE__);
}

using FormulaOf = Expr (*)(const Expr& value, const Expr& a, const Expr& b);

// The derivatives of ops/entry.h, written in expressions.
template <class O>
struct ByFirst {
  static Expr value([[maybe_unused]] const Expr& v, [[maybe_unused]] const Expr& a,
                    [[maybe_unused]] const Expr& b) {
    if constexpr (!ops::is_analytic<O>)
      return no_formula(v, a, b);
    else if constexpr (O::entry.num_operands == 1)
      return O::slope(v, a);
    else
      return O::slope_a(v, a, b);
  }
};

template <class O>
struct BySecond {
  static Expr value([[maybe_unused]] const Expr& v, [[maybe_unused]] const Expr& a,
                    [[maybe_unused]] const Expr& b) {
    if constexpr (ops::is_analytic<O> && O::entry.num_operands == 2)
      return O::slope_b(v, a, b);
    else
      return no_formula(v, a, b);
  }
};

constexpr auto kByFirst = ops::table_of<FormulaOf, ByFirst>(ops::Operations(), &no_formula);
constexpr auto kBySecond = ops::table_of<FormulaOf, BySecond>(ops::Operations(), &no_formula);

NodeId call_derivative(Graph& graph, NodeId id, int input) {
  const Node node = graph.node(id);
  const std::vector<NodeId> arguments(node.arguments.begin(), node.arguments.end());
  if (node.op == Op::kCall)
    return graph.call_derivative(node.function, node.output, input, -1, arguments);
  if (node.second_input >= 0)
    throw UsageError("an external function can be differentiated twice, not three times");
  return graph.call_derivative(node.function, node.output, node.input, input, arguments);
}

}  // namespace

NodeId local_derivative(Graph& graph, NodeId id, std::size_t i) {
  const Node node = graph.node(id);
  if (is_call(node.op)) return call_derivative(graph, id, static_cast<int>(i));
  const Expr value(graph, id), a(graph, node.a);
  const Expr b = node.b.is_valid() ? Expr(graph, node.b) : Expr();
  const auto& formulas = i == 0 ? kByFirst : kBySecond;
  return formulas[static_cast<std::size_t>(node.op)](value, a, b).in(graph);
}

NodeId switching_relation(Graph& graph, Op op, std::span<const NodeId> operands) {
  const NodeId b = operands.size() == 1 ? graph.constant(0) : operands[1];
  return graph.relation(ops::deciding_relation(op), operands[0], b, /*silent=*/true);
}

}  // namespace hydae
