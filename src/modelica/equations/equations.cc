#include "modelica/equations/equations.h"

#include <fmt/format.h>

#include "modelica/equations/connect_clauses.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

// ---- sections ----

void Equations::stamp(Instance& part) {
  const syntax::LongClass* definition = part.def->long_class();
  if (definition == nullptr) return;
  for (const syntax::Section& section : definition->sections) {
    Sink sink;
    sink.is_initial = section.kind == syntax::SectionKind::kInitialEquation;
    const bool is_equations = section.kind == syntax::SectionKind::kEquation || sink.is_initial;
    std::optional<Guard> at_start;
    if (sink.is_initial || section.kind == syntax::SectionKind::kInitialAlgorithm)
      at_start.emplace(session_, session_.graph->leaf(Op::kInitial));
    if (is_equations) {
      Env env{&part};
      env.is_continuous = !sink.is_initial;
      stamp_list(section.equations, env, sink);
      auto& target = sink.is_initial ? session_.flat->initial_equations : session_.flat->equations;
      target.insert(target.end(), sink.equations.begin(), sink.equations.end());
      auto& assertions = session_.flat->assertions;
      if (sink.is_initial)
        for (FlatAssertion& assertion : sink.assertions)
          assertion.condition = at_start_only(assertion.condition);
      assertions.insert(assertions.end(), sink.assertions.begin(), sink.assertions.end());
    } else if (!section.statements.empty()) {
      algorithms_.stamp(section, part);
    }
  }
}

// What an initial section asserts concerns the start.
NodeId Equations::at_start_only(NodeId condition) {
  Graph& graph = *session_.graph;
  return graph.binary(Op::kOr, graph.unary(Op::kNot, graph.leaf(Op::kInitial)), condition);
}

void Equations::stamp_list(const EquationList& equations, const Env& env, Sink& sink) {
  for (const syntax::Equation* equation : equations)
    session_.attempt(equation->range, [&] {
      session_.check_stack(equation->range);
      stamp_one(*equation, env, sink);
    });
}

void Equations::stamp_one(const syntax::Equation& equation, const Env& env, Sink& sink) {
  using syntax::EquationKind;
  switch (equation.kind) {
    case EquationKind::kEqual:
      return stamp_equal(syntax::as<syntax::EqualEquation>(equation), env, sink);
    case EquationKind::kIf: return stamp_if(syntax::as<syntax::IfEquation>(equation), env, sink);
    case EquationKind::kFor: {
      const auto& loop = syntax::as<syntax::ForEquation>(equation);
      return for_each_turn(session_, loop, env,
                           [&](const Env& inner) { stamp_list(loop.body, inner, sink); });
    }
    case EquationKind::kWhen:
      if (sink.is_initial)
        session_.fail("misplaced-when", "`when` cannot stand in an initial equation",
                      equation.range);
      if (!sink.allows_when)
        session_.unsupported("when-equations under a changing condition are", equation.range);
      return whens_.stamp(syntax::as<syntax::WhenEquation>(equation), env);
    case EquationKind::kConnect: return;  // see connect_clauses.h
    case EquationKind::kCall:
      return stamp_call(syntax::as<syntax::CallEquation>(equation), env, sink);
  }
}

void Equations::stamp_equal(const syntax::EqualEquation& equation, const Env& env, Sink& sink) {
  const Value lhs = side_of(session_, *equation.left, env);
  const Value rhs = side_of(session_, *equation.right, env);
  add_equality(session_, lhs, rhs, {env.scope->whole, equation.range}, sink.equations);
}

// ---- if ----

void Equations::stamp_if(const syntax::IfEquation& equation, const Env& env, Sink& sink) {
  stamp_branches(equation, 0, env, sink);
}

void Equations::stamp_branches(const syntax::IfEquation& equation, std::size_t branch,
                               const Env& env, Sink& sink) {
  if (branch == equation.branches.size()) return;
  const auto& at = equation.branches[branch];
  if (at.condition == nullptr) return stamp_list(at.body, env, sink);
  NodeId condition =
      session_.evaluator->scalar(*at.condition, env, BaseType::kBoolean, "the condition");
  // A parameter condition chooses the equations once and for all (8.3.4). In initial equations too.
  if (session_.folding->is_parameter_expression(condition))
    condition = session_.folding->fold(condition, at.condition->range, "the condition");
  if (session_.graph->is_constant(condition)) {
    if (session_.graph->constant_value(condition) != 0) return stamp_list(at.body, env, sink);
    return stamp_branches(equation, branch + 1, env, sink);
  }
  Choice choice{condition, {}, {}};
  for (Sink* of : {&choice.then_sink, &choice.else_sink}) {
    of->is_initial = sink.is_initial;
    of->allows_when = false;
  }
  {
    const Guard guard(session_, condition);
    stamp_list(at.body, env, choice.then_sink);
  }
  {
    const Guard guard(session_, session_.graph->unary(Op::kNot, condition));
    stamp_branches(equation, branch + 1, env, choice.else_sink);
  }
  join(choice, equation, env, sink);
}

// The k-th equations of both branches become one that switches: their structure may differ.
void Equations::join(Choice& choice, const syntax::IfEquation& equation, const Env& env,
                     Sink& sink) {
  auto& [condition, then_sink, else_sink] = choice;
  Graph& graph = *session_.graph;
  const std::size_t count = then_sink.equations.size();
  if (count != else_sink.equations.size()) {
    session_.fail("unequal-branches",
                  fmt::format("branches have {} and {} equations; the condition is not a parameter "
                              "expression",
                              count, else_sink.equations.size()),
                  equation.range);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const FlatEquation& a = then_sink.equations[i];
    const FlatEquation& b = else_sink.equations[i];
    FlatEquation joined{a.lhs, {}, env.scope->whole, equation.range};
    if (a.lhs == b.lhs) {
      joined.rhs = graph.select(condition, a.rhs, b.rhs);
    } else {
      joined.lhs = graph.constant(0);
      joined.rhs = graph.select(condition, graph.binary(Op::kSub, a.lhs, a.rhs),
                                graph.binary(Op::kSub, b.lhs, b.rhs));
    }
    sink.equations.push_back(joined);
  }
  for (FlatAssertion& assertion : then_sink.assertions) {
    assertion.condition =
        graph.binary(Op::kOr, graph.unary(Op::kNot, condition), assertion.condition);
    sink.assertions.push_back(std::move(assertion));
  }
  for (FlatAssertion& assertion : else_sink.assertions) {
    assertion.condition = graph.binary(Op::kOr, condition, assertion.condition);
    sink.assertions.push_back(std::move(assertion));
  }
}

// ---- calls ----

void Equations::stamp_call(const syntax::CallEquation& equation, const Env& env, Sink& sink) {
  const syntax::CallExpr& call = *equation.call;
  const auto& parts = call.function->parts;
  const std::string name = session_.text(parts.front().name.symbol);
  if (parts.size() == 1 && name == "assert") {
    const FlatAssertion made = read_assertion(session_, call, env);
    if (!session_.graph->is_constant(made.condition, 1)) sink.assertions.push_back(made);
    return;
  }
  if (parts.size() == 1 && name == "terminate" && !sink.is_initial && session_.guard.is_valid())
    return terminate_where(session_.guard, call, env);
  if (parts.size() == 1 && (name == "reinit" || name == "terminate" || name == "impulse"))
    session_.fail("misplaced-call", fmt::format("`{}` can only stand in a when-equation", name),
                  call.range);
  if (parts.size() == 1 && name == "contact") return contacts_.stamp(call, env, sink);
  if (is_graph_call(session_, call)) return;  // see connect_clauses.h
  // Any other function is called for its checks; it has no result.
  session_.evaluator->evaluate(call, env);
}

// In an if-equation: the run ends when its condition becomes true (8.3.8).
void Equations::terminate_where(NodeId condition, const syntax::CallExpr& call, const Env& env) {
  FlatWhen when;
  when.instance = env.scope->whole;
  when.source = call.range;
  FlatWhenBranch& branch = when.branches.emplace_back();
  branch.conditions = {condition};
  branch.actions = whens_.call_actions(call, env);
  session_.flat->whens.push_back(std::move(when));
}

}  // namespace hydae::modelica
