#include "modelica/classes/requirements.h"

#include "modelica/functions/functions.h"
#include "modelica/functions/loop_function.h"

namespace hydae::modelica {

namespace {

void add_at_event(Session& session, FlatAssertion assertion) {
  FlatAction action;
  action.kind = WhenAction::Kind::kAssert;
  action.value = assertion.condition;
  action.message = std::move(assertion.message);
  action.is_warning = assertion.is_warning;
  action.source = assertion.source;
  for (const FlatAction& known : *session.event_checks)
    if (known.kind == action.kind && known.value == action.value && known.message == action.message)
      return;
  session.event_checks->push_back(std::move(action));
}

}  // namespace

void add_assertion(Session& session, FlatAssertion assertion) {
  Graph& graph = *session.graph;
  if (session.guard.is_valid())
    assertion.condition =
        graph.binary(Op::kOr, graph.unary(Op::kNot, session.guard), assertion.condition);
  if (graph.is_constant(assertion.condition, 1)) return;
  if (ProgramRecorder* recorder = session.functions->recorder()) {
    if (!assertion.is_warning) recorder->require(assertion.condition, assertion.message);
    return;
  }
  if (session.event_checks != nullptr) return add_at_event(session, std::move(assertion));
  if (session.functions->is_new_assertion(assertion.condition, assertion.message))
    session.flat->assertions.push_back(std::move(assertion));
}

void require(Session& session, const Requirement& requirement) {
  const Graph& graph = *session.graph;
  if (graph.is_constant(requirement.condition, 1)) return;
  const bool is_always = !session.guard.is_valid() && session.event_checks == nullptr &&
                         session.functions->recorder() == nullptr;
  if (graph.is_constant(requirement.condition, 0) && is_always)
    session.fail(requirement.code, requirement.message, requirement.range);
  add_assertion(session, {requirement.condition, requirement.message, false, requirement.range});
}

NodeId undefined_number(Graph& graph) {
  return graph.binary(Op::kDiv, graph.constant(0), graph.constant(0));
}

}  // namespace hydae::modelica
