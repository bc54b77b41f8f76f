#include "modelica/connections/overconstrained.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/reference.h"
#include "modelica/functions/functions.h"

namespace hydae::modelica {

bool OverdeterminedConnectors::is_overdetermined(const Component& component) {
  const auto [known, is_new] = is_overdetermined_.emplace(component.type, false);
  if (is_new) {
    Element* constraint =
        component.type->def == nullptr
            ? nullptr
            : session_.classes->find_member(*component.type, session_.names.equality_constraint);
    known->second = constraint != nullptr && constraint->is_class();
  }
  return known->second;
}

int OverdeterminedConnectors::graph_node(const ConnectorEnd& end) {
  const auto [known, is_new] = node_of_.emplace(end, 0);
  if (is_new) known->second = graph_.add_node();
  return known->second;
}

ConnectorEnd OverdeterminedConnectors::overdetermined(const syntax::Expr& expr, const Env& env) {
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&expr);
  if (reference == nullptr)
    session_.fail("not-overdetermined", "a part of a connector is needed here", expr.range);
  const ConnectorSide side = finder_.resolve(*reference, env, /*needs_connector=*/false);
  if (!side.is_present) throw Failure();
  if (side.ends.empty() || !is_overdetermined(*side.ends.front().component))
    session_.fail("not-overdetermined",
                  fmt::format("`{}` is not overdetermined: its type has no `equalityConstraint`",
                              session_.evaluator->text(expr.range)),
                  expr.range);
  return {side.ends.front().component, 0};
}

void OverdeterminedConnectors::declare(const syntax::CallExpr& call, const Env& env) {
  const std::string name = session_.text(call.function->parts[1].name.symbol);
  const std::size_t least = name == "branch" ? 2 : 1;
  if (call.arguments.size() < least)
    session_.fail("argument-count", fmt::format("`Connections.{}` needs {} arguments", name, least),
                  call.range);
  const int first = graph_node(overdetermined(*call.arguments[0], env));
  if (name == "root") {
    graph_.add_root(first);
  } else if (name == "potentialRoot") {
    const syntax::Expr* given = nullptr;
    if (call.arguments.size() > 1) given = call.arguments[1];
    if (!call.named.empty()) given = call.named.front().value;
    const std::int64_t priority =
        given == nullptr ? 0 : session_.folding->integer(*given, *env.scope, "the priority");
    graph_.add_potential_root(first, static_cast<int>(priority));
  } else if (name == "branch") {
    graph_.add_branch(first, graph_node(overdetermined(*call.arguments[1], env)), call.range);
  } else {
    session_.unsupported(fmt::format("`Connections.{}` is", name), call.range);
  }
}

void OverdeterminedConnectors::solve(const Connect& connect) {
  for (const Edge& edge : edges_) {
    const int a = graph_node(edge.a), b = graph_node(edge.b);
    graph_.add_connection(a, b);
  }
  if (const auto fault = graph_.solve()) {
    const ConnectorEnd* end = nullptr;
    for (const auto& [each, node] : node_of_)
      if (node == fault->node) end = &each;
    const std::string path = session_.components->path(*end->component);
    const SourceRange place =
        fault->source.is_valid() ? fault->source : end->component->element->declaration->range();
    using Fault = ConnectionGraph::Fault::Kind;
    switch (fault->kind) {
      case Fault::kBranchLoop:
        session_.error("connection-graph",
                       fmt::format("the branches through `{}` form a loop", path), place);
        break;
      case Fault::kTwoRoots:
        session_.error("connection-graph", fmt::format("branches join `{}` to two roots", path),
                       place);
        break;
      case Fault::kNoRoot:
        session_.error("connection-graph",
                       fmt::format("no root determines `{}` and what it is connected to", path),
                       place);
        break;
    }
  }
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& edge = edges_[i];
    session_.attempt(edge.origin.source, [&] {
      if (graph_.is_broken(i)) return add_constraint(edge);
      const std::int64_t count = num_elements(edge.a.component->sizes());
      for (std::int64_t k = 0; k < count; ++k)
        connect({{edge.a.component, k}, edge.a.is_outside},
                {{edge.b.component, k}, edge.b.is_outside}, edge.origin);
    });
  }
}

// 0 = equalityConstraint(a, b) in place of a = b.
void OverdeterminedConnectors::add_constraint(const Edge& edge) {
  Element* function =
      session_.classes->find_member(*edge.a.component->type, session_.names.equality_constraint);
  const SourceRange range = edge.origin.source;
  const auto value = [&](const ConnectorEnd& end) {
    return References(session_).component_value(*end.component);
  };
  std::vector<Given> given = {{Symbol(), value(edge.a), range}, {Symbol(), value(edge.b), range}};
  const Value residual = session_.functions->call(*function, std::move(given), true, range);
  for (const NodeId cell : residual.cells)
    sets_.add_equation({session_.graph->constant(0), cell, edge.origin.instance, range});
}

bool OverdeterminedConnectors::is_root(const syntax::ReferenceExpr& reference, const Env& env) {
  const auto found = node_of_.find(overdetermined(reference, env));
  return found != node_of_.end() && graph_.is_root(found->second);
}

bool OverdeterminedConnectors::is_rooted(const syntax::ReferenceExpr& reference, const Env& env) {
  const auto found = node_of_.find(overdetermined(reference, env));
  const std::optional<bool> answer =
      found == node_of_.end() ? std::nullopt : graph_.is_rooted(found->second);
  if (!answer)
    session_.fail("connection-graph",
                  fmt::format("`rooted` needs exactly one branch that begins at `{}`",
                              session_.evaluator->text(reference.range)),
                  reference.range);
  return *answer;
}

}  // namespace hydae::modelica
