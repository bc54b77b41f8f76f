#include "problems/notation.h"

#include <cmath>

#include "expr/derivative.h"

namespace hydae::problems {

Numbered::Numbered(Model& model, const std::string& name, int count) {
  for (int i = 1; i <= count; ++i) items_.push_back(model.variable(name + std::to_string(i)));
}

Expr partial(const Expr& f, const Expr& variable) {
  if (f.graph() == nullptr) return 0;
  Graph& graph = *f.graph();
  return {graph, hydae::partial(graph, f.id(), graph.node(variable.id()).variable, 0)};
}

std::vector<ReferenceValue> absolute(double accuracy, const std::vector<NamedValue>& values) {
  std::vector<ReferenceValue> result;
  for (const NamedValue& v : values) result.push_back({v.variable, v.order, v.value, accuracy});
  return result;
}

std::vector<ReferenceValue> relative(double accuracy, const std::vector<NamedValue>& values) {
  std::vector<ReferenceValue> result = absolute(accuracy, values);
  for (ReferenceValue& v : result) v.accuracy *= std::abs(v.value);
  return result;
}

std::vector<ReferenceValue> relative(double accuracy, const std::string& name,
                                     std::initializer_list<double> values) {
  std::vector<NamedValue> named;
  for (double value : values) named.push_back({name + std::to_string(named.size() + 1), value});
  return relative(accuracy, named);
}

WhenClause when(std::vector<Expr> conditions, std::vector<WhenAction> actions) {
  WhenClause clause;
  clause.branches.push_back({std::move(conditions), std::move(actions)});
  return clause;
}

namespace {

WhenAction action(WhenAction::Kind kind, const Expr& target, const Expr& value) {
  WhenAction result;
  result.kind = kind;
  result.target = target;
  result.value = value;
  return result;
}

Expr held_variable(Model& model, const std::string& name, VariableKind kind, const Expr& value) {
  Variable variable;
  variable.name = name;
  variable.kind = kind;
  const Expr result = model.variable(std::move(variable));
  model.fix(result, value);
  return result;
}

}  // namespace

WhenAction assign(const Expr& target, const Expr& value) {
  return action(WhenAction::Kind::kAssign, target, value);
}

WhenAction reinit(const Expr& target, const Expr& value) {
  return action(WhenAction::Kind::kReinit, target, value);
}

WhenAction impact_law(const Equality& equality) {
  return action(WhenAction::Kind::kEquation, equality.lhs, equality.rhs);
}

WhenAction impulse(const Expr& target) { return action(WhenAction::Kind::kImpulse, target, 0); }

Expr boolean(Model& model, const std::string& name, bool value) {
  return held_variable(model, name, VariableKind::kBoolean, value);
}

Expr integer(Model& model, const std::string& name, int value) {
  return held_variable(model, name, VariableKind::kInteger, value);
}

Expr discrete(Model& model, const std::string& name, double value) {
  return held_variable(model, name, VariableKind::kDiscrete, value);
}

}  // namespace hydae::problems
