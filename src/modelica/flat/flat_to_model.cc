#include "modelica/flat/flat_to_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include <hydae/error.h>
#include <hydae/message.h>

#include "expr/copy_operation.h"
#include "expr/incidence.h"
#include "modelica/checks/checks.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/alias.h"
#include "modelica/flat/attributes.h"
#include "modelica/flat/declaring_model.h"
#include "modelica/flat/free_parameters.h"
#include "modelica/flat/semi_linear.h"
#include "modelica/flat/tanh_rewrite.h"

namespace hydae::modelica {

namespace {

class Lowering {
 public:
  Lowering(Session& session, const ComponentOrder& order, const std::string& name)
      : session_(session), order_(order), model_(name) {}

  Model run();

 private:
  void find_kinds();
  void spread_discreteness();
  void judge_missing_values();
  void warn_unused(const Component& component);
  bool has_text(Component& component) {
    return session_.components->bindings().binding_value(component) != nullptr ||
           session_.components->attribute(component, session_.names.attributes.start).has_value();
  }
  void find_ranks();
  void free_dependent_parameters();
  void make_parameters();
  void make_parameter(Component& component);
  void bind_parameters();
  void make_variables();
  void make_variable(VarId variable);
  void merge(VarId representative, Attributes& merged);
  void check_merged_range(VarId representative, const Attributes& merged);
  void make_equations();
  // The numbers in a message are nodes of the model's graph from here on.
  std::string message_text(const std::string& flat) {
    return replace_values(flat, [&](NodeId id) { return copy(id).in(model_.graph()); });
  }
  std::set<VarId> differentiated_variables() const;
  void make_whens();
  void make_inputs();

  Expr copy(NodeId id);
  NodeId copy_node(NodeId id);
  NodeId copy_variable(const Node& node);
  NodeId copy_smooth(const Node& smooth);

  Session& session_;
  const ComponentOrder& order_;
  Model model_;
  std::optional<Aliases> aliases_;
  IdVector<VarId, VariableKind> kinds_;
  IdVector<VarId, Attributes> attributes_;
  IdVector<VarId, std::vector<int>> rank_;
  IdVector<VarId, VarId> final_id_;  // of representatives
  IdVector<ParamId, Expr> parameters_;
  std::vector<ParamId> without_value_;
  std::map<ParamId, NodeId> freed_;  // parameters that became unknowns of the start
  std::vector<NodeId> copied_;
};

// ---- copying expressions ----

NodeId Lowering::copy_variable(const Node& node) {
  Graph& to = model_.graph();
  const AliasOf alias = (*aliases_)[node.variable];
  const VarId variable = final_id_[alias.variable];
  if (node.order > 0 && kinds_[node.variable] != VariableKind::kReal) return to.constant(0);
  const NodeId id =
      node.op == Op::kPre ? to.pre(variable, node.order) : to.variable(variable, node.order);
  return alias.is_negative ? to.unary(Op::kNeg, id) : id;
}

// Both branches of smooth(0, if x >= 0 then .. else ..) agree at x = 0. Of two that ask for x and
// for -x, at zero only one takes its first branch: semiLinear at both ends of a pipe without flow
// then leaves nothing undetermined (3.7.4.5).
NodeId Lowering::copy_smooth(const Node& smooth) {
  const Graph& from = *session_.graph;
  Graph& to = model_.graph();
  const auto operand = [&](NodeId old) { return copied_[old.index()]; };
  const NodeId order = operand(smooth.a), whole = operand(smooth.b);
  const Node choice = from.node(smooth.b);
  if (choice.op != Op::kSelect) return to.binary(Op::kSmooth, order, whole);
  const Node condition = from.node(choice.a);
  const bool is_sign = condition.op == Op::kGreaterEqual && condition.silent &&
                       from.op(condition.a) == Op::kVariable && from.is_constant(condition.b, 0);
  if (!is_sign || !(*aliases_)[from.leaf_of(condition.a).variable].is_negative)
    return to.binary(Op::kSmooth, order, whole);
  const NodeId strict =
      to.relation(Op::kGreater, operand(condition.a), operand(condition.b), /*silent=*/true);
  return to.binary(Op::kSmooth, order, to.select(strict, operand(choice.b), operand(choice.c)));
}

NodeId Lowering::copy_node(NodeId id) {
  const Graph& from = *session_.graph;
  Graph& to = model_.graph();
  const Node node = from.node(id);
  switch (node.op) {
    case Op::kParameter: {
      const auto freed = freed_.find(node.parameter);
      if (freed == freed_.end()) return parameters_[node.parameter].in(to);
      return copy_variable(from.node(freed->second));
    }
    case Op::kVariable:
    case Op::kPre: return copy_variable(node);
    case Op::kSmooth: return copy_smooth(node);
    default: break;
  }
  std::vector<NodeId> operands;
  for (const NodeId operand : from.operands(id)) operands.push_back(copied_[operand.index()]);
  return without_logistic(to, copy_operation(from, id, operands, to));
}

Expr Lowering::copy(NodeId root) {
  const Graph& from = *session_.graph;
  if (copied_.size() < from.size()) copied_.resize(from.size());
  std::vector<NodeId> pending = {root};
  while (!pending.empty()) {
    const NodeId id = pending.back();
    if (copied_[id.index()].is_valid()) {
      pending.pop_back();
      continue;
    }
    const std::size_t before = pending.size();
    for (const NodeId operand : from.operands(id))
      if (!copied_[operand.index()].is_valid()) pending.push_back(operand);
    if (pending.size() != before) continue;
    copied_[id.index()] = copy_node(id);
    pending.pop_back();
  }
  return Expr(model_.graph(), copied_[root.index()]);
}

void Lowering::find_kinds() {
  for (const VarId v : ids<VarId>(session_.flat->variables.size())) {
    const Component* component = session_.flat->variables[v].component;
    VariableKind kind = VariableKind::kReal;
    if (component == nullptr) {
      kind = session_.flat->helpers.at(v).kind;
    } else {
      kind = component->kind();
      const bool is_discrete =
          component->is_discrete || component->variability == Variability::kDiscrete;
      if (kind == VariableKind::kReal && is_discrete) kind = VariableKind::kDiscrete;
    }
    kinds_.push_back(kind);
  }
  spread_discreteness();
  check_pre_uses(session_, kinds_, [this](VarId v) { return name_of(session_, v); });
  check_der_uses(session_);
}

// x = d or x = -d where a when-clause determines d: x changes at events only, too. Then the two are
// aliases, and a function of x needs no derivatives: sqrt(x) is good at x = 0.
void Lowering::spread_discreteness() {
  const Graph& graph = *session_.graph;
  IdVector<VarId, bool> is_sampled(kinds_.size());
  for (const FlatWhen& when : session_.flat->whens)
    for (const FlatWhenBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == WhenAction::Kind::kAssign)
          is_sampled[graph.leaf_of(action.target).variable] = true;
  std::map<VarId, std::vector<VarId>> equals;
  for (const FlatEquation& equation : session_.flat->equations)
    if (const auto pair = find_equal_variables(*session_.graph, equation)) {
      equals[pair->a].push_back(pair->b);
      equals[pair->b].push_back(pair->a);
    }
  std::vector<VarId> pending;
  for (const VarId v : ids<VarId>(kinds_.size()))
    if (is_sampled[v] && kinds_[v] == VariableKind::kDiscrete) pending.push_back(v);
  while (!pending.empty()) {
    const VarId known = pending.back();
    pending.pop_back();
    for (const VarId v : equals[known]) {
      if (kinds_[v] != VariableKind::kReal) continue;
      kinds_[v] = VariableKind::kDiscrete;
      pending.push_back(v);
    }
  }
}

// Which variable of a class of aliases stands for all: inputs and outputs of the model, then
// states, then what is nearer to the top.
void Lowering::find_ranks() {
  const Graph& graph = *session_.graph;
  const std::size_t count = session_.flat->variables.size();
  std::vector<bool> is_differentiated(count, false);
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (graph.op(NodeId(i)) == Op::kVariable && graph.leaf_of(NodeId(i)).order > 0)
      is_differentiated[graph.leaf_of(NodeId(i)).variable.index()] = true;
  attributes_.resize(count);
  for (const VarId v : ids<VarId>(count)) {
    attributes_[v] = read_attributes(session_, v);
    const Component* component = session_.flat->variables[v].component;
    const bool is_interface = component != nullptr && component->element->owner == session_.model &&
                              component->causality != syntax::Causality::kNone;
    const bool is_input = is_interface && component->causality == syntax::Causality::kInput;
    const int depth = component == nullptr ? 1000 : component->element->owner->depth;
    rank_.push_back({is_input       ? 0
                     : is_interface ? 1
                                    : 2,
                     -static_cast<int>(attributes_[v].state_select),
                     attributes_[v].is_fixed ? 0 : 1, is_differentiated[v.index()] ? 0 : 1, depth,
                     static_cast<int>(v.index())});
  }
}

// ---- parameters ----

// A parameter whose binding reads an unknown of the start is itself one.
void Lowering::free_dependent_parameters() {
  for (const auto& [parameter, bound] : find_dependent_on_free(session_)) {
    const Cell cell = session_.flat->parameters[parameter];
    Component& component = *cell.component;
    const NodeId variable = session_.graph->variable(session_.flat->add_variable(cell));
    component.is_free_parameter = true;
    component.value.cells[static_cast<std::size_t>(cell.position)] = variable;
    freed_.emplace(parameter, variable);
    session_.flat->initial_equations.push_back(
        {variable, bound, component.element->owner, component.element->declaration->range()});
  }
}

void Lowering::make_parameter(Component& component) {
  if (component.base() == BaseType::kString && component.valuation == Progress::kUntouched &&
      !has_text(component))
    return warn_unused(component);
  const Value& value = session_.components->value(component);
  if (!value.has_cells() || component.is_part) return;
  const Graph& graph = *session_.graph;
  for (std::size_t i = 0; i < value.cells.size(); ++i) {
    Parameter parameter;
    parameter.name = session_.components->path(component) +
                     session_.components->subscript(component, static_cast<std::int64_t>(i));
    parameter.kind = component.kind();
    if (component.base() == BaseType::kReal)
      parameter.unit = text_attribute(session_, {&component, static_cast<std::int64_t>(i)},
                                      session_.names.attributes.unit);
    parameter.description =
        syntax::description_text(component.element->declaration->component->comment);
    parameter.source = component.element->declaration->range();
    const NodeId cell = value.cells[i];
    // In a flat text `final` marks what had shaped the model.
    parameter.is_structural = component.marks.is_structural || graph.is_constant(cell) ||
                              (session_.request.is_flat_text && component.is_final);
    if (graph.is_constant(cell)) parameter.value = graph.constant_value(cell);
    const Expr made = model_.parameter(std::move(parameter));
    if (graph.op(cell) == Op::kParameter) parameters_[graph.node(cell).parameter] = made;
  }
}

void Lowering::make_parameters() {
  parameters_.resize(session_.flat->parameters.size());
  for (Component* component : order_) {
    if (component->variability > Variability::kParameter || component->is_free_parameter) continue;
    session_.attempt(component->element->declaration->range(), [&] { make_parameter(*component); });
  }
}

void Lowering::bind_parameters() {
  for (const ParamId p : ids<ParamId>(session_.flat->parameters.size())) {
    if (freed_.contains(p)) continue;
    const Cell& cell = session_.flat->parameters[p];
    Component& component = *cell.component;
    NodeId bound;
    try {
      if (const auto value = session_.components->bindings().binding_value(component)) {
        bound = value->cells[static_cast<std::size_t>(cell.position)];
      } else if (const auto start =
                     number_attribute(session_, cell, session_.names.attributes.start)) {
        bound = *start;
        session_.warning("parameter-from-start",
                         fmt::format("parameter `{}` has no value; its start value is used",
                                     session_.components->path(component)),
                         component.element->declaration->range());
      } else {
        without_value_.push_back(p);
        continue;
      }
    } catch (const Failure&) {
      continue;
    }
    if (parameters_[p].is_number()) continue;  // of a component that is not in the model
    try {
      model_.bind(parameters_[p], copy(bound));
    } catch (const UsageError&) {
      session_.error("not-a-parameter-expression",
                     fmt::format("the value of parameter `{}` changes during the simulation",
                                 session_.components->path(component)),
                     component.element->declaration->range());
    }
  }
}

void Lowering::warn_unused(const Component& component) {
  session_.warning("unused-parameter",
                   fmt::format("parameter `{}` has no value; nothing reads it",
                               session_.components->path(component)),
                   component.element->declaration->range());
}

// A parameter without a value is an error where something reads it.
void Lowering::judge_missing_values() {
  for (const ParamId p : without_value_) {
    Component& component = *session_.flat->parameters[p].component;
    const NodeId node = session_.graph->parameter(p);
    const bool is_read = node.index() < copied_.size() && copied_[node.index()].is_valid();
    const std::string message =
        fmt::format("parameter `{}` has no value", session_.components->path(component));
    const SourceRange range = component.element->declaration->range();
    if (is_read)
      session_.error("parameter-without-value", message, range);
    else
      warn_unused(component);
  }
}

// ---- variables ----

void Lowering::merge(VarId representative, Attributes& merged) {
  Graph& graph = *session_.graph;
  const auto negated = [&](std::optional<NodeId> id) -> std::optional<NodeId> {
    return id ? std::optional(graph.unary(Op::kNeg, *id)) : std::nullopt;
  };
  const auto tighter = [&](Op op, std::optional<NodeId> a, std::optional<NodeId> b) {
    return a && b && a != b ? graph.binary(op, *a, *b) : a ? a : b;
  };
  if (merged.start)
    merged.equal_starts.push_back(
        {name_of(session_, representative), 1, copy(*merged.start), merged.is_fixed});
  for (const VarId member : aliases_->members(representative)) {
    Attributes other = attributes_[member];
    const bool is_negative = (*aliases_)[member].is_negative;
    if (is_negative) {
      other.start = negated(other.start);
      std::swap(other.min, other.max);
      other.min = negated(other.min);
      other.max = negated(other.max);
    }
    const bool is_better_start =
        other.start &&
        (!merged.start || (other.is_fixed && !merged.is_fixed) ||
         (other.is_fixed == merged.is_fixed && other.start_depth < merged.start_depth));
    if (other.is_fixed && merged.is_fixed && other.start != merged.start)
      session_.warning("fixed-twice",
                       fmt::format("`{}` and `{}` are equal and both have a fixed start value",
                                   name_of(session_, representative), name_of(session_, member)),
                       session_.flat->variables[member].component->element->declaration->range());
    if (other.start)
      merged.equal_starts.insert(
          is_better_start ? merged.equal_starts.begin() : merged.equal_starts.end(),
          {name_of(session_, member), is_negative ? -1.0 : 1.0, copy(*attributes_[member].start),
           other.is_fixed});
    if (is_better_start) {
      merged.start = other.start;
      merged.start_depth = other.start_depth;
    }
    merged.is_fixed |= other.is_fixed;
    merged.is_free |= other.is_free;
    merged.min = tighter(Op::kMax, merged.min, other.min);
    merged.max = tighter(Op::kMin, merged.max, other.max);
    if (!merged.nominal) merged.nominal = other.nominal;
    if (merged.unit.empty()) merged.unit = other.unit;
    merged.state_select = std::max(merged.state_select, other.state_select);
  }
  check_merged_range(representative, merged);
  // `fixed` of one and `start` of another.
  const auto is_fixed = [](const EqualStart& start) { return start.fixed; };
  if (!merged.equal_starts.empty() && std::ranges::none_of(merged.equal_starts, is_fixed))
    merged.equal_starts.front().fixed = merged.is_fixed;
}

// Of variables that are equal all bounds hold: "x = y = -z".
void Lowering::check_merged_range(VarId representative, const Attributes& merged) {
  std::string name = name_of(session_, representative);
  for (const VarId member : aliases_->members(representative))
    name += ((*aliases_)[member].is_negative ? " = -" : " = ") + name_of(session_, member);
  const Component* component = session_.flat->variables[representative].component;
  if (component == nullptr || aliases_->members(representative).empty()) return;
  check_range(session_, {name, merged.min, merged.max, component->element->declaration->range()});
}

void Lowering::make_variable(VarId v) {
  Attributes merged = attributes_[v];
  merge(v, merged);
  Variable variable;
  variable.name = name_of(session_, v);
  variable.kind = kinds_[v];
  variable.unit = merged.unit;
  variable.display_unit = merged.display_unit;
  variable.description = merged.description;
  variable.state_select = merged.state_select;
  variable.is_free_at_events = merged.is_free;
  const Component* component = session_.flat->variables[v].component;
  if (component != nullptr) {
    variable.is_protected = component->is_protected;
    if (const EnumType* type = component->type->enumeration; type != nullptr)
      variable.literals = type->literals;
    variable.source = component->element->declaration->range();
  } else {
    variable.source = session_.flat->helpers.at(v).source;
    variable.is_protected = true;
  }
  if (merged.equal_starts.size() > 1 ||
      (merged.equal_starts.size() == 1 && merged.equal_starts[0].name != variable.name))
    variable.equal_starts = std::move(merged.equal_starts);
  if (merged.start)
    variable.starts.push_back({0, copy(*merged.start), merged.is_fixed});
  else if (merged.is_fixed)
    variable.starts.push_back({0, Expr(0.0), true});
  if (merged.min) variable.min = copy(*merged.min);
  if (merged.max) variable.max = copy(*merged.max);
  if (merged.nominal) variable.nominal = copy(*merged.nominal);
  model_.variable(std::move(variable));
}

void Lowering::make_variables() {
  // Final ids first: attributes may refer to any variable's parameters, never to variables.
  const std::size_t count = session_.flat->variables.size();
  final_id_.resize(count);
  std::vector<VarId> in_order;
  const auto add = [&](VarId v) {
    if ((*aliases_)[v].variable == v && !final_id_[v].is_valid()) {
      final_id_[v] = VarId(in_order.size());
      in_order.push_back(v);
    }
  };
  const Graph& graph = *session_.graph;
  std::vector<VarId> all;
  for (Component* component : order_) {
    if (component->valuation != Progress::kDone || component->is_part) continue;
    for (const NodeId cell : component->value.cells)
      if (graph.op(cell) == Op::kVariable) all.push_back(graph.leaf_of(cell).variable);
  }
  for (const VarId v : all) add(v);
  for (const VarId v : ids<VarId>(count)) add(v);
  for (const VarId v : in_order) make_variable(v);
  for (const VarId v : all) {
    const AliasOf alias = (*aliases_)[v];
    if (alias.variable == v) continue;
    const Component& component = *session_.flat->variables[v].component;
    model_.alias({name_of(session_, v), final_id_[alias.variable], alias.is_negative ? -1.0 : 1.0,
                  attributes_[v].unit, attributes_[v].description,
                  component.element->declaration->range()});
  }
}

// ---- equations ----

void Lowering::make_equations() {
  const auto make = [&](const FlatEquation& flat) {
    Equation equation;
    equation.lhs = copy(flat.lhs);
    equation.rhs = copy(flat.rhs);
    equation.component = component_path(session_, flat.instance);
    equation.source = flat.source;
    if (flat.is_of_input)
      equation.input = name_of(session_, session_.graph->leaf_of(flat.lhs).variable);
    return equation;
  };
  const auto& flat_equations = session_.flat->equations;
  std::vector<Equation> equations;
  for (std::size_t i = 0; i < flat_equations.size(); ++i)
    if (!aliases_->is_used(i)) equations.push_back(make(flat_equations[i]));
  rewrite_semi_linear_chains(model_.graph(), equations);
  rewrite_semi_linear_junctions(model_.graph(), equations);
  for (Equation& equation : equations) model_.equation(std::move(equation));
  for (const FlatEquation& equation : session_.flat->initial_equations)
    model_.initial_equation(make(equation));
  for (const FlatAssertion& flat : session_.flat->assertions) {
    model_.assertion(
        {copy(flat.condition), message_text(flat.message), flat.is_warning, flat.source});
  }
  for (const FlatPathConstraint& flat : session_.flat->path_constraints)
    model_.path_constraint({"", copy(flat.lhs), copy(flat.rhs), flat.is_equality, flat.source});
  // A parameter that is an unknown of the initialization stays what it became.
  for (const VarId v : ids<VarId>(session_.flat->variables.size())) {
    const Component* component = session_.flat->variables[v].component;
    if (component == nullptr || !component->is_free_parameter) continue;
    Equation equation;
    Graph& graph = model_.graph();
    const VarId id = final_id_[(*aliases_)[v].variable];
    const bool is_real = kinds_[v] == VariableKind::kReal;
    equation.lhs = Expr(graph, graph.variable(id, is_real ? 1 : 0));
    equation.rhs = Expr(graph, is_real ? graph.constant(0) : graph.pre(id));
    equation.component = component_path(session_, component->element->owner);
    equation.source = component->element->declaration->range();
    model_.equation(std::move(equation));
  }
}

// Representatives of the variables with derivatives.
std::set<VarId> Lowering::differentiated_variables() const {
  const Graph& graph = *session_.graph;
  std::set<VarId> found;
  for (std::size_t i = 0; i < graph.size(); ++i)
    if (graph.op(NodeId(i)) == Op::kVariable && graph.leaf_of(NodeId(i)).order > 0)
      found.insert((*aliases_)[graph.leaf_of(NodeId(i)).variable].variable);
  return found;
}

void Lowering::make_whens() {
  Graph& graph = *session_.graph;
  const std::set<VarId> states = differentiated_variables();
  for (const FlatWhen& flat : session_.flat->whens) {
    WhenClause clause;
    clause.component = component_path(session_, flat.instance);
    clause.source = flat.source;
    for (const FlatWhenBranch& flat_branch : flat.branches) {
      WhenBranch& branch = clause.branches.emplace_back();
      for (const NodeId condition : flat_branch.conditions)
        branch.conditions.push_back(copy(condition));
      for (const FlatAction& flat_action : flat_branch.actions) {
        WhenAction action;
        action.kind = flat_action.kind;
        action.message = message_text(flat_action.message);
        action.is_warning = flat_action.is_warning;
        action.source = flat_action.source;
        NodeId target = flat_action.target, value = flat_action.value;
        if (action.kind == WhenAction::Kind::kEquation) {
          action.target = copy(target);
        } else if (target.is_valid()) {
          // The target is the representative itself; a sign moves to the value.
          const Leaf leaf = graph.leaf_of(target);
          const AliasOf alias = (*aliases_)[leaf.variable];
          if (action.kind == WhenAction::Kind::kReinit && !states.contains(alias.variable))
            session_.error("reinit-target",
                           fmt::format("`reinit` needs a state: the derivative of `{}` occurs "
                                       "nowhere",
                                       name_of(session_, leaf.variable)),
                           flat_action.source);
          if (alias.is_negative && value.is_valid()) value = graph.unary(Op::kNeg, value);
          action.target =
              Expr(model_.graph(), model_.graph().variable(final_id_[alias.variable], leaf.order));
        }
        if (value.is_valid()) action.value = copy(value);
        branch.actions.push_back(std::move(action));
      }
    }
    model_.when(std::move(clause));
  }
}

// Inputs of the model that nothing determines have their start values.
void Lowering::make_inputs() {
  Graph& graph = *session_.graph;
  for (const Cell& cell : interface_cells(session_, order_, syntax::Causality::kInput)) {
    if (session_.components->bindings().binding(*cell.component)) continue;
    const auto start = number_attribute(session_, cell, session_.names.attributes.start);
    const NodeId value = start                                          ? *start
                         : cell.component->base() == BaseType::kBoolean ? graph.boolean(false)
                                                                        : graph.constant(0);
    FlatEquation equation;
    equation.lhs = cell.component->value.cells[static_cast<std::size_t>(cell.position)];
    equation.rhs = value;
    equation.instance = cell.component->element->owner;
    equation.source = cell.component->element->declaration->range();
    equation.is_of_input = true;
    session_.flat->equations.push_back(equation);
  }
}

Model Lowering::run() {
  if (!session_.request.is_as_written) make_inputs();
  free_dependent_parameters();
  find_kinds();
  find_ranks();
  aliases_.emplace(session_, kinds_, rank_);
  for (const Function& function : session_.flat->functions) model_.function(function);
  make_parameters();
  make_variables();
  bind_parameters();
  make_equations();
  make_whens();
  for (VarId output : output_variables(session_, order_)) model_.output(name_of(session_, output));
  judge_missing_values();
  model_.sources = session_.workspace.sources();
  return std::move(model_);
}

}  // namespace

Model lower(Session& session, const ComponentOrder& order, const std::string& name) {
  return Lowering(session, order, name).run();
}

}  // namespace hydae::modelica
