// The rules that Graph applies while it builds. Each rule looks at a node and its operands only, so
// building costs the same for every node. Rules are exact for real numbers; constants are merged
// only where their sum or product has no rounding error. Normal forms: x - c is x + (-c); a
// constant is the first factor and the second summand; a sign stands before a product or quotient,
// never inside; x*x is x^2.
#include <cmath>

#include <hydae/expr.h>

#include "base/check.h"
#include "ops/operation.h"

namespace hydae {
namespace {

bool is_exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;  // Knuth's two-sum: the error term must vanish
  return std::isfinite(sum) && (a - (sum - b_part)) + (b - b_part) == 0;
}

bool is_exact_product(double a, double b) {
  const double product = a * b;
  return std::isfinite(product) && std::abs(product) > 1e-290 && std::fma(a, b, -product) == 0;
}

bool is_exact_quotient(double a, double b) {
  const double quotient = a / b;
  return std::isfinite(quotient) && std::abs(quotient) > 1e-290 && std::abs(a) > 1e-290 &&
         std::fma(quotient, b, -a) == 0;
}

}  // namespace

class Simplifier {
 public:
  explicit Simplifier(Graph& graph) : graph_(graph) {}

  NodeId negate(NodeId a);
  NodeId logical_not(NodeId a);
  NodeId add(NodeId a, NodeId b);
  NodeId subtract(NodeId a, NodeId b);
  NodeId multiply(NodeId a, NodeId b);
  NodeId divide(NodeId a, NodeId b);
  NodeId power(NodeId a, NodeId b);
  NodeId logical(Op op, NodeId a, NodeId b);
  NodeId delay(NodeId a, NodeId b, NodeId c);

 private:
  NodeId add_constant(NodeId a, double constant);
  NodeId subtract_from_constant(double constant, NodeId b);
  NodeId multiply_by_constant(double factor, NodeId a);
  NodeId negative_of(NodeId a);  // b if a is written -b, else none
  bool is_reciprocal(NodeId a) const;

  Graph& graph_;
};

NodeId Graph::unary(Op op, NodeId a) {
  check_operand(a);
  HYDAE_CHECK(num_operands(op) == 1);
  if (op == Op::kNot) return Simplifier(*this).logical_not(a);
  if (is_constant(a)) {
    const double value = ops::apply(op, constant_value(a));
    if (std::isfinite(value)) return constant(value);
  }
  if (op == Op::kNeg) return Simplifier(*this).negate(a);
  if (op == Op::kAbs && this->op(a) == Op::kNeg) return unary(Op::kAbs, operands(a)[0]);
  if (op == Op::kAbs && this->op(a) == Op::kAbs) return a;
  return make(op, a);
}

NodeId Graph::binary(Op op, NodeId a, NodeId b) {
  check_operand(a);
  check_operand(b);
  HYDAE_CHECK(num_operands(op) == 2);
  if (is_relation(op)) return relation(op, a, b);
  if (op == Op::kAnd || op == Op::kOr) return Simplifier(*this).logical(op, a, b);
  if (op == Op::kSample) return make(op, a, b);
  if (op == Op::kSmooth) return is_constant(b) ? b : make(op, a, b);
  if (op == Op::kHomotopy) return a == b ? a : make(op, a, b);
  if (is_constant(a) && is_constant(b)) {
    const double value = ops::apply(op, constant_value(a), constant_value(b));
    if (std::isfinite(value)) return constant(value);
    return make(op, a, b);
  }
  switch (op) {
    case Op::kAdd: return Simplifier(*this).add(a, b);
    case Op::kSub: return Simplifier(*this).subtract(a, b);
    case Op::kMul: return Simplifier(*this).multiply(a, b);
    case Op::kDiv: return Simplifier(*this).divide(a, b);
    case Op::kPow: return Simplifier(*this).power(a, b);
    case Op::kMin:
    case Op::kMax: return a == b ? a : make(op, a, b);
    default: return make(op, a, b);
  }
}

NodeId Graph::relation(Op op, NodeId a, NodeId b, bool silent) {
  check_operand(a);
  check_operand(b);
  HYDAE_CHECK(is_relation(op));
  if (is_constant(a) && is_constant(b))
    return boolean(ops::apply(op, constant_value(a), constant_value(b)) != 0);
  if (a == b) return boolean(ops::apply(op, 0, 0) != 0);
  return make(op, a, b, {}, silent);
}

NodeId Graph::ternary(Op op, NodeId a, NodeId b, NodeId c) {
  check_operand(a);
  check_operand(b);
  check_operand(c);
  HYDAE_CHECK(num_operands(op) == 3);
  return op == Op::kSelect ? select(a, b, c) : Simplifier(*this).delay(a, b, c);
}

NodeId Graph::select(NodeId condition, NodeId then_value, NodeId else_value) {
  check_operand(condition);
  check_operand(then_value);
  check_operand(else_value);
  if (is_constant(condition)) return constant_value(condition) != 0 ? then_value : else_value;
  if (then_value == else_value) return then_value;
  if (op(condition) == Op::kNot) return select(operands(condition)[0], else_value, then_value);
  if (is_constant(then_value) && is_constant(else_value) && node(then_value).is_boolean &&
      node(else_value).is_boolean)
    return constant_value(then_value) != 0 ? condition : Simplifier(*this).logical_not(condition);
  return make(Op::kSelect, condition, then_value, else_value);
}

NodeId Simplifier::delay(NodeId a, NodeId b, NodeId c) {
  if (graph_.is_constant(a) || graph_.is_constant(b, 0)) return a;
  return graph_.make(Op::kDelay, a, b, c);
}

NodeId Simplifier::logical_not(NodeId a) {
  if (graph_.is_constant(a)) return graph_.boolean(graph_.constant_value(a) == 0);
  if (graph_.op(a) == Op::kNot) return graph_.operands(a)[0];
  return graph_.make(Op::kNot, a);
}

NodeId Simplifier::logical(Op op, NodeId a, NodeId b) {
  const bool neutral = op == Op::kAnd;  // true and x is x; false or x is x
  if (graph_.is_constant(b)) std::swap(a, b);
  if (graph_.is_constant(a)) {
    if ((graph_.constant_value(a) != 0) != neutral) return graph_.boolean(!neutral);
    return graph_.is_constant(b) ? graph_.boolean(graph_.constant_value(b) != 0) : b;
  }
  return a == b ? a : graph_.make(op, a, b);
}

// --- signs
// ----------------------------------------------------------------------------------------

NodeId Simplifier::negative_of(NodeId a) {
  const Node node = graph_.node(a);
  if (node.op == Op::kNeg) return node.a;
  if (node.op == Op::kMul && graph_.is_constant(node.a) && graph_.constant_value(node.a) < 0)
    return multiply_by_constant(-graph_.constant_value(node.a), node.b);
  return {};
}

NodeId Simplifier::negate(NodeId a) {
  const Node node = graph_.node(a);
  if (node.op == Op::kNeg) return node.a;
  if (node.op == Op::kSub) return subtract(node.b, node.a);
  if (node.op == Op::kMul && graph_.is_constant(node.a))
    return multiply_by_constant(-graph_.constant_value(node.a), node.b);
  return graph_.make(Op::kNeg, a);
}

// --- sums
// -----------------------------------------------------------------------------------------

NodeId Simplifier::add(NodeId a, NodeId b) {
  if (graph_.is_constant(a) && !graph_.is_constant(b)) std::swap(a, b);
  if (graph_.is_constant(b)) return add_constant(a, graph_.constant_value(b));
  if (a == b) return multiply_by_constant(2, a);
  if (const NodeId minus_b = negative_of(b); minus_b.is_valid()) return subtract(a, minus_b);
  if (const NodeId minus_a = negative_of(a); minus_a.is_valid()) return subtract(b, minus_a);
  return graph_.make(Op::kAdd, a, b);
}

NodeId Simplifier::add_constant(NodeId a, double constant) {
  if (constant == 0) return a;
  const Node node = graph_.node(a);
  if (node.op == Op::kAdd && graph_.is_constant(node.b) &&
      is_exact_sum(graph_.constant_value(node.b), constant))
    return add_constant(node.a, graph_.constant_value(node.b) + constant);
  if (node.op == Op::kSub && graph_.is_constant(node.a) &&
      is_exact_sum(graph_.constant_value(node.a), constant))
    return subtract_from_constant(graph_.constant_value(node.a) + constant, node.b);
  return graph_.make(Op::kAdd, a, graph_.constant(constant));
}

NodeId Simplifier::subtract(NodeId a, NodeId b) {
  if (a == b) return graph_.constant(0);
  if (graph_.is_constant(b))
    return graph_.binary(Op::kAdd, a, graph_.constant(-graph_.constant_value(b)));
  if (graph_.is_constant(a)) return subtract_from_constant(graph_.constant_value(a), b);
  if (const NodeId minus_b = negative_of(b); minus_b.is_valid()) return add(a, minus_b);
  return graph_.make(Op::kSub, a, b);
}

NodeId Simplifier::subtract_from_constant(double constant, NodeId b) {
  if (constant == 0) return negate(b);
  const Node node = graph_.node(b);
  if (node.op == Op::kAdd && graph_.is_constant(node.b) &&
      is_exact_sum(constant, -graph_.constant_value(node.b)))
    return subtract_from_constant(constant - graph_.constant_value(node.b), node.a);
  if (node.op == Op::kSub && graph_.is_constant(node.a) &&
      is_exact_sum(constant, -graph_.constant_value(node.a)))
    return add_constant(node.b, constant - graph_.constant_value(node.a));
  if (const NodeId minus_b = negative_of(b); minus_b.is_valid())
    return add_constant(minus_b, constant);
  return graph_.make(Op::kSub, graph_.constant(constant), b);
}

// --- products
// -------------------------------------------------------------------------------------

bool Simplifier::is_reciprocal(NodeId a) const {
  return graph_.op(a) == Op::kDiv && graph_.is_constant(graph_.operands(a)[0], 1);
}

NodeId Simplifier::multiply(NodeId a, NodeId b) {
  if (graph_.is_constant(b)) std::swap(a, b);
  if (graph_.is_constant(a)) return multiply_by_constant(graph_.constant_value(a), b);
  if (a == b) return power(a, graph_.constant(2));
  if (const NodeId minus_a = negative_of(a); minus_a.is_valid())
    return negate(multiply(minus_a, b));
  if (const NodeId minus_b = negative_of(b); minus_b.is_valid())
    return negate(multiply(a, minus_b));
  if (is_reciprocal(b)) return divide(a, graph_.operands(b)[1]);
  if (is_reciprocal(a)) return divide(b, graph_.operands(a)[1]);
  return graph_.make(Op::kMul, a, b);
}

NodeId Simplifier::multiply_by_constant(double factor, NodeId a) {
  if (factor == 0) return graph_.constant(0);
  if (factor == 1) return a;
  if (factor == -1 && graph_.op(a) != Op::kMul) return negate(a);
  const Node node = graph_.node(a);
  if (node.op == Op::kNeg) return multiply_by_constant(-factor, node.a);
  if (node.op == Op::kMul && graph_.is_constant(node.a) &&
      is_exact_product(factor, graph_.constant_value(node.a)))
    return multiply_by_constant(factor * graph_.constant_value(node.a), node.b);
  if (node.op == Op::kDiv && graph_.is_constant(node.a) &&
      is_exact_product(factor, graph_.constant_value(node.a)))
    return divide(graph_.constant(factor * graph_.constant_value(node.a)), node.b);
  if (factor == -1) return graph_.make(Op::kNeg, a);
  return graph_.make(Op::kMul, graph_.constant(factor), a);
}

NodeId Simplifier::divide(NodeId a, NodeId b) {
  if (graph_.is_constant(b, 1)) return a;
  if (graph_.is_constant(b, -1)) return negate(a);
  if (graph_.is_constant(a, 0) && !graph_.is_constant(b, 0)) return a;
  const Node node = graph_.node(a);
  if (graph_.is_constant(b) && node.op == Op::kMul && graph_.is_constant(node.a) &&
      is_exact_quotient(graph_.constant_value(node.a), graph_.constant_value(b)))
    return multiply_by_constant(graph_.constant_value(node.a) / graph_.constant_value(b), node.b);
  if (const NodeId minus_b = negative_of(b); minus_b.is_valid()) return negate(divide(a, minus_b));
  if (const NodeId minus_a = negative_of(a); minus_a.is_valid()) return negate(divide(minus_a, b));
  if (graph_.is_constant(a) && graph_.constant_value(a) < 0)
    return negate(divide(graph_.constant(-graph_.constant_value(a)), b));
  return graph_.make(Op::kDiv, a, b);
}

NodeId Simplifier::power(NodeId a, NodeId b) {
  if (graph_.is_constant(b, 0) || graph_.is_constant(a, 1)) return graph_.constant(1);
  if (graph_.is_constant(b, 1)) return a;
  return graph_.make(Op::kPow, a, b);
}

}  // namespace hydae
