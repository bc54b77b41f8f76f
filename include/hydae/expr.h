// Expressions: an immutable, hash-consed graph. Equal expressions are one node, so equality is a
// compare of ids and shared parts are stored once. `Graph` is the arena, `NodeId` names a node in
// it, `Expr` is the handle that reads like mathematics in C++.
//
// The operands of a node are older than the node: ascending ids are a topological order. Variables
// and parameters are numbers here; their names live in the Model. Every walk over a graph is
// iterative: depth is limited by memory, not by the stack. A Graph is used by one thread at a time.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <hydae/export.h>
#include <hydae/function.h>
#include <hydae/ids.h>
#include <hydae/node_store.h>
#include <hydae/op.h>
#include <hydae/source.h>

namespace HYDAE_EXPORT hydae {

class Graph : public NodeStore {
 public:
  Graph() = default;
  // An extension: it has the nodes that `base` has now, under the same ids, and adds its own behind
  // them. The base is only read: any number of extensions may be made and used on as many threads
  // as long as nobody adds to it.
  explicit Graph(std::shared_ptr<const Graph> base);
  Graph& operator=(const Graph&) = delete;
  std::shared_ptr<Graph> clone() const;

  // No more nodes: whoever asks for a new one afterwards is an InternalError.
  void freeze() { is_frozen_ = true; }

  NodeId constant(double value);  // finite, else UsageError
  NodeId boolean(bool value);
  NodeId parameter(ParamId parameter);
  NodeId time();
  NodeId variable(VarId variable, int order = 0);
  NodeId variable(Leaf leaf) { return variable(leaf.variable, leaf.order); }
  NodeId pre(VarId variable, int order = 0);
  NodeId leaf(Op op);  // kTime, kInitial, kTerminal

  // These simplify while they build: constants are folded (not where the result would be undefined:
  // log(-1) stays), 0 and 1 vanish, signs move outward, constants of nested sums and products merge
  // where that is exact. a + b and b + a are one node, kept in the order first written.
  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId relation(Op op, NodeId a, NodeId b, bool silent = false);
  NodeId select(NodeId condition, NodeId then_value, NodeId else_value);
  NodeId ternary(Op op, NodeId a, NodeId b, NodeId c);  // kSelect, kDelay
  NodeId call(FunctionId function, int output, std::span<const NodeId> arguments);
  // Partial derivative of that output by argument `input`, or by two of them.
  NodeId call_derivative(FunctionId function, int output, int input, int second_input,
                         std::span<const NodeId> arguments);
  // The operation of `id` on other operands, as many as it has.
  NodeId rebuild(NodeId id, std::span<const NodeId> operands);

  // Declares a variable that changes at events only: its time derivative is zero.
  void hold_between_events(VarId variable);

 private:
  friend class Simplifier;

  Graph(const Graph&) = default;
  NodeId make(Op op, NodeId a, NodeId b = {}, NodeId c = {}, bool silent = false);
};

// A handle to a node, or a plain number that has not met a graph yet. Using handles of two graphs
// in one operation throws UsageError. There is no conversion to bool: a C++ `if` cannot ask an
// expression; select() is the conditional.
class Expr {
 public:
  Expr() = default;  // the number 0
  template <class Number>
  requires std::is_arithmetic_v<Number> Expr(Number value)  // NOLINT: numbers are expressions
      : value_(static_cast<double>(value)), is_boolean_(std::is_same_v<Number, bool>) {}
  Expr(Graph& graph, NodeId id) : graph_(&graph), id_(id) {}

  Graph* graph() const { return graph_; }  // null for a plain number
  NodeId id() const { return id_; }        // none for a plain number
  double value() const { return value_; }  // of a plain number
  bool is_number() const { return graph_ == nullptr; }
  bool is_boolean_number() const { return is_boolean_; }
  NodeId in(Graph& graph) const;  // the node, made there if this is a plain number

  Expr& operator+=(const Expr& b);
  Expr& operator-=(const Expr& b);
  Expr& operator*=(const Expr& b);
  Expr& operator/=(const Expr& b);

 private:
  Graph* graph_ = nullptr;
  double value_ = 0;
  NodeId id_;
  bool is_boolean_ = false;
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
Expr no_event(const Expr& a);    // the same with all relations silent
Expr pre(const Expr& variable);  // of a variable or of a derivative: its value before the event
Expr equal(const Expr& a, const Expr& b);  // the relation; == makes an equation
Expr not_equal(const Expr& a, const Expr& b);
Expr floor(const Expr& a);
Expr ceil(const Expr& a);
Expr trunc(const Expr& a);
Equality operator==(const Expr& a, const Expr& b);

// Total time derivative, `order` times: of a variable the next derivative, of anything else by the
// chain rule. `diff` and `Diff` are the same under the names that other DAE programs use.
Expr der(const Expr& a, int order = 1);
inline Expr diff(const Expr& a, int order = 1) { return der(a, order); }
inline Expr Diff(const Expr& a, int order = 1) { return der(a, order); }

// Names for printing. Without a function the number is printed: x0, p0, f0.
struct Names {
  std::function<std::string(VarId)> variable;
  std::function<std::string(ParamId)> parameter;
  std::function<std::string(FunctionId)> function;
};

// Modelica text with as few parentheses as the grammar allows, numbers as short as they read back
// the same: `der(x)`, `der(x, 2)` for second derivatives, `noEvent(a < b)` for a silent relation.
// Read again, the text gives the same node. Not Modelica, and for reading only: `f[2](x)` is the
// second output of a function, `f[2, 1](x)` its derivative by the first argument.
//
// Text repeats what the graph shares, so it can be exponentially longer than the graph. With
// `max_length` the text is cut there and ends in `...`; without, a text past 64 MB is a UsageError.
std::string to_string(const Graph& graph, NodeId id, const Names& names,
                      std::size_t max_length = 0);
std::string number_to_string(double value);

}  // namespace hydae
