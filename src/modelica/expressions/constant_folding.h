// Numbers from expressions: what is needed while the model is built (sizes, conditions, loop
// ranges, constants). Folding reads parameters through their bindings and marks each parameter it
// reads: its value has shaped the model. No expression is folded twice.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

class ConstantFolding {
 public:
  explicit ConstantFolding(Session& session) : session_(session) {}

  // A constant node equal to `id`, or nothing if its value is not known before the simulation. Does
  // not mark parameters.
  std::optional<NodeId> find_constant(NodeId id);
  // Only constants and parameters occur in it.
  bool is_parameter_expression(NodeId id);

  // A condition on Boolean, Integer and enumeration parameters only chooses a variant of the model:
  // it is folded (and they are marked). Any other node is returned as it is.
  NodeId fold_configuration(NodeId condition);

  // The same for what must be known: marks the parameters; a diagnostic and Failure if it is not.
  NodeId fold(NodeId id, SourceRange range, const std::string& what);
  Value fold(Value value, SourceRange range, const std::string& what);

  bool boolean(const syntax::Expr& expr, Instance& scope, const std::string& what);
  std::int64_t integer(const syntax::Expr& expr, Instance& scope, const std::string& what);

  double number(NodeId constant) const { return session_.graph->constant_value(constant); }

 private:
  enum class State : std::uint8_t { kUnknown, kInProgress, kConstant, kUndefined, kVarying };
  struct Known {
    State state = State::kUnknown;
    NodeId value;
  };

  Known& known(NodeId id);
  Known evaluate(NodeId root);
  bool wait_for_operands(NodeId id);
  bool wait_for(NodeId id);
  Known finish(NodeId id);
  Known finish_parameter(NodeId id);
  NodeId parameter_binding(NodeId id);
  void mark_parameters(NodeId root);
  [[noreturn]] void fail_varying(NodeId root, SourceRange range, const std::string& what);

  Session& session_;
  std::vector<Known> known_;
  std::vector<NodeId> pending_;
  std::vector<bool> marked_;
};

}  // namespace hydae::modelica
