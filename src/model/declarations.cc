#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/declarations.h>
#include <hydae/error.h>

#include "model/ownership.h"

namespace hydae {
namespace {

void check_new_name(const ModelContent& model, const NameTable& names, const std::string& name,
                    const char* what) {
  if (name.empty()) throw UsageError(fmt::format("a {} must have a name", what));
  const std::optional<NameTable::Named> known = names.find(model, name);
  if (!known) return;
  constexpr const char* kKinds[] = {"a variable", "a parameter", "an alias"};
  throw UsageError(fmt::format("{} {}: there is {} of this name", what, quoted(name),
                               kKinds[static_cast<int>(known->kind)]));
}

void own_starts(const ModelContent& model, Variable& variable) {
  std::vector<int> orders;
  for (StartValue& start : variable.starts) {
    const std::string where = "start value of " + quoted(variable.name);
    if (start.order < 0)
      throw UsageError(fmt::format("{}: order {} is negative", where, start.order));
    if (std::count(orders.begin(), orders.end(), start.order) > 0)
      throw UsageError(fmt::format("{}: order {} is given twice", where, start.order));
    orders.push_back(start.order);
    start.value = own_value(model, start.value, where);
  }
  for (EqualStart& start : variable.equal_starts)
    start.value = own_value(model, start.value, "start value of " + quoted(start.name));
}

}  // namespace

Expr Declarations::time() { return {*graph_, graph_->time()}; }

Expr Declarations::variable(std::string name) {
  Variable variable;
  variable.name = std::move(name);
  return this->variable(std::move(variable));
}

Expr Declarations::variable(Variable variable) {
  check_new_name(*this, names_, variable.name, "variable");
  own_starts(*this, variable);
  for (auto* attribute : {&variable.min, &variable.max, &variable.nominal})
    if (*attribute && !((*attribute)->is_number() && !std::isnan((*attribute)->value())))
      *attribute = own_value(*this, **attribute, "attribute of " + quoted(variable.name));
  const VarId id(variables_.size());
  if (variable.kind != VariableKind::kReal) graph_->hold_between_events(id);
  variables_.push_back(std::move(variable));
  names_.add(*this, {NameTable::Named::Kind::kVariable, id.index()});
  return {*graph_, graph_->variable(id)};
}

std::vector<Expr> Declarations::variables(const std::string& name, int count) {
  std::vector<Expr> all;
  if (count > 0) variables_.reserve(variables_.size() + static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) all.push_back(variable(fmt::format("{}[{}]", name, i)));
  return all;
}

void Declarations::output(std::string name) {
  if (!find_variable(name) && find_alias(name) == nullptr)
    throw UsageError(fmt::format("output {}: the model has no such variable", quoted(name)));
  outputs_.push_back(std::move(name));
}

Expr Declarations::parameter(std::string name, double value) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.value = value;
  return this->parameter(std::move(parameter));
}

Expr Declarations::parameter(std::string name, const Expr& binding) {
  if (binding.is_number()) return parameter(std::move(name), binding.value());
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.binding = binding;
  return this->parameter(std::move(parameter));
}

Expr Declarations::parameter(Parameter parameter) {
  check_new_name(*this, names_, parameter.name, "parameter");
  if (std::isnan(parameter.value))
    throw UsageError(
        fmt::format("parameter {}: the value is not a number", quoted(parameter.name)));
  if (parameter.binding)
    parameter.binding = own_value(*this, *parameter.binding, "parameter " + quoted(parameter.name));
  const ParamId id = parameters_.push_back(std::move(parameter));
  names_.add(*this, {NameTable::Named::Kind::kParameter, id.index()});
  return {*graph_, graph_->parameter(id)};
}

void Declarations::bind(const Expr& parameter, const Expr& binding) {
  const NodeId id = own(*this, parameter, "bind").id();
  if (graph_->op(id) != Op::kParameter)
    throw UsageError(fmt::format("bind: {} is not a parameter", quoted(to_string(parameter))));
  Parameter& bound = parameters_[graph_->node(id).parameter];
  bound.binding = own_value(*this, binding, "parameter " + quoted(bound.name));
}

void Declarations::set_parameter(ParamId parameter, double value) {
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

void Declarations::alias(Alias alias) {
  check_new_name(*this, names_, alias.name, "alias");
  if (alias.target.index() >= variables_.size())
    throw UsageError(fmt::format("alias {}: the model has no such variable", quoted(alias.name)));
  if (alias.factor != 1 && alias.factor != -1)
    throw UsageError(fmt::format("alias {}: the factor must be 1 or -1, not {}", quoted(alias.name),
                                 alias.factor));
  aliases_.push_back(std::move(alias));
  names_.add(*this,
             {NameTable::Named::Kind::kAlias, static_cast<std::uint32_t>(aliases_.size() - 1)});
}

void Declarations::start(const Expr& variable, const Expr& value) {
  set_start(variable, value, false);
}
void Declarations::fix(const Expr& variable, const Expr& value) {
  set_start(variable, value, true);
}

void Declarations::set_start(const Expr& variable, const Expr& value, bool fixed) {
  const Leaf leaf = leaf_of(*this, variable, "start value");
  Variable& target = variables_[leaf.variable];
  const auto where = [&] {
    return "start value of " + quoted(variable_name(leaf.variable, leaf.order));
  };
  // A plain number is the common case; the text is made only where it is needed.
  const bool is_plain = value.is_number() && std::isfinite(value.value());
  const Expr given = is_plain ? Expr(*graph_, value.in(*graph_)) : own_value(*this, value, where());
  for (StartValue& start : target.starts) {
    if (start.order != leaf.order) continue;
    start.value = given;
    start.fixed = fixed;
    return;
  }
  target.starts.push_back({leaf.order, given, fixed});
}

void Declarations::bounds(const Expr& variable, double min, double max) {
  const Leaf leaf = leaf_of(*this, variable, "bounds");
  Variable& target = variables_[leaf.variable];
  if (leaf.order > 0)
    throw UsageError(fmt::format("bounds of {}: only a variable itself has bounds",
                                 quoted(variable_name(leaf.variable, leaf.order))));
  if (!(min <= max))
    throw UsageError(fmt::format("bounds of {}: {} to {} is empty", quoted(target.name), min, max));
  target.min = min;
  target.max = max;
}

void Declarations::free_at_events(const Expr& variable) {
  variables_[leaf_of(*this, variable, "free at events").variable].is_free_at_events = true;
}

void Declarations::nominal(const Expr& variable, double value) {
  const Leaf leaf = leaf_of(*this, variable, "nominal value");
  Variable& target = variables_[leaf.variable];
  if (leaf.order > 0)
    throw UsageError(fmt::format("nominal value of {}: only a variable itself has one",
                                 quoted(variable_name(leaf.variable, leaf.order))));
  if (!std::isfinite(value) || value == 0)
    throw UsageError(fmt::format("nominal value of {}: {} is not a finite number other than 0",
                                 quoted(target.name), value));
  target.nominal = value;
}

}  // namespace hydae
