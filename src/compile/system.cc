#include "compile/system.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/check.h"
#include "compile/zero_terms.h"
#include "expr/incidence.h"
#include "expr/node_map.h"
#include "expr/walk.h"

namespace hydae {
namespace {

bool is_held_between_events(const Model& model, VarId variable) {
  return variable.index() < model.num_variables() &&
         model.all_variables()[variable].kind != VariableKind::kReal;
}

std::optional<VarId> bare_discrete_variable(const Model& model, const Expr& side) {
  if (side.graph() == nullptr) return std::nullopt;
  const Node node = model.graph().node(side.id());
  if (node.op != Op::kVariable || node.order != 0) return std::nullopt;
  if (!is_held_between_events(model, node.variable)) return std::nullopt;
  return node.variable;
}

bool has_pre_of(const Model& model, const Expr& side, VarId variable) {
  if (side.graph() == nullptr) return false;
  Walk walk;
  const auto nodes = walk.order(model.graph(), side.id());
  return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    return model.graph().op(id) == Op::kPre && model.graph().leaf_of(id).variable == variable;
  });
}

// Whether `side = other` says what the discrete variable `side` is.
bool determines_discrete(const Model& model, const Expr& side, const Expr& other) {
  const auto variable = bare_discrete_variable(model, side);
  if (!variable) return false;
  switch (model.all_variables()[*variable].kind) {
    case VariableKind::kBoolean: return true;
    case VariableKind::kInteger:
      return other.graph() == nullptr || !varies_between_events(model, other.id());
    // A Real that an algorithm assigns in a when-statement, and keeps otherwise.
    case VariableKind::kDiscrete: return has_pre_of(model, other, *variable);
    case VariableKind::kReal: break;
  }
  return false;
}

std::vector<EqId> continuous_equations(const Model& model, const Observed& observed = {}) {
  std::vector<EqId> equations;
  for (EqId eq : ids<EqId>(model.num_equations()))
    if (!is_discrete_equation(model, model.equations()[eq]) && !observed.contains(eq))
      equations.push_back(eq);
  return equations;
}

}  // namespace

bool is_discrete_equation(const Model& model, const Equation& equation) {
  return determines_discrete(model, equation.lhs, equation.rhs) ||
         determines_discrete(model, equation.rhs, equation.lhs);
}

bool varies_between_events(const Model& model, NodeId root) {
  const Graph& graph = model.graph();
  Walk walk;
  NodeMap<bool> varies;
  for (NodeId id : walk.order(graph, root)) {
    const Op op = graph.op(id);
    bool value = op == Op::kTime || op == Op::kDelay;
    if (op == Op::kVariable) value = !is_held_between_events(model, graph.leaf_of(id).variable);
    const bool is_event_valued = is_relation(op) || op == Op::kSample || op == Op::kFloor ||
                                 op == Op::kCeil || op == Op::kTrunc;
    if (!is_event_valued)
      for (NodeId operand : graph.operands(id)) value = value || *varies.find(operand);
    varies.insert(id, value);
  }
  return *varies.find(root);
}

std::optional<VarId> System::find_column(VarId variable) const {
  return variable.index() < columns.size() ? columns[variable.index()] : std::nullopt;
}

VarId System::add_unknown(std::string name, NodeId definition) {
  while (std::find(unknown_names.begin(), unknown_names.end(), name) != unknown_names.end())
    name += '_';
  const VarId variable(columns.size());
  definitions[variable] = definition;
  const VarId column = unknowns.push_back(variable);
  unknown_names.push_back(std::move(name));
  columns.emplace_back(column);
  return column;
}

EqId System::add_equation(NodeId residual, std::string name) {
  residuals.push_back(residual);
  equation_sources.push_back({});
  return equation_names.push_back(std::move(name));
}

std::string System::to_string(NodeId root) const {
  Names names = model->names();
  const auto of_model = names.variable;
  names.variable = [&](VarId variable) {
    if (variable.index() < model->num_variables()) return of_model(variable);
    return unknown_names[*find_column(variable)];
  };
  const auto parameter_of_model = names.parameter;
  names.parameter = [&](ParamId parameter) {
    if (parameter.index() < model->parameters().size()) return parameter_of_model(parameter);
    return fmt::format("held[{}]", parameter.index() - model->parameters().size() + 1);
  };
  return hydae::to_string(graph(), root, names, 10'000);
}

std::vector<NodeId> continuous_residuals(const Model& model) {
  std::vector<NodeId> residuals;
  for (EqId eq : continuous_equations(model)) residuals.push_back(model.residual(eq));
  return lower_switches(model.graph(), residuals);
}

std::vector<NodeId> solved_residuals(const Model& model, const Observed& observed) {
  // What an observed variable is may make terms of other equations vanish.
  const std::vector<NodeId> all = without_zero_factors(model, continuous_residuals(model));
  const std::vector<EqId> equations = continuous_equations(model);
  std::vector<NodeId> residuals;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!observed.contains(equations[k])) residuals.push_back(all[k]);
  return residuals;
}

std::vector<NodeId> system_relations(const Model& model) {
  return relations(model.graph(), continuous_residuals(model));
}

System make_system(const Model& model, const std::vector<bool>& mode) {
  std::vector<NodeId> residuals = continuous_residuals(model);
  const std::vector<NodeId> switches = relations(model.graph(), residuals);
  HYDAE_CHECK(mode.size() == switches.size());
  residuals = without_zero_factors(model, std::move(residuals));
  if (!switches.empty()) {
    std::map<NodeId, bool> truth;
    for (std::size_t k = 0; k < switches.size(); ++k) truth[switches[k]] = mode[k];
    residuals = resolve(model.graph(), residuals, [&](NodeId relation) -> std::optional<bool> {
      const auto at = truth.find(relation);
      return at == truth.end() ? std::nullopt : std::optional(at->second);
    });
  }
  return make_system(model, model.shared_graph(), std::move(residuals));
}

System make_system(const Model& model, std::shared_ptr<Graph> nodes, std::vector<NodeId> residuals,
                   const Observed& observed) {
  System system;
  system.model = &model;
  system.columns.resize(model.num_variables());
  for (VarId variable : ids<VarId>(model.num_variables())) {
    if (is_held_between_events(model, variable) || observed.contains(variable)) continue;
    system.columns[variable.index()] = system.unknowns.push_back(variable);
    system.unknown_names.push_back(model.all_variables()[variable].name);
  }
  system.residuals =
      IdVector<EqId, NodeId>(without_zero_terms(model, *nodes, std::move(residuals)));
  system.nodes = std::move(nodes);
  for (EqId eq : continuous_equations(model, observed)) {
    system.equation_names.push_back(model.equations()[eq].name);
    system.equation_sources.push_back(model.equations()[eq].source);
  }
  return system;
}

structure::SignatureMatrix signature_of(const System& system) {
  structure::SignatureBuilder builder(system.unknowns.size());
  Incidence incidence;
  std::vector<structure::SignatureMatrix::InRow> row;
  for (NodeId residual : system.residuals) {
    row.clear();
    for (const Leaf& leaf : incidence.of(system.graph(), residual))
      if (const auto column = system.find_column(leaf.variable))
        row.push_back({*column, leaf.order});
    builder.add_equation(row);
  }
  return builder.build();
}

}  // namespace hydae
