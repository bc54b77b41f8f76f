// Expressions as a numeric tape (ops/tape.h). Who lowers says which registers the leaves are; equal
// expressions are one node of the graph and so one instruction; a product that only one sum uses
// becomes part of it.
#pragma once

#include <functional>
#include <vector>

#include <hydae/expr.h>

#include "expr/walk.h"
#include "ops/tape.h"

namespace hydae {

class TapeLowering {
 public:
  using Functions = IdVector<FunctionId, Function>;

  TapeLowering(const Graph& graph, std::span<const NodeId> roots);

  // All nodes below the roots, operands first; delays and samples are leaves.
  std::span<const NodeId> nodes() const { return nodes_; }
  ops::TapeBuilder& tape() { return tape_; }
  // Of leaves but constants, before emit(). Several leaves may share a register.
  void place(NodeId leaf, ops::Register at);
  // The register that holds the share of the actual expression in homotopy(); without, it is 1.
  void place_homotopy(ops::Register at) { homotopy_ = at; }

  // Instructions of the nodes that pass `is_chosen`, by position in nodes(); operands come before
  // users, in an earlier call or in this one. `functions` must outlive the tape.
  void emit(const Functions* functions,
            const std::function<bool(std::size_t)>& is_chosen = nullptr);
  ops::Register register_of(NodeId id) const { return registers_[walk_.position(id)]; }
  std::size_t position(NodeId id) const { return walk_.position(id); }

 private:
  void count_uses(std::span<const NodeId> roots);
  void emit_node(std::size_t k);
  bool can_wait(std::size_t k) const;
  bool is_waiting(NodeId id) const;
  ops::Register ready(NodeId id);
  ops::Register emit_operation(std::size_t k, const Node& node);
  ops::Register emit_sum(std::size_t k, const Node& node);
  ops::Register emit_fused(std::size_t k, ops::Code code, NodeId product, NodeId rest);
  ops::Register emit_call(std::size_t k, const Node& node);

  const Graph& graph_;
  Walk walk_;
  std::span<const NodeId> nodes_;
  ops::TapeBuilder tape_;
  std::vector<ops::Register> registers_;  // by position; kNoRegister: not made yet
  std::vector<std::uint8_t> num_uses_;    // 0, 1 or 2: more
  std::vector<bool> is_in_sum_;           // some sum uses it
  ops::Register homotopy_ = ops::kNoRegister;
  const Functions* functions_ = nullptr;
};

}  // namespace hydae
