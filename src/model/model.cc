#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/model.h>

#include "model/ownership.h"

namespace hydae {
namespace {

void own_sides(const ModelContent& model, Equation& equation) {
  if (equation.lhs.is_number() && equation.rhs.is_number())
    throw UsageError(fmt::format("equation {}: {} == {} contains no variable or parameter",
                                 quoted(equation.name), equation.lhs.value(),
                                 equation.rhs.value()));
  const bool is_own =
      equation.lhs.graph() == &model.graph() && equation.rhs.graph() == &model.graph();
  if (is_own) return;
  const std::string where = "equation " + quoted(equation.name);
  equation.lhs = own(model, equation.lhs, where);
  equation.rhs = own(model, equation.rhs, where);
}

void own_action(const ModelContent& model, WhenAction& action) {
  using Kind = WhenAction::Kind;
  const std::string where = fmt::format("when-clause {}", model.when_clauses().size() + 1);
  if (action.kind == Kind::kAssign || action.kind == Kind::kReinit || action.kind == Kind::kImpulse)
    leaf_of(model, action.target, where);
  if (action.kind == Kind::kAssign &&
      model.all_variables()[leaf_of(model, action.target, where).variable].kind ==
          VariableKind::kReal)
    throw UsageError(fmt::format("{}: {} is continuous and cannot be assigned; use reinit", where,
                                 quoted(model.to_string(action.target))));
  action.target = own(model, action.target, where);
  action.value = own(model, action.value, where);
}

}  // namespace

Model::Model(std::string name) : Declarations(std::move(name)) {}

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

void Model::drive(const ModelInput& input, const Expr& value) {
  equations_[input.equation].rhs = own(*this, value, "input " + quoted(input.name));
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
  own_sides(*this, equation);
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
  own_sides(*this, equation);
  initial_equations_.push_back(std::move(equation));
}

void Model::when(WhenClause clause) {
  const std::string where = fmt::format("when-clause {}", when_clauses_.size() + 1);
  if (clause.branches.empty()) throw UsageError(where + " has no branch");
  for (WhenBranch& branch : clause.branches) {
    if (branch.conditions.empty()) throw UsageError(where + " has a branch without a condition");
    for (Expr& condition : branch.conditions) condition = own(*this, condition, where);
    for (WhenAction& action : branch.actions) own_action(*this, action);
  }
  when_clauses_.push_back(std::move(clause));
}

void Model::assertion(Assertion assertion) {
  assertion.condition =
      own(*this, assertion.condition, fmt::format("assertion {}", assertions_.size() + 1));
  assertions_.push_back(std::move(assertion));
}

void Model::path_constraint(PathConstraint constraint) {
  if (constraint.name.empty()) constraint.name = fmt::format("h{}", path_constraints_.size() + 1);
  const std::string where = "path constraint " + quoted(constraint.name);
  constraint.lhs = own(*this, constraint.lhs, where);
  constraint.rhs = own(*this, constraint.rhs, where);
  path_constraints_.push_back(std::move(constraint));
}

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
    ids.push_back(own(*this, argument, "argument of " + quoted(target.name)).id());
  return {*graph_, graph_->call(function, output, ids)};
}

NodeId Model::residual(EqId equation) const {
  const Equation& sides = equations_[equation];
  return graph_->binary(Op::kSub, sides.lhs.id(), sides.rhs.id());
}

}  // namespace hydae
