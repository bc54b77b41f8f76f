// A function that cannot be written as one formula, because how often a loop runs depends on its
// arguments. It becomes a program on registers: assignments of formulas, and loops of such. A loop
// has registers for everything that its body assigns; they change together at the end of each turn,
// so a formula made inside of the body means the values of this turn, one made behind the loop the
// last ones.
//
// Derivatives are carried along with the values (forward mode), so they are exact.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hydae/expr.h>

#include "modelica/expressions/value.h"

namespace hydae::modelica {

// The program while it is made: formulas are nodes of a graph in which registers are variables.
class ProgramRecorder {
 public:
  struct Step {
    std::vector<std::uint32_t> targets;  // registers
    std::vector<NodeId> values;          // assigned at once
    NodeId condition;                    // valid: a loop, run while it holds
    std::vector<Step> body;
  };

  explicit ProgramRecorder(Graph& graph) : graph_(graph), lists_{&steps_} {}

  // A new register, as a node.
  NodeId add_register();
  static bool is_register(VarId variable) { return variable.index() >= kFirst; }
  static VarId variable(std::size_t number) { return VarId(kFirst + number); }
  static std::uint32_t register_of(VarId variable) {
    return static_cast<std::uint32_t>(variable.index() - kFirst);
  }

  void assign(const std::vector<NodeId>& registers, std::vector<NodeId> values);
  // Steps until end_loop belong to the body.
  void begin_loop();
  void end_loop(NodeId condition);

  // What must hold at this place for the program to have results, and what is said otherwise.
  void require(NodeId condition, std::string message);
  // A register that is zero as long as all of that holds; invalid if nothing was required. Else it
  // is the number, from 1, of a message.
  NodeId failed() const { return failed_; }
  const std::vector<std::string>& messages() const { return messages_; }

  // Makes room for inputs in front of the registers: their numbers grow by `count`, and `rewrite`
  // says what becomes of a formula.
  void move(std::uint32_t count, const std::function<NodeId(NodeId)>& rewrite);

  const std::vector<Step>& steps() const { return steps_; }
  std::uint32_t num_registers() const { return num_registers_; }

 private:
  // Far behind the variables of any model.
  static constexpr std::size_t kFirst = std::size_t{1} << 30;

  Graph& graph_;
  std::vector<Step> steps_;
  std::vector<std::vector<Step>*> lists_;  // the innermost loop last
  std::uint32_t num_registers_ = 0;
  NodeId failed_;
  std::vector<std::string> messages_;
};

// As an input or output of a program: a Boolean is 1 or 0.
NodeId as_number(Graph& graph, NodeId cell, BaseType type);

struct ProgramHead {
  std::string name;
  int num_inputs = 0;  // the first registers
  SourceRange source;
  FunctionId derivative;  // computes d output / d input; none: that follows from the program
};

// The function of its inputs that the recorded steps and then `outputs` compute. `functions` are
// those that the formulas may call.
Function make_function(const ProgramHead& head, const Graph& graph, const ProgramRecorder& recorder,
                       const std::vector<NodeId>& outputs,
                       const IdVector<FunctionId, Function>& functions);

}  // namespace hydae::modelica
