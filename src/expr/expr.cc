#include <cmath>

#include <hydae/error.h>
#include <hydae/expr.h>

#include "ops/operation.h"

namespace hydae {
namespace {

// The graph of an operation: that of its operands, null if all are plain numbers.
Graph* common_graph(std::initializer_list<const Expr*> operands) {
  Graph* graph = nullptr;
  for (const Expr* operand : operands) {
    if (operand->is_number()) continue;
    if (graph && operand->graph() != graph)
      throw UsageError("expressions of two models meet in one operation");
    graph = operand->graph();
  }
  return graph;
}

bool gives_boolean(Op op) { return is_relation(op) || (Op::kNot <= op && op <= Op::kOr); }

Expr number(Op op, double value) { return gives_boolean(op) ? Expr(value != 0) : Expr(value); }

Expr unary(Op op, const Expr& a) {
  if (a.is_number()) return number(op, ops::apply(op, a.value()));
  return {*a.graph(), a.graph()->unary(op, a.id())};
}

Expr binary(Op op, const Expr& a, const Expr& b) {
  Graph* graph = common_graph({&a, &b});
  if (!graph) return number(op, ops::apply(op, a.value(), b.value()));
  const NodeId left = a.in(*graph), right = b.in(*graph);
  return {*graph, graph->binary(op, left, right)};
}

}  // namespace

NodeId Expr::in(Graph& graph) const {
  if (is_boolean_number()) return graph.boolean(value_ != 0);
  if (is_number()) return graph.constant(value_);
  if (graph_ != &graph && !graph.extends(*graph_))
    throw UsageError("expressions of two models meet in one operation");
  return id_;
}

Expr& Expr::operator+=(const Expr& b) { return *this = *this + b; }
Expr& Expr::operator-=(const Expr& b) { return *this = *this - b; }
Expr& Expr::operator*=(const Expr& b) { return *this = *this * b; }
Expr& Expr::operator/=(const Expr& b) { return *this = *this / b; }

Expr operator-(const Expr& a) { return unary(Op::kNeg, a); }
Expr operator+(const Expr& a) { return a; }
Expr operator+(const Expr& a, const Expr& b) { return binary(Op::kAdd, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return binary(Op::kSub, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return binary(Op::kMul, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return binary(Op::kDiv, a, b); }
Expr pow(const Expr& a, const Expr& b) { return binary(Op::kPow, a, b); }
Expr sqr(const Expr& a) { return pow(a, 2); }
Expr sqrt(const Expr& a) { return unary(Op::kSqrt, a); }
Expr exp(const Expr& a) { return unary(Op::kExp, a); }
Expr log(const Expr& a) { return unary(Op::kLog, a); }
Expr log10(const Expr& a) { return unary(Op::kLog10, a); }
Expr sin(const Expr& a) { return unary(Op::kSin, a); }
Expr cos(const Expr& a) { return unary(Op::kCos, a); }
Expr tan(const Expr& a) { return unary(Op::kTan, a); }
Expr asin(const Expr& a) { return unary(Op::kAsin, a); }
Expr acos(const Expr& a) { return unary(Op::kAcos, a); }
Expr atan(const Expr& a) { return unary(Op::kAtan, a); }
Expr atan2(const Expr& y, const Expr& x) { return binary(Op::kAtan2, y, x); }
Expr sinh(const Expr& a) { return unary(Op::kSinh, a); }
Expr cosh(const Expr& a) { return unary(Op::kCosh, a); }
Expr tanh(const Expr& a) { return unary(Op::kTanh, a); }
Expr abs(const Expr& a) { return unary(Op::kAbs, a); }
Expr sign(const Expr& a) { return unary(Op::kSign, a); }
Expr min(const Expr& a, const Expr& b) { return binary(Op::kMin, a, b); }
Expr max(const Expr& a, const Expr& b) { return binary(Op::kMax, a, b); }
Expr floor(const Expr& a) { return unary(Op::kFloor, a); }
Expr ceil(const Expr& a) { return unary(Op::kCeil, a); }
Expr trunc(const Expr& a) { return unary(Op::kTrunc, a); }
Expr operator<(const Expr& a, const Expr& b) { return binary(Op::kLess, a, b); }
Expr operator<=(const Expr& a, const Expr& b) { return binary(Op::kLessEqual, a, b); }
Expr operator>(const Expr& a, const Expr& b) { return binary(Op::kGreater, a, b); }
Expr operator>=(const Expr& a, const Expr& b) { return binary(Op::kGreaterEqual, a, b); }
Expr equal(const Expr& a, const Expr& b) { return binary(Op::kEqual, a, b); }
Expr not_equal(const Expr& a, const Expr& b) { return binary(Op::kNotEqual, a, b); }
Expr operator!(const Expr& a) { return unary(Op::kNot, a); }
Expr operator&&(const Expr& a, const Expr& b) { return binary(Op::kAnd, a, b); }
Expr operator||(const Expr& a, const Expr& b) { return binary(Op::kOr, a, b); }

Expr select(const Expr& condition, const Expr& then_value, const Expr& else_value) {
  Graph* graph = common_graph({&condition, &then_value, &else_value});
  if (condition.is_number()) return condition.value() != 0 ? then_value : else_value;
  const NodeId a = condition.in(*graph), b = then_value.in(*graph), c = else_value.in(*graph);
  return {*graph, graph->select(a, b, c)};
}

Expr pre(const Expr& variable) {
  if (variable.is_number() || variable.graph()->op(variable.id()) != Op::kVariable)
    throw UsageError("pre() takes a variable or a derivative of one");
  const Leaf leaf = variable.graph()->leaf_of(variable.id());
  return {*variable.graph(), variable.graph()->pre(leaf.variable, leaf.order)};
}

Equality operator==(const Expr& a, const Expr& b) { return {a, b}; }

}  // namespace hydae
