#include "modelica/connections/connector_finder.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/connections/connect_rules.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

void fail_mismatch(Session& session, const std::string& reason, SourceRange range) {
  session.fail("connector-mismatch", reason, range);
}

void ConnectorFinder::fail_no_member(Instance& instance, const syntax::Ident& name) {
  std::vector<std::string> candidates;
  for (const Element* element : instance.elements)
    candidates.push_back(session_.text(element->name));
  Diagnostic diagnostic;
  diagnostic.code = "name-not-found";
  diagnostic.message = fmt::format("`{}` has no component `{}`",
                                   session_.components->path(instance), session_.text(name.symbol));
  diagnostic.range = name.range;
  const auto near = nearest_names(session_.text(name.symbol), candidates);
  if (!near.empty()) diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  session_.fail(std::move(diagnostic));
}

// Row-major positions of the elements that the subscripts name; their sizes are added to `sizes`.
std::vector<std::int64_t> ConnectorFinder::chosen_elements(const Component& component,
                                                           const syntax::ReferencePart& part,
                                                           const Env& env, Sizes& sizes) {
  const Sizes own = component.sizes();
  std::vector<Choice> choices;
  for (auto& subscript : References(session_).subscripts(part.subscripts, own, env,
                                                         &component.dimensions, part.name.range)) {
    if (subscript.index.is_valid())
      fail_mismatch(session_, "the subscripts of a connector must not change", part.name.range);
    choices.push_back(std::move(subscript.choice));
  }
  while (choices.size() < own.size()) {
    Choice& all = choices.emplace_back();
    for (int k = 0; k < own[choices.size() - 1]; ++k) all.indices.push_back(k);
  }
  std::vector<std::int64_t> chosen = {0};
  for (std::size_t d = 0; d < choices.size(); ++d) {
    if (!choices[d].is_scalar) sizes.push_back(static_cast<int>(choices[d].indices.size()));
    std::vector<std::int64_t> next;
    for (const std::int64_t linear : chosen)
      for (const int index : choices[d].indices) next.push_back(linear * own[d] + index);
    chosen = std::move(next);
  }
  return chosen;
}

void ConnectorFinder::descend(ConnectorSide& side, const Query& query, Component& named,
                              std::size_t part, Sizes sizes) {
  const syntax::ReferenceExpr& reference = query.reference;
  Component& component = session_.components->real(named);
  session_.components->expand(component);
  if (!component.is_present) {
    side.is_present = false;
    return;
  }
  const std::vector<std::int64_t> chosen =
      chosen_elements(component, reference.parts[part], query.env, sizes);
  const auto fail_no_connector = [&] {
    fail_mismatch(session_,
                  fmt::format("`{}` is not a connector", session_.evaluator->text(reference.range)),
                  reference.range);
  };
  if (chosen.empty()) {  // of an array of no components: its parts are none as well
    side.sizes = sizes;
    return;
  }
  // A component of the class may have the connector; behind a connector follow connectors (9.1).
  const bool is_last = part + 1 == reference.parts.size();
  if (query.needs_connector && (part > 0 || is_last) &&
      !session_.classes->is_connector(*component.type) && !is_bus_element(session_, component))
    fail_no_connector();
  if (is_last) {
    side.sizes = sizes;
    for (const std::int64_t linear : chosen) side.ends.push_back({&component, linear});
    return;
  }
  if (component.type->is_builtin()) fail_no_connector();
  const syntax::ReferencePart& next = reference.parts[part + 1];
  const bool is_bus =
      session_.classes->is_kind(*component.type, syntax::ClassKind::kExpandableConnector);
  for (const std::int64_t linear : chosen) {
    Instance& instance = *component.instances[static_cast<std::size_t>(linear)];
    Element* member = session_.classes->find_member(instance, next.name.symbol);
    if (is_bus && member == nullptr && part + 2 == reference.parts.size()) {
      if (!next.subscripts.empty() || chosen.size() != 1)
        session_.unsupported("subscripts of new elements of an expandable connector are",
                             reference.range);
      side.bus = &instance;
      side.missing = next.name.symbol;
      return;
    }
    if (member == nullptr || member->component == nullptr) fail_no_member(instance, next.name);
    if (member->is_protected)
      session_.fail("protected-access",
                    fmt::format("`{}` is protected: it cannot be used from outside",
                                session_.text(next.name.symbol)),
                    next.name.range);
    if (is_bus) is_used_[member->component] = true;
    descend(side, query, *member->component, part + 1, sizes);
  }
}

ConnectorSide ConnectorFinder::resolve(const syntax::ReferenceExpr& reference, const Env& env,
                                       bool needs_connector) {
  ConnectorSide side;
  side.range = reference.range;
  const syntax::Ident& first = reference.parts.front().name;
  const Found found = session_.classes->find(first.symbol, *env.scope);
  if (found.element == nullptr || found.element->component == nullptr)
    session_.classes->fail_not_found(first.symbol, *env.scope, first.range, "connector");
  Component& component = *found.element->component;
  session_.components->resolve(component);
  // A connector of the class itself is seen from outside; decided before outer is resolved (9.2).
  side.is_outside = session_.classes->is_connector(*component.type);
  side.is_outer = component.link.is_outer && !component.link.is_inner;
  descend(side, {reference, env, needs_connector}, component, 0, {});
  return side;
}

}  // namespace hydae::modelica
