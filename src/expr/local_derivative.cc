#include "expr/local_derivative.h"

#include <cmath>
#include <vector>

#include <hydae/error.h>

#include "base/check.h"

namespace hydae {
namespace {

// Writes formulas: the graph's operations under short names.
struct Formula {
  Graph& graph;

  NodeId number(double value) { return graph.constant(value); }
  NodeId add(NodeId a, NodeId b) { return graph.binary(Op::kAdd, a, b); }
  NodeId sub(NodeId a, NodeId b) { return graph.binary(Op::kSub, a, b); }
  NodeId mul(NodeId a, NodeId b) { return graph.binary(Op::kMul, a, b); }
  NodeId div(NodeId a, NodeId b) { return graph.binary(Op::kDiv, a, b); }
  NodeId pow(NodeId a, NodeId b) { return graph.binary(Op::kPow, a, b); }
  NodeId neg(NodeId a) { return graph.unary(Op::kNeg, a); }
  NodeId square(NodeId a) { return pow(a, number(2)); }
  NodeId of(Op op, NodeId a) { return graph.unary(op, a); }
};

NodeId unary_derivative(Formula f, Op op, NodeId value, NodeId a) {
  switch (op) {
    case Op::kNeg: return f.number(-1);
    case Op::kSqrt: return f.div(f.number(0.5), value);
    case Op::kExp: return value;
    case Op::kLog: return f.div(f.number(1), a);
    case Op::kLog10: return f.div(f.number(1 / std::log(10.0)), a);
    case Op::kSin: return f.of(Op::kCos, a);
    case Op::kCos: return f.neg(f.of(Op::kSin, a));
    case Op::kTan: return f.add(f.square(value), f.number(1));
    case Op::kAsin: return f.div(f.number(1), f.of(Op::kSqrt, f.sub(f.number(1), f.square(a))));
    case Op::kAcos: return f.div(f.number(-1), f.of(Op::kSqrt, f.sub(f.number(1), f.square(a))));
    case Op::kAtan: return f.div(f.number(1), f.add(f.square(a), f.number(1)));
    case Op::kSinh: return f.of(Op::kCosh, a);
    case Op::kCosh: return f.of(Op::kSinh, a);
    case Op::kTanh: return f.sub(f.number(1), f.square(value));
    default: break;
  }
  HYDAE_CHECK(!"a differentiable function of one operand");
  return {};
}

// a^b log(a), which tends to 0 where a does.
NodeId by_exponent(Formula f, NodeId value, NodeId a) {
  const NodeId is_zero = f.graph.relation(Op::kEqual, a, f.number(0), /*silent=*/true);
  return f.graph.select(is_zero, f.number(0), f.mul(value, f.of(Op::kLog, a)));
}

NodeId binary_derivative(Formula f, Op op, NodeId value, NodeId a, NodeId b, bool by_first) {
  switch (op) {
    case Op::kAdd: return f.number(1);
    case Op::kSub: return f.number(by_first ? 1 : -1);
    case Op::kMul: return by_first ? b : a;
    case Op::kDiv: return by_first ? f.div(f.number(1), b) : f.neg(f.div(value, b));
    case Op::kPow:
      return by_first ? f.mul(b, f.pow(a, f.sub(b, f.number(1)))) : by_exponent(f, value, a);
    case Op::kAtan2: {  // a = y, b = x
      const NodeId square_sum = f.add(f.square(b), f.square(a));
      return by_first ? f.div(b, square_sum) : f.neg(f.div(a, square_sum));
    }
    default: break;
  }
  HYDAE_CHECK(!"a differentiable function of two operands");
  return {};
}

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

bool is_piecewise_constant(Op op) {
  return is_relation(op) || op == Op::kNot || op == Op::kAnd || op == Op::kOr || op == Op::kSign ||
         op == Op::kFloor || op == Op::kCeil || op == Op::kTrunc || op == Op::kSample;
}

NodeId local_derivative(Graph& graph, NodeId id, std::size_t i) {
  const Node node = graph.node(id);
  if (is_call(node.op)) return call_derivative(graph, id, static_cast<int>(i));
  if (num_operands(node.op) == 1) return unary_derivative({graph}, node.op, id, node.a);
  return binary_derivative({graph}, node.op, id, node.a, node.b, i == 0);
}

NodeId switching_relation(Graph& graph, Op op, std::span<const NodeId> operands) {
  const NodeId a = operands[0];
  const NodeId b = op == Op::kAbs ? graph.constant(0) : operands[1];
  return graph.relation(op == Op::kMin ? Op::kLessEqual : Op::kGreaterEqual, a, b, /*silent=*/true);
}

}  // namespace hydae
