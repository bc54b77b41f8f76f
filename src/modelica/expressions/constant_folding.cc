#include "modelica/expressions/constant_folding.h"

#include <cmath>
#include <fmt/format.h>

#include "modelica/components/components.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"
#include "modelica/functions/loop_function.h"

namespace hydae::modelica {

ConstantFolding::Known& ConstantFolding::known(NodeId id) {
  if (id.index() >= known_.size()) known_.resize(session_.graph->size());
  return known_[id.index()];
}

// The node of the value bound to a parameter, invalid if it has none.
NodeId ConstantFolding::parameter_binding(NodeId id) {
  const Cell cell = session_.flat->parameters[session_.graph->node(id).parameter];
  Component& component = *cell.component;
  if (const auto bound = session_.components->bindings().binding_value(component))
    return bound->cells[static_cast<std::size_t>(cell.position)];
  if (const auto start =
          session_.components->attribute(component, session_.names.attributes.start)) {
    const std::vector<NodeId>& cells = start->value.cells;
    return cells.size() == 1 ? cells[0] : cells[static_cast<std::size_t>(cell.position)];
  }
  return {};
}

bool ConstantFolding::wait_for(NodeId id) {
  if (known(id).state > State::kInProgress) return true;
  pending_.push_back(id);
  return false;
}

bool ConstantFolding::wait_for_operands(NodeId id) {
  const Graph& graph = *session_.graph;
  if (graph.op(id) == Op::kParameter) {
    const NodeId binding = parameter_binding(id);
    return !binding.is_valid() || wait_for(binding);
  }
  const auto span = graph.operands(id);
  const std::vector<NodeId> operands(span.begin(), span.end());
  if (graph.op(id) == Op::kSelect) {
    if (!wait_for(operands[0])) return false;
    const Known condition = known(operands[0]);
    if (condition.state != State::kConstant) return true;
    return wait_for(operands[number(condition.value) != 0 ? 1 : 2]);
  }
  bool is_ready = true;
  for (const NodeId operand : operands) is_ready &= wait_for(operand);
  return is_ready;
}

ConstantFolding::Known ConstantFolding::finish_parameter(NodeId id) {
  const NodeId binding = parameter_binding(id);
  return binding.is_valid() ? known(binding) : Known{State::kUndefined, {}};
}

ConstantFolding::Known ConstantFolding::finish(NodeId id) {
  Graph& graph = *session_.graph;
  switch (graph.op(id)) {
    case Op::kConstant: return {State::kConstant, id};
    case Op::kParameter: return finish_parameter(id);
    case Op::kTime:
    case Op::kVariable:
    case Op::kPre:
    case Op::kInitial:
    case Op::kTerminal:
    case Op::kSample:
    case Op::kCall:
    case Op::kCallDerivative: return {State::kVarying, {}};
    default: break;
  }
  const auto span = graph.operands(id);
  std::vector<NodeId> operands(span.begin(), span.end());
  if (graph.op(id) == Op::kSelect) {
    const Known condition = known(operands[0]);
    if (condition.state != State::kConstant) return {condition.state, {}};
    return known(operands[number(condition.value) != 0 ? 1 : 2]);
  }
  for (NodeId& operand : operands) {
    const Known value = known(operand);
    if (value.state != State::kConstant) return {value.state, {}};
    operand = value.value;
  }
  const NodeId value = graph.rebuild(id, operands);
  if (!graph.is_constant(value)) return {State::kUndefined, {}};
  return {State::kConstant, value};
}

ConstantFolding::Known ConstantFolding::evaluate(NodeId root) {
  // Bindings may ask for folding while they are evaluated: each question has its own stack.
  std::vector<NodeId> outer;
  outer.swap(pending_);
  pending_.push_back(root);
  try {
    while (!pending_.empty()) {
      const NodeId id = pending_.back();
      if (known(id).state > State::kInProgress) {
        pending_.pop_back();
        continue;
      }
      const bool was_waiting = known(id).state == State::kInProgress;
      known(id).state = State::kInProgress;
      if (!wait_for_operands(id)) {
        if (was_waiting && session_.graph->op(id) == Op::kParameter) {
          const Cell cell = session_.flat->parameters[session_.graph->node(id).parameter];
          session_.fail("cyclic-binding",
                        fmt::format("the value of `{}` depends on itself",
                                    session_.components->path(*cell.component)),
                        cell.component->element->declaration->range());
        }
        continue;
      }
      const Known result = finish(id);
      known(id) = result;
      pending_.pop_back();
    }
  } catch (...) {
    for (const NodeId id : pending_)
      if (known(id).state == State::kInProgress) known(id).state = State::kUndefined;
    pending_.swap(outer);
    throw;
  }
  pending_.swap(outer);
  return known(root);
}

std::optional<NodeId> ConstantFolding::find_constant(NodeId id) {
  if (session_.graph->is_constant(id)) return id;
  const Known result = evaluate(id);
  return result.state == State::kConstant ? std::optional(result.value) : std::nullopt;
}

bool ConstantFolding::is_parameter_expression(NodeId id) {
  return session_.graph->is_constant(id) || evaluate(id).state != State::kVarying;
}

NodeId ConstantFolding::fold_configuration(NodeId condition) {
  const Graph& graph = *session_.graph;
  if (graph.is_constant(condition)) return condition;
  std::vector<NodeId> pending = {condition};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    switch (graph.op(id)) {
      case Op::kTime:
      case Op::kVariable:
      case Op::kPre:
      case Op::kInitial:
      case Op::kTerminal:
      case Op::kSample:
      case Op::kCall: return condition;
      case Op::kParameter: {
        const ParamId parameter = graph.node(id).parameter;
        if (session_.flat->parameters[parameter].component->base() == BaseType::kReal)
          return condition;
        break;
      }
      default: break;
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
  const Known result = evaluate(condition);
  if (result.state != State::kConstant) return condition;
  mark_parameters(condition);
  return result.value;
}

// Marks what a folded value was computed from, through bindings.
void ConstantFolding::mark_parameters(NodeId root) {
  std::vector<NodeId> pending = {root};
  const Graph& graph = *session_.graph;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (id.index() >= marked_.size()) marked_.resize(graph.size());
    if (marked_[id.index()] || graph.is_constant(id)) continue;
    marked_[id.index()] = true;
    if (graph.op(id) == Op::kParameter) {
      session_.flat->parameters[graph.node(id).parameter].component->marks.is_structural = true;
      const NodeId binding = parameter_binding(id);
      if (binding.is_valid()) pending.push_back(binding);
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
}

void ConstantFolding::fail_varying(NodeId root, SourceRange range, const std::string& what) {
  const Graph& graph = *session_.graph;
  // The first variable or parameter without value that is reached, for the message.
  std::vector<NodeId> pending = {root};
  std::vector<bool> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (id.index() >= seen.size()) seen.resize(graph.size());
    if (seen[id.index()]) continue;
    seen[id.index()] = true;
    const Node node = graph.node(id);
    if (node.op == Op::kVariable && ProgramRecorder::is_register(node.variable))
      session_.fail("unsupported",
                    fmt::format("{} depends on changing arguments of a function, which is not "
                                "supported yet",
                                what),
                    range);
    if (node.op == Op::kVariable) {
      const Component& component = *session_.flat->variables[node.variable].component;
      Diagnostic diagnostic;
      diagnostic.range = range;
      const std::string name = session_.components->path(component);
      if (component.is_free_parameter) {
        diagnostic.code = "structural-not-fixed";
        diagnostic.message =
            fmt::format("{} depends on `{}`, which is known only after initialization", what, name);
      } else {
        diagnostic.code = "not-a-parameter-expression";
        diagnostic.message =
            fmt::format("{} depends on `{}`, which changes during the simulation", what, name);
      }
      diagnostic.label = "needed while the model is built";
      diagnostic.notes.push_back({"declared here", component.element->declaration->range()});
      session_.fail(std::move(diagnostic));
    }
    if (node.op == Op::kParameter) {
      const NodeId binding = parameter_binding(id);
      if (!binding.is_valid()) {
        const Cell cell = session_.flat->parameters[node.parameter];
        session_.fail("parameter-without-value",
                      fmt::format("{} depends on parameter `{}`, which has no value", what,
                                  session_.components->path(*cell.component)),
                      range);
      }
      pending.push_back(binding);
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
  session_.fail("not-a-parameter-expression",
                fmt::format("{} is not known before the simulation, or is undefined", what), range);
}

NodeId ConstantFolding::fold(NodeId id, SourceRange range, const std::string& what) {
  if (session_.graph->is_constant(id)) return id;
  const Known result = evaluate(id);
  if (result.state != State::kConstant) fail_varying(id, range, what);
  mark_parameters(id);
  return result.value;
}

Value ConstantFolding::fold(Value value, SourceRange range, const std::string& what) {
  for (NodeId& cell : value.cells) cell = fold(cell, range, what);
  for (Field& field : value.fields)
    field.value = std::make_shared<Value>(fold(*field.value, range, what));
  return value;
}

bool ConstantFolding::boolean(const syntax::Expr& expr, Instance& scope, const std::string& what) {
  const Value value = session_.evaluator->evaluate(expr, Env{&scope});
  if (value.type != BaseType::kBoolean || !value.is_scalar())
    session_.fail("type-mismatch",
                  fmt::format("{} must be Boolean, not {}", what, type_text(value)), expr.range);
  return number(fold(value.scalar(), expr.range, what)) != 0;
}

std::int64_t ConstantFolding::integer(const syntax::Expr& expr, Instance& scope,
                                      const std::string& what) {
  const Value value = session_.evaluator->evaluate(expr, Env{&scope});
  if (value.type != BaseType::kInteger || !value.is_scalar())
    session_.fail("type-mismatch",
                  fmt::format("{} must be Integer, not {}", what, type_text(value)), expr.range);
  return std::llround(number(fold(value.scalar(), expr.range, what)));
}

}  // namespace hydae::modelica
