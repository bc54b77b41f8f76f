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
#include <hydae/op.h>
#include <hydae/source.h>

namespace HYDAE_EXPORT hydae {

// A variable or one of its derivatives: x is {x, 0}, der(x, 2) is {x, 2}.
struct Leaf {
  VarId variable;
  int order = 0;
  auto operator<=>(const Leaf&) const = default;
};

// One node, by value. Unused operands are invalid ids.
struct Node {
  Op op = Op::kConstant;
  bool silent = false;                // relations only
  bool is_boolean = false;            // kConstant: true or false, not a number
  NodeId a, b, c;                     // operands of all ops but calls
  double value = 0;                   // kConstant
  VarId variable;                     // kVariable, kPre
  int order = 0;                      // kVariable, kPre
  ParamId parameter;                  // kParameter
  FunctionId function;                // calls
  int output = 0;                     // calls
  int input = -1;                     // kCallDerivative
  int second_input = -1;              // kCallDerivative: -1 for a first derivative, else >= input
  std::span<const NodeId> arguments;  // calls; valid until the next node is made

  Leaf leaf() const { return {variable, order}; }
};

class Graph {
 public:
  Graph();
  // An extension: it has the nodes that `base` has now, under the same ids, and adds its own behind
  // them. The base is only read: any number of extensions may be made and used on as many threads
  // as long as nobody adds to it.
  explicit Graph(std::shared_ptr<const Graph> base);
  Graph& operator=(const Graph&) = delete;
  std::shared_ptr<Graph> clone() const;

  // Whether expressions of `other` are good here: it is this graph or one that this extends.
  bool extends(const Graph& other) const;
  // No more nodes: whoever asks for a new one afterwards is an InternalError.
  void freeze() { is_frozen_ = true; }

  std::size_t size() const { return first_ + cells_.size(); }
  Node node(NodeId id) const;
  Op op(NodeId id) const { return cell(id).op; }
  bool is_constant(NodeId id) const { return op(id) == Op::kConstant; }
  bool is_constant(NodeId id, double value) const {
    return is_constant(id) && constant_value(id) == value;
  }
  double constant_value(NodeId id) const;  // of a kConstant
  Leaf leaf_of(NodeId id) const;           // of a kVariable or kPre

  // Operands of any node, in order; the span is valid until the next node is made.
  std::span<const NodeId> operands(NodeId id) const;
  // The operands whose values at this instant count: all but the expression under a delay.
  std::span<const NodeId> instant_operands(NodeId id) const;

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
  bool is_held_between_events(VarId variable) const;

 private:
  friend class TotalDerivative;

  // 16 bytes. Operands; or the halves of a double; or variable and order; or the index of a call
  // in the graph that has the cell.
  struct Cell {
    Op op = Op::kConstant;
    std::uint8_t flag = 0;  // silent relation, Boolean constant
    NodeId operands[3];
  };
  struct Call {
    FunctionId function;
    int output, input, second_input;
    std::uint32_t first, count;  // of arguments_
  };

  Graph(const Graph&) = default;
  const Graph& home(NodeId id) const { return id.index() >= first_ ? *this : base_->home(id); }
  const Cell& cell(NodeId id) const {
    return id.index() >= first_ ? cells_[id.index() - first_] : base_->cell(id);
  }
  std::span<const NodeId> arguments(const Call& call) const {
    return std::span(arguments_).subspan(call.first, call.count);
  }
  NodeId known_derivative(NodeId id) const;  // by time; none if it is not known
  void remember_derivative(NodeId id, NodeId derivative);

  NodeId intern(const Cell& cell);
  // The node of a cell that stands in `graph`, which is this one or extends it.
  NodeId find(const Cell& cell, std::uint64_t hash, const Graph& graph) const;
  NodeId intern_call(Op op, Call call, std::span<const NodeId> arguments);
  std::uint64_t hash(const Cell& cell) const;
  bool same(const Cell& own, const Cell& other, const Graph& graph) const;
  void grow_table();
  void check_operand(NodeId id) const;

  NodeId make(Op op, NodeId a, NodeId b = {}, NodeId c = {}, bool silent = false);
  NodeId negate(NodeId a);
  NodeId logical_not(NodeId a);
  NodeId add(NodeId a, NodeId b);
  NodeId add_constant(NodeId a, double constant);
  NodeId subtract(NodeId a, NodeId b);
  NodeId subtract_from_constant(double constant, NodeId b);
  NodeId multiply(NodeId a, NodeId b);
  NodeId multiply_by_constant(double factor, NodeId a);
  NodeId divide(NodeId a, NodeId b);
  NodeId power(NodeId a, NodeId b);
  NodeId logical(Op op, NodeId a, NodeId b);
  NodeId delay(NodeId a, NodeId b, NodeId c);
  NodeId negative_of(NodeId a);  // b if a is written -b, else none
  bool is_reciprocal(NodeId a) const;

  std::shared_ptr<const Graph> base_;
  std::size_t first_ = 0;  // ids below are of the base
  bool is_frozen_ = false;
  std::vector<Cell> cells_;
  std::vector<Call> calls_;
  std::vector<NodeId> arguments_;
  std::vector<std::uint32_t> table_;     // open addressing, id of a cell or kEmpty; a power of two
  std::vector<NodeId> time_derivative_;  // of a node, where it is known here
  std::vector<bool> held_between_events_;  // by VarId
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
