// Module: expr
// The nodes of an expression graph, each of them once: reading, and finding one by what it is made
// of. What makes them, by the rules of algebra, is Graph (expr.h).
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <hydae/export.h>
#include <hydae/ids.h>
#include <hydae/op.h>

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

class NodeStore {
 public:
  // Whether expressions of `other` are good here: it is this graph or one that this extends.
  bool extends(const NodeStore& other) const;

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

  bool is_held_between_events(VarId variable) const;

 protected:
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

  NodeStore();
  explicit NodeStore(std::shared_ptr<const NodeStore> base);
  NodeStore(const NodeStore&) = default;
  NodeStore& operator=(const NodeStore&) = delete;
  ~NodeStore() = default;

  NodeId intern(const Cell& cell);
  NodeId intern_call(Op op, Call call, std::span<const NodeId> arguments);
  void check_operand(NodeId id) const;
  NodeId known_derivative(NodeId id) const;  // by time; none if it is not known
  void remember_derivative(NodeId id, NodeId derivative);

  bool is_frozen_ = false;
  std::vector<bool> held_between_events_;  // by VarId

 private:
  friend class TotalDerivative;

  const NodeStore& home(NodeId id) const { return id.index() >= first_ ? *this : base_->home(id); }
  const Cell& cell(NodeId id) const {
    return id.index() >= first_ ? cells_[id.index() - first_] : base_->cell(id);
  }
  std::span<const NodeId> arguments(const Call& call) const {
    return std::span(arguments_).subspan(call.first, call.count);
  }
  // The node of a cell that stands in `store`, which is this one or extends it.
  NodeId find(const Cell& cell, std::uint64_t hash, const NodeStore& store) const;
  std::uint64_t hash(const Cell& cell) const;
  bool same(const Cell& own, const Cell& other, const NodeStore& store) const;
  void grow_table();

  std::shared_ptr<const NodeStore> base_;
  std::size_t first_ = 0;  // ids below are of the base
  std::vector<Cell> cells_;
  std::vector<Call> calls_;
  std::vector<NodeId> arguments_;
  std::vector<std::uint32_t> table_;     // open addressing, id of a cell or kEmpty; a power of two
  std::vector<NodeId> time_derivative_;  // of a node, where it is known here
};

}  // namespace hydae
