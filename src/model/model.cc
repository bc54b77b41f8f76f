#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/model.h>

#include "expr/incidence.h"

namespace hydae {
namespace {

bool is_fixed_before_start(const Contents& contents) {
  return !contents.has_variables && !contents.has_time && !contents.has_pre;
}

}  // namespace

Model::Model(std::string name) : name_(std::move(name)), graph_(std::make_shared<Graph>()) {}

Model Model::extended() const {
  Model copy = *this;
  copy.graph_ = std::make_shared<Graph>(graph_);
  return copy;
}

Model Model::detached() const {
  Model copy = *this;
  copy.graph_ = graph_->clone();
  const auto move = [&](Expr& expr) {
    if (!expr.is_number()) expr = Expr(*copy.graph_, expr.id());
  };
  const auto move_if_any = [&](std::optional<Expr>& expr) {
    if (expr) move(*expr);
  };
  for (Variable& variable : copy.variables_) {
    for (StartValue& start : variable.starts) move(start.value);
    for (EqualStart& start : variable.equal_starts) move(start.value);
    for (auto* attribute : {&variable.min, &variable.max, &variable.nominal})
      move_if_any(*attribute);
  }
  for (Parameter& parameter : copy.parameters_) move_if_any(parameter.binding);
  for (Equation& equation : copy.equations_) move(equation.lhs), move(equation.rhs);
  for (auto* list : {&copy.implied_equations_, &copy.initial_equations_})
    for (Equation& equation : *list) move(equation.lhs), move(equation.rhs);
  for (WhenClause& clause : copy.when_clauses_)
    for (WhenBranch& branch : clause.branches) {
      for (Expr& condition : branch.conditions) move(condition);
      for (WhenAction& action : branch.actions) move(action.target), move(action.value);
    }
  for (Assertion& assertion : copy.assertions_) move(assertion.condition);
  for (PathConstraint& constraint : copy.path_constraints_)
    move(constraint.lhs), move(constraint.rhs);
  return copy;
}

// --- checks
// ---------------------------------------------------------------------------------------

// The expression as a node of this model's graph.
Expr Model::own(const Expr& expr, const std::string& where) const {
  if (!expr.is_number() && expr.graph() != graph_.get() && !graph_->extends(*expr.graph()))
    throw UsageError(fmt::format("{}: an expression of another model", where));
  if (expr.is_number() && !std::isfinite(expr.value()))
    throw UsageError(fmt::format("{}: {} is not a finite number", where, expr.value()));
  return {*graph_, expr.in(*graph_)};
}

// The same for a value that must be known before the simulation starts.
Expr Model::own_value(const Expr& expr, const std::string& where) const {
  const Expr value = own(expr, where);
  if (!graph_->is_constant(value.id()) && !is_fixed_before_start(contents(*graph_, value.id())))
    throw UsageError(
        fmt::format("{}: {} depends on more than parameters", where, quoted(to_string(value))));
  return value;
}

Leaf Model::leaf_of(const Expr& expr, const std::string& where) const {
  const Expr variable = own(expr, where);
  if (graph_->op(variable.id()) != Op::kVariable)
    throw UsageError(fmt::format("{}: {} is not a variable or a derivative of one", where,
                                 quoted(to_string(variable))));
  return graph_->leaf_of(variable.id());
}

// --- variables and parameters
// ---------------------------------------------------------------------

Expr Model::time() { return {*graph_, graph_->time()}; }

Expr Model::variable(std::string name) {
  Variable variable;
  variable.name = std::move(name);
  return this->variable(std::move(variable));
}

Expr Model::variable(Variable variable) {
  check_new_name(variable.name, "variable");
  own_starts(variable);
  for (auto* attribute : {&variable.min, &variable.max, &variable.nominal})
    if (*attribute && !((*attribute)->is_number() && !std::isnan((*attribute)->value())))
      *attribute = own_value(**attribute, "attribute of " + quoted(variable.name));
  const VarId id(variables_.size());
  if (variable.kind != VariableKind::kReal) graph_->hold_between_events(id);
  variables_.push_back(std::move(variable));
  add_name({Named::Kind::kVariable, id.index()});
  return {*graph_, graph_->variable(id)};
}

void Model::own_starts(Variable& variable) const {
  std::vector<int> orders;
  for (StartValue& start : variable.starts) {
    const std::string where = "start value of " + quoted(variable.name);
    if (start.order < 0)
      throw UsageError(fmt::format("{}: order {} is negative", where, start.order));
    if (std::count(orders.begin(), orders.end(), start.order) > 0)
      throw UsageError(fmt::format("{}: order {} is given twice", where, start.order));
    orders.push_back(start.order);
    start.value = own_value(start.value, where);
  }
  for (EqualStart& start : variable.equal_starts)
    start.value = own_value(start.value, "start value of " + quoted(start.name));
}

std::vector<Expr> Model::variables(const std::string& name, int count) {
  std::vector<Expr> all;
  if (count > 0) variables_.reserve(variables_.size() + static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) all.push_back(variable(fmt::format("{}[{}]", name, i)));
  return all;
}

Expr Model::input(std::string name, const Expr& start) {
  Variable variable;
  variable.name = std::move(name);
  variable.starts.push_back({0, start, false});
  return input(std::move(variable));
}

Expr Model::input(Variable variable) {
  Equation equation;
  equation.input = variable.name;
  equation.name = "input " + variable.name;
  equation.source = variable.source;
  const auto start = std::find_if(variable.starts.begin(), variable.starts.end(),
                                  [](const StartValue& given) { return given.order == 0; });
  equation.rhs = start == variable.starts.end() ? Expr(0.0) : start->value;
  equation.lhs = this->variable(std::move(variable));
  this->equation(equation);
  return equation.lhs;
}

void Model::output(std::string name) {
  if (!find_variable(name) && find_alias(name) == nullptr)
    throw UsageError(fmt::format("output {}: the model has no such variable", quoted(name)));
  outputs_.push_back(std::move(name));
}

VarId Model::variable_of(const ModelInput& input) const {
  if (const auto variable = find_variable(input.name)) return *variable;
  return find_alias(input.name)->target;
}

void Model::drive(const ModelInput& input, const Expr& value) {
  equations_[input.equation].rhs = own(value, "input " + quoted(input.name));
}

Expr Model::parameter(std::string name, double value) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.value = value;
  return this->parameter(std::move(parameter));
}

Expr Model::parameter(std::string name, const Expr& binding) {
  if (binding.is_number()) return parameter(std::move(name), binding.value());
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.binding = binding;
  return this->parameter(std::move(parameter));
}

Expr Model::parameter(Parameter parameter) {
  check_new_name(parameter.name, "parameter");
  if (std::isnan(parameter.value))
    throw UsageError(
        fmt::format("parameter {}: the value is not a number", quoted(parameter.name)));
  if (parameter.binding)
    parameter.binding = own_value(*parameter.binding, "parameter " + quoted(parameter.name));
  const ParamId id = parameters_.push_back(std::move(parameter));
  add_name({Named::Kind::kParameter, id.index()});
  return {*graph_, graph_->parameter(id)};
}

void Model::bind(const Expr& parameter, const Expr& binding) {
  const NodeId id = own(parameter, "bind").id();
  if (graph_->op(id) != Op::kParameter)
    throw UsageError(fmt::format("bind: {} is not a parameter", quoted(to_string(parameter))));
  Parameter& bound = parameters_[graph_->node(id).parameter];
  bound.binding = own_value(binding, "parameter " + quoted(bound.name));
}

void Model::set_parameter(ParamId parameter, double value) {
  if (parameter.index() >= parameters_.size())
    throw UsageError("set_parameter: the model has no such parameter");
  Parameter& target = parameters_[parameter];
  if (target.is_structural)
    throw UsageError(
        fmt::format("parameter {} cannot be set: its value shaped the model", quoted(target.name)));
  if (target.binding && !graph_->is_constant(target.binding->in(*graph_)))
    throw UsageError(fmt::format("parameter {} cannot be set: it is bound to {}",
                                 quoted(target.name), quoted(to_string(*target.binding))));
  if (std::isnan(value))
    throw UsageError(fmt::format("parameter {}: the value is not a number", quoted(target.name)));
  target.binding.reset();
  target.value = value;
}

void Model::alias(Alias alias) {
  check_new_name(alias.name, "alias");
  if (alias.target.index() >= variables_.size())
    throw UsageError(fmt::format("alias {}: the model has no such variable", quoted(alias.name)));
  if (alias.factor != 1 && alias.factor != -1)
    throw UsageError(fmt::format("alias {}: the factor must be 1 or -1, not {}", quoted(alias.name),
                                 alias.factor));
  aliases_.push_back(std::move(alias));
  add_name({Named::Kind::kAlias, static_cast<std::uint32_t>(aliases_.size() - 1)});
}

// --- attributes
// -----------------------------------------------------------------------------------

void Model::start(const Expr& variable, const Expr& value) { set_start(variable, value, false); }
void Model::fix(const Expr& variable, const Expr& value) { set_start(variable, value, true); }

void Model::set_start(const Expr& variable, const Expr& value, bool fixed) {
  const Leaf leaf = leaf_of(variable, "start value");
  Variable& target = variables_[leaf.variable];
  const auto where = [&] {
    return "start value of " + quoted(variable_name(leaf.variable, leaf.order));
  };
  // A plain number is the common case; the text is made only where it is needed.
  const bool is_plain = value.is_number() && std::isfinite(value.value());
  const Expr given = is_plain ? Expr(*graph_, value.in(*graph_)) : own_value(value, where());
  for (StartValue& start : target.starts) {
    if (start.order != leaf.order) continue;
    start.value = given;
    start.fixed = fixed;
    return;
  }
  target.starts.push_back({leaf.order, given, fixed});
}

void Model::bounds(const Expr& variable, double min, double max) {
  const Leaf leaf = leaf_of(variable, "bounds");
  Variable& target = variables_[leaf.variable];
  if (leaf.order > 0)
    throw UsageError(fmt::format("bounds of {}: only a variable itself has bounds",
                                 quoted(variable_name(leaf.variable, leaf.order))));
  if (!(min <= max))
    throw UsageError(fmt::format("bounds of {}: {} to {} is empty", quoted(target.name), min, max));
  target.min = min;
  target.max = max;
}

void Model::free_at_events(const Expr& variable) {
  variables_[leaf_of(variable, "free at events").variable].is_free_at_events = true;
}

void Model::nominal(const Expr& variable, double value) {
  const Leaf leaf = leaf_of(variable, "nominal value");
  Variable& target = variables_[leaf.variable];
  if (leaf.order > 0)
    throw UsageError(fmt::format("nominal value of {}: only a variable itself has one",
                                 quoted(variable_name(leaf.variable, leaf.order))));
  if (!std::isfinite(value) || value == 0)
    throw UsageError(fmt::format("nominal value of {}: {} is not a finite number other than 0",
                                 quoted(target.name), value));
  target.nominal = value;
}

// --- equations
// ------------------------------------------------------------------------------------

void Model::own_sides(Equation& equation) const {
  if (equation.lhs.is_number() && equation.rhs.is_number())
    throw UsageError(fmt::format("equation {}: {} == {} contains no variable or parameter",
                                 quoted(equation.name), equation.lhs.value(),
                                 equation.rhs.value()));
  const bool is_own = equation.lhs.graph() == graph_.get() && equation.rhs.graph() == graph_.get();
  if (is_own) return;
  const std::string where = "equation " + quoted(equation.name);
  equation.lhs = own(equation.lhs, where);
  equation.rhs = own(equation.rhs, where);
}

EqId Model::equation(const Equality& equality, std::string name) {
  Equation equation;
  equation.name = std::move(name);
  equation.lhs = equality.lhs;
  equation.rhs = equality.rhs;
  return this->equation(std::move(equation));
}

EqId Model::equation(const Expr& residual, std::string name) {
  return equation(residual == 0, std::move(name));
}

EqId Model::equation(Equation equation) {
  if (equation.name.empty()) equation.name = fmt::format("f{}", equations_.size() + 1);
  own_sides(equation);
  const EqId id(equations_.size());
  if (!equation.input.empty()) inputs_.push_back({equation.input, id});
  return equations_.push_back(std::move(equation));
}

void Model::imply(const std::vector<EqId>& equations) {
  IdVector<EqId, Equation> others;
  inputs_.clear();
  for (EqId eq : ids<EqId>(equations_.size())) {
    const bool is_implied = std::find(equations.begin(), equations.end(), eq) != equations.end();
    if (is_implied) {
      implied_equations_.push_back(std::move(equations_[eq]));
      continue;
    }
    if (!equations_[eq].input.empty())
      inputs_.push_back({equations_[eq].input, EqId(others.size())});
    others.push_back(std::move(equations_[eq]));
  }
  equations_ = std::move(others);
}

void Model::initial_equation(const Equality& equality, std::string name) {
  Equation equation;
  equation.name = std::move(name);
  equation.lhs = equality.lhs;
  equation.rhs = equality.rhs;
  initial_equation(std::move(equation));
}

void Model::initial_equation(Equation equation) {
  if (equation.name.empty())
    equation.name = fmt::format("initial{}", initial_equations_.size() + 1);
  own_sides(equation);
  initial_equations_.push_back(std::move(equation));
}

// --- events
// ---------------------------------------------------------------------------------------

void Model::own_action(WhenAction& action) const {
  using Kind = WhenAction::Kind;
  const std::string where = fmt::format("when-clause {}", when_clauses_.size() + 1);
  if (action.kind == Kind::kAssign || action.kind == Kind::kReinit || action.kind == Kind::kImpulse)
    leaf_of(action.target, where);
  if (action.kind == Kind::kAssign &&
      variables_[leaf_of(action.target, where).variable].kind == VariableKind::kReal)
    throw UsageError(fmt::format("{}: {} is continuous and cannot be assigned; use reinit", where,
                                 quoted(to_string(action.target))));
  action.target = own(action.target, where);
  action.value = own(action.value, where);
}

void Model::when(WhenClause clause) {
  const std::string where = fmt::format("when-clause {}", when_clauses_.size() + 1);
  if (clause.branches.empty()) throw UsageError(where + " has no branch");
  for (WhenBranch& branch : clause.branches) {
    if (branch.conditions.empty()) throw UsageError(where + " has a branch without a condition");
    for (Expr& condition : branch.conditions) condition = own(condition, where);
    for (WhenAction& action : branch.actions) own_action(action);
  }
  when_clauses_.push_back(std::move(clause));
}

void Model::assertion(Assertion assertion) {
  assertion.condition =
      own(assertion.condition, fmt::format("assertion {}", assertions_.size() + 1));
  assertions_.push_back(std::move(assertion));
}

void Model::path_constraint(PathConstraint constraint) {
  if (constraint.name.empty()) constraint.name = fmt::format("h{}", path_constraints_.size() + 1);
  const std::string where = "path constraint " + quoted(constraint.name);
  constraint.lhs = own(constraint.lhs, where);
  constraint.rhs = own(constraint.rhs, where);
  path_constraints_.push_back(std::move(constraint));
}

// --- functions
// ------------------------------------------------------------------------------------

FunctionId Model::function(Function function) {
  if (function.name.empty()) throw UsageError("a function must have a name");
  if (!function.evaluate)
    throw UsageError(fmt::format("function {} has no code", quoted(function.name)));
  if (function.num_inputs < 0 || function.num_outputs < 1)
    throw UsageError(fmt::format("function {}: {} inputs and {} outputs are not possible",
                                 quoted(function.name), function.num_inputs, function.num_outputs));
  return functions_.push_back(std::move(function));
}

Expr Model::call(FunctionId function, std::span<const Expr> arguments, int output) {
  if (function.index() >= functions_.size())
    throw UsageError("call: the model has no such function");
  const Function& target = functions_[function];
  if (arguments.size() != static_cast<std::size_t>(target.num_inputs))
    throw UsageError(fmt::format("function {} takes {} arguments, not {}", quoted(target.name),
                                 target.num_inputs, arguments.size()));
  if (output < 0 || output >= target.num_outputs)
    throw UsageError(fmt::format("function {} has no output {}: outputs are 0 to {}",
                                 quoted(target.name), output, target.num_outputs - 1));
  std::vector<NodeId> ids;
  for (const Expr& argument : arguments)
    ids.push_back(own(argument, "argument of " + quoted(target.name)).id());
  return {*graph_, graph_->call(function, output, ids)};
}

// --- reading
// --------------------------------------------------------------------------------------

NodeId Model::residual(EqId equation) const {
  const Equation& sides = equations_[equation];
  return graph_->binary(Op::kSub, sides.lhs.id(), sides.rhs.id());
}

Names Model::names() const {
  return {[this](VarId id) { return variables_[id].name; },
          [this](ParamId id) {  // behind them: numbers that change at events
            return id.index() < parameters_.size() ? parameters_[id].name
                                                   : fmt::format("number {}", id.index());
          },
          [this](FunctionId id) { return functions_[id].name; }};
}

std::string Model::to_string(const Expr& expr) const {
  constexpr std::size_t kLongestText = 10'000;
  if (expr.is_boolean_number()) return expr.value() != 0 ? "true" : "false";
  if (expr.is_number()) return number_to_string(expr.value());
  return hydae::to_string(*graph_, own(expr, "to_string").id(), names(), kLongestText);
}

std::string Model::variable_name(VarId variable, int order) const {
  const std::string& name = variables_[variable].name;
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

}  // namespace hydae
