#include "modelica/functions/section_program.h"

#include <algorithm>
#include <set>

#include "expr/rewrite.h"
#include "expr/walk.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/session.h"

namespace hydae::modelica {

namespace {

// By the place of their variables: the frame has no order.
std::vector<std::shared_ptr<Value>*> ordered_values(Session& session, Frame& frame) {
  std::map<std::uint32_t, std::shared_ptr<Value>*> ordered;
  for (auto& [component, value] : frame.components) {
    const Value& variable = session.components->value(*component);
    if (!variable.cells.empty()) ordered[variable.cells.front().index()] = &value;
  }
  std::vector<std::shared_ptr<Value>*> out;
  for (const auto& [index, value] : ordered) out.push_back(value);
  return out;
}

void collect_formulas(const std::vector<ProgramRecorder::Step>& steps, std::vector<NodeId>& out) {
  for (const ProgramRecorder::Step& step : steps) {
    out.insert(out.end(), step.values.begin(), step.values.end());
    if (step.condition.is_valid()) out.push_back(step.condition);
    collect_formulas(step.body, out);
  }
}

}  // namespace

SectionProgram::SectionProgram(Session& session)
    : session_(session), recorder_(*session.graph), recording_(*session.functions, recorder_) {}

bool SectionProgram::has_registers(NodeId root) {
  const Graph& graph = *session_.graph;
  const auto order = walk_.order(graph, root);
  return std::any_of(order.begin(), order.end(), [&](NodeId id) {
    return graph.op(id) == Op::kVariable &&
           ProgramRecorder::is_register(graph.leaf_of(id).variable);
  });
}

// Leaves of the model, and what the run alone can evaluate.
bool SectionProgram::stays_outside(NodeId id, SourceRange range) {
  const Node node = session_.graph->node(id);
  switch (node.op) {
    case Op::kVariable: return !ProgramRecorder::is_register(node.variable);
    case Op::kTime:
    case Op::kParameter:
    case Op::kPre:
    case Op::kInitial:
    case Op::kTerminal: return true;
    case Op::kDelay:
    case Op::kSample:
      if (has_registers(id))
        session_.unsupported("delay and sample inside of such loops are", range);
      return true;
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc: return !node.silent && !has_registers(id);
    default: return is_relation(node.op) && !node.silent && !has_registers(id);
  }
}

bool SectionProgram::is_truth(NodeId id) const {
  const Node node = session_.graph->node(id);
  const auto is_boolean = [](const Cell& cell) {
    return cell.component == nullptr || cell.component->base() == BaseType::kBoolean;
  };
  if (node.op == Op::kParameter) return is_boolean(session_.flat->parameters[node.parameter]);
  if (node.op == Op::kVariable || node.op == Op::kPre)
    return is_boolean(session_.flat->variables[node.variable]);
  return is_relation(node.op) || node.op == Op::kSample || node.op == Op::kInitial ||
         node.op == Op::kTerminal;
}

void SectionProgram::collect_inputs(const std::vector<NodeId>& roots, SourceRange range) {
  const Graph& graph = *session_.graph;
  std::set<NodeId> seen;
  std::vector<NodeId> pending(roots.rbegin(), roots.rend());
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id).second) continue;
    if (stays_outside(id, range)) {
      inputs_.emplace(id, inputs_.size());
      continue;
    }
    for (const NodeId operand : graph.operands(id)) pending.push_back(operand);
  }
}

std::vector<NodeId> SectionProgram::find_outputs(Frame& frame) {
  std::vector<NodeId> outputs;
  const NodeId failed = recorder_.failed();
  Graph& graph = *session_.graph;
  for (std::shared_ptr<Value>* value : ordered_values(session_, frame))
    for_each_cell(**value, [&](NodeId cell, BaseType type) {
      if (!has_registers(cell)) return;
      outputs.push_back(as_number(graph, cell, type));
      if (failed.is_valid())
        outputs.back() = graph.select(graph.relation(Op::kEqual, failed, graph.constant(0), true),
                                      outputs.back(), undefined_number(graph));
    });
  return outputs;
}

// The inputs become the first registers, the others follow them.
void SectionProgram::move_formulas(std::vector<NodeId>& outputs) {
  Graph& graph = *session_.graph;
  const auto change = [&](NodeId id, const std::vector<NodeId>&) {
    if (const auto input = inputs_.find(id); input != inputs_.end()) {
      const NodeId moved = graph.variable(ProgramRecorder::variable(input->second));
      return is_truth(id) ? graph.relation(Op::kNotEqual, moved, graph.constant(0), true) : moved;
    }
    if (graph.op(id) != Op::kVariable || !ProgramRecorder::is_register(graph.leaf_of(id).variable))
      return NodeId();
    const std::size_t number = ProgramRecorder::register_of(graph.leaf_of(id).variable);
    return graph.variable(ProgramRecorder::variable(number + inputs_.size()));
  };
  Rewriter<decltype(change)> rewriter(graph, change);
  const auto rewrite = [&](NodeId id) { return rewriter.rewrite(id); };
  recorder_.move(static_cast<std::uint32_t>(inputs_.size()), rewrite);
  for (NodeId& output : outputs) output = rewrite(output);
}

void SectionProgram::finish(Frame& frame, const std::string& name, SourceRange range) {
  Graph& graph = *session_.graph;
  std::vector<NodeId> outputs = find_outputs(frame);
  if (outputs.empty()) return;
  std::vector<NodeId> roots = outputs;
  collect_formulas(recorder_.steps(), roots);
  collect_inputs(roots, range);
  std::vector<NodeId> arguments(inputs_.size());
  for (const auto& [id, number] : inputs_)
    arguments[number] = as_number(graph, id, is_truth(id) ? BaseType::kBoolean : BaseType::kReal);
  move_formulas(outputs);
  auto& functions = session_.flat->functions;
  const FunctionId function = functions.push_back(make_function(
      {session_.functions->free_name(name), static_cast<int>(inputs_.size()), range, FunctionId()},
      graph, recorder_, outputs, functions));
  int output = 0;
  for (std::shared_ptr<Value>* value : ordered_values(session_, frame)) {
    Value made = **value;
    replace_cells(made, [&](NodeId cell, BaseType type) {
      if (!has_registers(cell)) return cell;
      const NodeId call = graph.call(function, output++, arguments);
      if (type != BaseType::kBoolean) return call;
      return graph.relation(Op::kNotEqual, call, graph.constant(0), true);
    });
    *value = std::make_shared<Value>(std::move(made));
  }
}

}  // namespace hydae::modelica
