#include <hydae/events.h>

namespace hydae {
namespace {

WhenAction make_action(WhenAction::Kind kind, const Expr& target, const Expr& value = 0) {
  WhenAction action;
  action.kind = kind;
  action.target = target;
  action.value = value;
  return action;
}

Expr held_variable(Model& model, const std::string& name, VariableKind kind, double value) {
  Variable variable;
  variable.name = name;
  variable.kind = kind;
  const Expr result = model.variable(std::move(variable));
  model.fix(result, kind == VariableKind::kBoolean ? Expr(value != 0) : Expr(value));
  return result;
}

}  // namespace

WhenClause when(std::vector<Expr> conditions, std::vector<WhenAction> actions) {
  WhenClause clause;
  clause.branches.push_back({std::move(conditions), std::move(actions)});
  return clause;
}

WhenAction assign(const Expr& target, const Expr& value) {
  return make_action(WhenAction::Kind::kAssign, target, value);
}

WhenAction reinit(const Expr& target, const Expr& value) {
  return make_action(WhenAction::Kind::kReinit, target, value);
}

WhenAction impact_law(const Equality& equality) {
  return make_action(WhenAction::Kind::kEquation, equality.lhs, equality.rhs);
}

WhenAction impulse(const Expr& target) { return make_action(WhenAction::Kind::kImpulse, target); }

WhenAction terminate(std::string message) {
  WhenAction action = make_action(WhenAction::Kind::kTerminate, 0);
  action.message = std::move(message);
  return action;
}

Expr boolean(Model& model, const std::string& name, bool value) {
  return held_variable(model, name, VariableKind::kBoolean, value ? 1 : 0);
}

Expr integer(Model& model, const std::string& name, int value) {
  return held_variable(model, name, VariableKind::kInteger, value);
}

Expr discrete(Model& model, const std::string& name, double value) {
  return held_variable(model, name, VariableKind::kDiscrete, value);
}

}  // namespace hydae
