#include "compile/held_variables.h"

#include <map>
#include <optional>
#include <vector>

#include "expr/walk.h"

namespace hydae {
namespace {

bool is_continuous(const Model& model, VarId variable) {
  return variable.index() >= model.num_variables() ||
         model.all_variables()[variable].kind == VariableKind::kReal;
}

// The continuous variables whose values an expression reads; nothing if it depends on time, the
// past or derivatives.
std::optional<std::set<VarId>> varying_variables(const Model& model, NodeId root) {
  const Graph& graph = model.graph();
  std::set<VarId> variables;
  std::set<NodeId> reached{root};
  Walk walk;
  const auto order = walk.order(graph, root);
  for (std::size_t k = order.size(); k-- > 0;) {
    const NodeId id = order[k];
    const Op op = graph.op(id);
    if (reached.count(id) == 0 || is_event_valued(op)) continue;
    if (op == Op::kTime || op == Op::kDelay) return std::nullopt;
    if (op == Op::kVariable && is_continuous(model, graph.leaf_of(id).variable)) {
      if (graph.leaf_of(id).order > 0) return std::nullopt;
      variables.insert(graph.leaf_of(id).variable);
    }
    for (NodeId operand : graph.operands(id)) reached.insert(operand);
  }
  return variables;
}

}  // namespace

bool is_event_valued(Op op) {
  return is_relation(op) || op == Op::kSample || op == Op::kFloor || op == Op::kCeil ||
         op == Op::kTrunc;
}

std::set<VarId> find_held_variables(const Model& model, std::span<const NodeId> residuals) {
  std::vector<std::set<VarId>> open;  // of each equation: what is not known to be held
  std::map<VarId, std::vector<std::size_t>> readers;
  std::vector<std::size_t> ready;
  for (NodeId residual : residuals) {
    const std::size_t row = open.size();
    open.push_back(varying_variables(model, residual).value_or(std::set<VarId>()));
    for (VarId variable : open[row]) readers[variable].push_back(row);
    if (open[row].size() == 1) ready.push_back(row);
  }
  std::set<VarId> held;
  while (!ready.empty()) {
    const std::size_t row = ready.back();
    ready.pop_back();
    if (open[row].size() != 1) continue;
    const VarId variable = *open[row].begin();
    held.insert(variable);
    for (std::size_t reader : readers[variable])
      if (open[reader].erase(variable) == 1 && open[reader].size() == 1) ready.push_back(reader);
  }
  return held;
}

bool is_held(const Model& model, NodeId root, const std::set<VarId>& held) {
  const auto variables = varying_variables(model, root);
  if (!variables) return false;
  for (VarId variable : *variables)
    if (held.count(variable) == 0) return false;
  return true;
}

}  // namespace hydae
