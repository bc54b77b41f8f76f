#include "modelica/equations/connect_clauses.h"

#include "modelica/connections/connections.h"
#include "modelica/equations/equation_parts.h"
#include "modelica/expressions/constant_folding.h"

namespace hydae::modelica {

bool is_graph_call(const Session& session, const syntax::CallExpr& call) {
  const auto& parts = call.function->parts;
  return parts.size() == 2 && parts.front().name.symbol == session.names.connections;
}

namespace {

// Whether equations hold a connect clause or one about the graph of connections; loops and
// conditions around others are not evaluated.
bool has_connects(const Session& session, const EquationList& equations) {
  for (const syntax::Equation* equation : equations) {
    if (equation->kind == syntax::EquationKind::kConnect) return true;
    if (const auto* call = syntax::find<syntax::CallEquation>(equation))
      if (is_graph_call(session, *call->call)) return true;
    if (const auto* loop = syntax::find<syntax::ForEquation>(equation))
      if (has_connects(session, loop->body)) return true;
    if (const auto* choice = syntax::find<syntax::IfEquation>(equation))
      for (const auto& branch : choice->branches)
        if (has_connects(session, branch.body)) return true;
  }
  return false;
}

void find_connects(Session& session, const EquationList& equations, const Env& env);

void find_connects(Session& session, const syntax::Equation& equation, const Env& env) {
  if (const auto* connect = syntax::find<syntax::ConnectEquation>(&equation)) {
    session.connections->connect(*connect, env);
  } else if (const auto* call = syntax::find<syntax::CallEquation>(&equation)) {
    if (is_graph_call(session, *call->call))
      session.connections->overdetermined().declare(*call->call, env);
  } else if (const auto* loop = syntax::find<syntax::ForEquation>(&equation)) {
    if (has_connects(session, loop->body))
      for_each_turn(session, *loop, env,
                    [&](const Env& inner) { find_connects(session, loop->body, inner); });
  } else if (const auto* choice = syntax::find<syntax::IfEquation>(&equation)) {
    bool is_relevant = false;
    for (const auto& branch : choice->branches) is_relevant |= has_connects(session, branch.body);
    if (!is_relevant) return;
    for (const auto& branch : choice->branches) {
      if (branch.condition != nullptr) {
        const NodeId condition =
            session.evaluator->scalar(*branch.condition, env, BaseType::kBoolean, "the condition");
        const NodeId known =
            session.folding->fold(condition, branch.condition->range, "the condition");
        if (session.folding->number(known) == 0) continue;
      }
      return find_connects(session, branch.body, env);
    }
  }
}

void find_connects(Session& session, const EquationList& equations, const Env& env) {
  if (!has_connects(session, equations)) return;
  for (const syntax::Equation* equation : equations)
    session.attempt(equation->range, [&] { find_connects(session, *equation, env); });
}

}  // namespace

void stamp_connections(Session& session, Instance& part) {
  const syntax::LongClass* definition = part.def->long_class();
  if (definition == nullptr) return;
  for (const syntax::Section& section : definition->sections)
    if (section.kind == syntax::SectionKind::kEquation)
      find_connects(session, section.equations, Env{&part});
}

}  // namespace hydae::modelica
