#include "modelica/equations/when.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "modelica/components/components.h"
#include "modelica/equations/contact.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

std::vector<NodeId> WhenClauses::conditions(const syntax::Expr& expr, const Env& env) {
  const Value value = session_.evaluator->evaluate(expr, env);
  if (value.type != BaseType::kBoolean || value.rank() > 1)
    session_.fail("type-mismatch",
                  fmt::format("the condition of a when is Boolean, not {}", type_text(value)),
                  expr.range);
  if (value.cells.empty()) return {session_.graph->boolean(false)};  // none ever becomes true
  return value.cells;
}

void WhenClauses::mark_discrete(NodeId target, SourceRange range) {
  const Graph& graph = *session_.graph;
  if (graph.op(target) != Op::kVariable || graph.leaf_of(target).order != 0)
    session_.fail("when-target", "a when-equation determines variables: `v = expression`", range);
  session_.flat->variables[graph.leaf_of(target).variable].component->is_discrete = true;
}

bool is_discrete(const Session& session, NodeId side) {
  const Graph& graph = *session.graph;
  if (graph.op(side) != Op::kVariable || graph.leaf_of(side).order != 0) return false;
  const Component* component = session.flat->variables[graph.leaf_of(side).variable].component;
  return component == nullptr || component->base() != BaseType::kReal ||
         component->variability == Variability::kDiscrete;
}

// Whether the body of a when names the carrier of an impulse: then its other equations are an
// impact law, and not assignments.
bool WhenClauses::has_impulse(const EquationList& equations) const {
  std::vector<const syntax::Equation*> pending(equations.begin(), equations.end());
  while (!pending.empty()) {
    const syntax::Equation* equation = pending.back();
    pending.pop_back();
    if (const auto* call = syntax::find<syntax::CallEquation>(equation)) {
      const auto& parts = call->call->function->parts;
      if (parts.size() == 1 && session_.text(parts.front().name.symbol) == "impulse") return true;
    } else if (const auto* loop = syntax::find<syntax::ForEquation>(equation)) {
      pending.insert(pending.end(), loop->body.begin(), loop->body.end());
    }
  }
  return false;
}

void WhenClauses::add_assignments(const Value& lhs, const Value& rhs, SourceRange range,
                                  WhenBody& body) {
  std::vector<FlatEquation> equalities;
  Value value = rhs;
  if (lhs.is_numeric() && rhs.is_numeric()) value.type = lhs.type;
  add_equality(session_, lhs, value, {nullptr, range}, equalities);
  for (const FlatEquation& equality : equalities) {
    FlatAction action;
    action.target = equality.lhs;
    action.value = equality.rhs;
    if (body.has_impulse && !is_discrete(session_, equality.lhs) &&
        !is_discrete(session_, equality.rhs)) {
      action.kind = WhenAction::Kind::kEquation;
      action.source = range;
      body.actions.push_back(std::move(action));
      continue;
    }
    // `expression = v` means the same.
    if (session_.graph->op(action.target) != Op::kVariable) std::swap(action.target, action.value);
    mark_discrete(action.target, range);
    action.source = range;
    body.actions.push_back(std::move(action));
  }
}

// Nothing for a call that is made for its effect only, such as `print`.
std::vector<FlatAction> WhenClauses::call_actions(const syntax::CallExpr& call, const Env& env) {
  if (session_.text(call.function->parts.front().name.symbol) == "reinit")
    return reinit_actions(call, env);
  std::vector<FlatAction> out;
  if (std::optional<FlatAction> action = call_action(call, env)) out.push_back(std::move(*action));
  return out;
}

// One for each element of an array.
std::vector<FlatAction> WhenClauses::reinit_actions(const syntax::CallExpr& call, const Env& env) {
  if (call.arguments.size() != 2)
    session_.fail("argument-count", "`reinit` has two arguments", call.range);
  const Value state = session_.evaluator->evaluate(*call.arguments[0], env);
  const Value value = session_.evaluator->evaluate(*call.arguments[1], env);
  if (state.type != BaseType::kReal || !value.is_numeric() || state.sizes != value.sizes)
    session_.fail("type-mismatch",
                  fmt::format("`reinit` of {} with {}", type_text(state), type_text(value)),
                  call.range);
  std::vector<FlatAction> out;
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    FlatAction& action = out.emplace_back();
    action.kind = WhenAction::Kind::kReinit;
    action.source = call.range;
    action.target = state.cells[i];
    action.value = value.cells[i];
    if (session_.graph->op(action.target) != Op::kVariable)
      session_.fail("reinit-target", "`reinit` needs a variable", call.arguments[0]->range);
  }
  return out;
}

std::optional<FlatAction> WhenClauses::call_action(const syntax::CallExpr& call, const Env& env) {
  const std::string name = session_.text(call.function->parts.front().name.symbol);
  FlatAction action;
  action.source = call.range;
  if (name == "assert") {
    FlatAssertion made = read_assertion(session_, call, env);
    action.kind = WhenAction::Kind::kAssert;
    action.value = made.condition;
    action.message = std::move(made.message);
    action.is_warning = made.is_warning;
  } else if (name == "terminate") {
    if (call.arguments.size() != 1)
      session_.fail("argument-count", "`terminate` has one argument", call.range);
    action.kind = WhenAction::Kind::kTerminate;
    const Value text = session_.evaluator->evaluate(*call.arguments.front(), env);
    action.message = text.message();
  } else if (name == "impulse") {
    const std::size_t count = call.arguments.size();
    if (count != 1 && count != 3)
      session_.fail("argument-count", "`impulse` has one argument, or three for a contact",
                    call.range);
    action.kind = WhenAction::Kind::kImpulse;
    action.target =
        session_.evaluator->scalar(*call.arguments[0], env, BaseType::kReal, "the carrier");
    if (session_.graph->op(action.target) != Op::kVariable || is_discrete(session_, action.target))
      session_.fail("impulse-target", "`impulse` needs a continuous variable",
                    call.arguments[0]->range);
    if (count == 3) {
      action.value =
          session_.evaluator->scalar(*call.arguments[1], env, BaseType::kReal, "the restitution");
      action.message = impulse_law(session_, *call.arguments[2], env);
    }
  } else {
    session_.evaluator->evaluate(call, env);
    return std::nullopt;
  }
  return action;
}

void WhenClauses::stamp_body(const EquationList& equations, const Env& env, WhenBody& body) {
  for (const syntax::Equation* equation : equations)
    session_.attempt(equation->range, [&] { stamp_one(*equation, env, body); });
}

void WhenClauses::stamp_one(const syntax::Equation& equation, const Env& env, WhenBody& body) {
  using syntax::EquationKind;
  switch (equation.kind) {
    case EquationKind::kEqual: {
      const auto& equal = syntax::as<syntax::EqualEquation>(equation);
      const Value lhs = side_of(session_, *equal.left, env);
      const Value rhs = side_of(session_, *equal.right, env);
      return add_assignments(lhs, rhs, equation.range, body);
    }
    case EquationKind::kCall:
      for (FlatAction& action : call_actions(*syntax::as<syntax::CallEquation>(equation).call, env))
        body.actions.push_back(std::move(action));
      return;
    case EquationKind::kIf: return stamp_if(syntax::as<syntax::IfEquation>(equation), 0, env, body);
    case EquationKind::kFor: {
      const auto& loop = syntax::as<syntax::ForEquation>(equation);
      return for_each_turn(session_, loop, env,
                           [&](const Env& inner) { stamp_body(loop.body, inner, body); });
    }
    case EquationKind::kWhen:
      session_.fail("nested-when", "a when-equation cannot stand in another", equation.range);
    case EquationKind::kConnect:
      session_.fail("misplaced-connect", "`connect` cannot stand in a when-equation",
                    equation.range);
  }
}

void WhenClauses::stamp_if(const syntax::IfEquation& equation, std::size_t branch, const Env& env,
                           WhenBody& body) {
  if (branch == equation.branches.size()) return;
  Graph& graph = *session_.graph;
  const auto& at = equation.branches[branch];
  if (at.condition == nullptr) return stamp_body(at.body, env, body);
  const NodeId condition = session_.folding->fold_configuration(
      session_.evaluator->scalar(*at.condition, env, BaseType::kBoolean, "the condition"));
  if (graph.is_constant(condition)) {
    if (graph.constant_value(condition) != 0) return stamp_body(at.body, env, body);
    return stamp_if(equation, branch + 1, env, body);
  }
  WhenBody then_body, else_body;
  stamp_body(at.body, env, then_body);
  stamp_if(equation, branch + 1, env, else_body);
  // What one branch leaves alone keeps its value.
  const auto unchanged = [&](const FlatAction& action) {
    return action.kind == WhenAction::Kind::kReinit
               ? action.target
               : graph.pre(graph.leaf_of(action.target).variable);
  };
  const auto find = [](WhenBody& in, const FlatAction& action) -> FlatAction* {
    for (FlatAction& other : in.actions)
      if (other.kind == action.kind && other.target.is_valid() && other.target == action.target)
        return &other;
    return nullptr;
  };
  for (const WhenBody* inner : {&then_body, &else_body})
    for (const FlatAction& action : inner->actions)
      if (action.kind == WhenAction::Kind::kImpulse || action.kind == WhenAction::Kind::kEquation)
        session_.unsupported("a conditional impact law is", action.source);
  for (FlatAction& action : then_body.actions) {
    if (action.kind == WhenAction::Kind::kTerminate)
      session_.unsupported("conditional `terminate` is", action.source);
    if (action.kind == WhenAction::Kind::kAssert) {
      action.value = graph.binary(Op::kOr, graph.unary(Op::kNot, condition), action.value);
    } else {
      const FlatAction* other = find(else_body, action);
      action.value = graph.select(condition, action.value,
                                  other != nullptr ? other->value : unchanged(action));
    }
    body.actions.push_back(action);
  }
  for (FlatAction& action : else_body.actions) {
    if (action.kind == WhenAction::Kind::kTerminate)
      session_.unsupported("conditional `terminate` is", action.source);
    if (action.kind == WhenAction::Kind::kAssert) {
      action.value = graph.binary(Op::kOr, condition, action.value);
    } else {
      if (find(then_body, action) != nullptr) continue;
      action.value = graph.select(condition, unchanged(action), action.value);
    }
    body.actions.push_back(action);
  }
}

// All branches determine the same variables (8.3.5.3).
void WhenClauses::check_branches(const syntax::WhenEquation& equation, const FlatWhen& when) {
  const auto targets = [](const FlatWhenBranch& branch) {
    std::set<NodeId> out;
    for (const FlatAction& action : branch.actions)
      if (action.kind == WhenAction::Kind::kAssign) out.insert(action.target);
    return out;
  };
  const std::set<NodeId> first = targets(when.branches.front());
  for (std::size_t i = 1; i < when.branches.size(); ++i) {
    const std::set<NodeId> other = targets(when.branches[i]);
    std::vector<NodeId> differing;
    std::set_symmetric_difference(first.begin(), first.end(), other.begin(), other.end(),
                                  std::back_inserter(differing));
    if (differing.empty()) continue;
    const Cell cell = session_.flat->variables[session_.graph->leaf_of(differing.front()).variable];
    session_.error("when-branches-differ",
                   fmt::format("`{}` is determined in one branch of the when only",
                               session_.components->path(*cell.component)),
                   equation.range);
    return;
  }
}

void WhenClauses::stamp(const syntax::WhenEquation& equation, const Env& env) {
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = equation.range;
  for (const auto& branch : equation.branches) {
    FlatWhenBranch& made = when.branches.emplace_back();
    made.conditions = conditions(*branch.condition, env);
    Env inner = env;
    inner.is_silent = true;  // the body is evaluated at the event only
    inner.is_in_when = true;
    inner.is_continuous = false;
    std::vector<FlatAction> checks;
    const EventBody event(session_, checks);
    WhenBody body;
    body.has_impulse = has_impulse(branch.body);
    stamp_body(branch.body, inner, body);
    made.actions = std::move(body.actions);
    made.actions.insert(made.actions.end(), checks.begin(), checks.end());
  }
  check_branches(equation, when);
  session_.flat->whens.push_back(std::move(when));
}

}  // namespace hydae::modelica
