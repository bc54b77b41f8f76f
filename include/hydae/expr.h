// Expressions: an immutable, hash-consed graph. Equal expressions are one node, so equality is a
// compare of ids and shared parts are stored once. `Graph` is the arena, `NodeId` names a node in it,
// `Expr` is the handle that reads like mathematics in C++.
//
// Variables and parameters are numbers here; their names live in the Model. Every walk over a graph
// is iterative: depth is limited by memory, not by the stack. A Graph is used by one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hydae/ids.h>

namespace hydae {

enum class Op : std::uint8_t {
  // leaves
  kConstant,   // a double
  kParameter,  // ParamId
  kTime,
  kVariable,  // VarId, derivative order >= 0
  kPre,       // VarId: value before the event
  kInitial,   // true while initializing
  kTerminal,  // true in the last evaluation
  // arithmetic
  kNeg, kAdd, kSub, kMul, kDiv, kPow,
  // elementary functions
  kSqrt, kExp, kLog, kLog10, kSin, kCos, kTan, kAsin, kAcos, kAtan, kAtan2, kSinh, kCosh, kTanh,
  // switching functions: they are lowered to relations and selects before they are run
  kAbs, kSign, kMin, kMax,
  // event counters: the largest integer <= x, the smallest >= x, x without its fraction
  kFloor, kCeil, kTrunc,
  // relations on Real; the flag `silent` says that no event is generated (noEvent)
  kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual,
  // Boolean
  kNot, kAnd, kOr,
  kSelect,  // if a then b else c; b and c may be Real or Boolean
  // operators with a meaning of their own in the simulation
  kSample,    // sample(start, interval)
  kDelay,     // delay(expression, delay time, maximum delay time)
  kHomotopy,  // homotopy(actual, simplified)
  kSmooth,    // smooth(order, expression)
  kCall,      // output number `output` of external function `function` applied to arguments
};

const char* op_name(Op op);  // "add", "sin", ...

// One node, by value. Unused operands are invalid ids.
struct Node {
  Op op = Op::kConstant;
  bool silent = false;          // relations only
  NodeId a, b, c;               // operands of all ops but kCall
  double value = 0;             // kConstant
  VarId variable;               // kVariable, kPre
  int order = 0;                // kVariable
  ParamId parameter;            // kParameter
  FunctionId function;          // kCall
  int output = 0;               // kCall
  std::span<const NodeId> arguments;  // kCall; valid until the next node is made
};

class Graph {
 public:
  Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  std::size_t size() const;
  Node node(NodeId id) const;
  Op op(NodeId id) const;
  bool is_constant(NodeId id) const { return op(id) == Op::kConstant; }
  double constant_value(NodeId id) const;

  NodeId constant(double value);
  NodeId parameter(ParamId parameter);
  NodeId time();
  NodeId variable(VarId variable, int order = 0);
  NodeId pre(VarId variable);
  NodeId leaf(Op op);  // kTime, kInitial, kTerminal

  // These simplify while they build: constants are folded (not where the result would be undefined),
  // 0 and 1 vanish where that is exact, operands of commutative operations get a canonical order.
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId relation(Op op, NodeId a, NodeId b, bool silent = false);
  NodeId select(NodeId condition, NodeId then_value, NodeId else_value);
  NodeId ternary(Op op, NodeId a, NodeId b, NodeId c);  // kSelect, kDelay
  NodeId call(FunctionId function, int output, std::span<const NodeId> arguments);

  // Operands of any node, in order; the span is valid until the next node is made.
  std::span<const NodeId> operands(NodeId id) const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// A handle to a node, or a plain number that has not met a graph yet. Using handles of two graphs in
// one operation throws UsageError.
class Expr {
 public:
  Expr() = default;
  Expr(double value) : value_(value) {}  // NOLINT: numbers are expressions
  Expr(int value) : value_(value) {}     // NOLINT
  Expr(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  Graph* graph() const { return graph_; }  // null for a plain number
  NodeId id() const { return id_; }
  double value() const { return value_; }  // of a plain number
  NodeId in(Graph& graph) const;           // the node, made there if this is a plain number

  Expr& operator+=(const Expr& b);
  Expr& operator-=(const Expr& b);
  Expr& operator*=(const Expr& b);
  Expr& operator/=(const Expr& b);

  // A raw `if` on an expression cannot work: use select().
  explicit operator bool() const = delete;

 private:
  Graph* graph_ = nullptr;
  NodeId id_;
  double value_ = 0;
};

// lhs == rhs, as written.
struct Equality {
  Expr lhs, rhs;
};

Expr operator-(const Expr& a);
Expr operator+(const Expr& a);
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr pow(const Expr& a, const Expr& b);
Expr sqr(const Expr& a);
Expr sqrt(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr log10(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr operator<(const Expr& a, const Expr& b);
Expr operator<=(const Expr& a, const Expr& b);
Expr operator>(const Expr& a, const Expr& b);
Expr operator>=(const Expr& a, const Expr& b);
Expr operator!(const Expr& a);
Expr operator&&(const Expr& a, const Expr& b);
Expr operator||(const Expr& a, const Expr& b);
Expr select(const Expr& condition, const Expr& then_value, const Expr& else_value);
Expr no_event(const Expr& a);  // the same with all relations silent
Expr pre(const Expr& variable);
Equality operator==(const Expr& a, const Expr& b);

// Total time derivative, `order` times: of a variable the next derivative, of anything else by the
// chain rule. `diff` is the same under the name that DAETS programs use.
Expr der(const Expr& a, int order = 1);
inline Expr diff(const Expr& a, int order = 1) { return der(a, order); }

// Names for printing.
struct Names {
  std::function<std::string(VarId)> variable;
  std::function<std::string(ParamId)> parameter;
  std::function<std::string(FunctionId)> function;
};

// Modelica text with as few parentheses as the precedence of operators allows: `der(x)`,
// `der(x, 2)` for second derivatives.
std::string to_string(const Graph& graph, NodeId id, const Names& names);

}  // namespace hydae
