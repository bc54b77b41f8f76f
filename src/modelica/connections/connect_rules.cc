#include "modelica/connections/connect_rules.h"

#include <fmt/format.h>
#include <map>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"

namespace hydae::modelica {

namespace {

const char* name_of(syntax::Causality causality) {
  switch (causality) {
    case syntax::Causality::kInput: return "an input";
    case syntax::Causality::kOutput: return "an output";
    default: return "neither input nor output";
  }
}

const char* name_of(Variability variability) {
  switch (variability) {
    case Variability::kConstant: return "a constant";
    case Variability::kParameter: return "a parameter";
    default: return "a variable";
  }
}

Variability level_of(const Component& component) {
  return std::min(component.variability, Variability::kDiscrete);
}

std::string quantity_of(Session& session, Component& component) {
  const auto found = session.components->attribute(component, session.names.attributes.quantity);
  const bool is_text = found && found->value.is_scalar() && found->value.type == BaseType::kString;
  return is_text ? found->value.text() : "";
}

void check_quantities(Session& session, Component& a, Component& b, SourceRange range) {
  const std::string first = quantity_of(session, a), second = quantity_of(session, b);
  if (first.empty() || second.empty() || first == second) return;
  session.error("connect-quantity",
                fmt::format("`{}` is a {}, `{}` a {}", session.components->path(a), first,
                            session.components->path(b), second),
                range);
}

// Scalars of a connector that are flows, and that are potentials.
struct Tally {
  std::int64_t flows = 0, potentials = 0;
};

}  // namespace

bool is_bus_element(Session& session, const Component& component) {
  for (const Component* at = component.element->owner->component; at != nullptr;
       at = at->element->owner->component)
    if (session.classes->is_kind(*at->type, syntax::ClassKind::kExpandableConnector)) return true;
  return false;
}

void check_connected(Session& session, Component& a, Component& b, SourceRange range) {
  if (is_bus_element(session, a) || is_bus_element(session, b)) return;
  const auto refuse = [&](const char* code, const char* first, const char* second) {
    session.error(code,
                  fmt::format("`{}` is {}, `{}` is {}", session.components->path(a), first,
                              session.components->path(b), second),
                  range);
  };
  constexpr auto kNone = syntax::Causality::kNone;
  if ((a.causality == kNone) != (b.causality == kNone))
    refuse("connect-causality", name_of(a.causality), name_of(b.causality));
  if (level_of(a) != level_of(b))
    refuse("connect-variability", name_of(a.variability), name_of(b.variability));
  check_quantities(session, a, b, range);
}

namespace {

// Connectors inside of a connector are counted for themselves.
bool count(Session& session, const Instance& part, Tally& tally) {
  for (const Element* element : part.elements) {
    if (element->component == nullptr || !element->component->is_present) continue;
    const Component& component = *element->component;
    if (component.type == nullptr || session.classes->is_connector(*component.type)) continue;
    if (session.classes->find_member(*component.type, session.names.equality_constraint) != nullptr)
      return false;
    if (!component.type->is_builtin()) {
      for (const Instance* instance : component.instances)
        if (!count(session, *instance, tally)) return false;
      continue;
    }
    if (component.variability <= Variability::kParameter ||
        component.causality != syntax::Causality::kNone)
      continue;
    if (component.connection == syntax::Connection::kFlow)
      tally.flows += num_elements(component.sizes());
    else if (component.connection == syntax::Connection::kNone)
      tally.potentials += num_elements(component.sizes());
  }
  return true;
}

}  // namespace

void check_connector_balance(Session& session, const Instance& connector) {
  if (session.workspace.diagnostics().has_errors()) return;  // perhaps a consequence
  Tally tally;
  if (!count(session, connector, tally) || tally.flows == tally.potentials) return;
  const Declaration& declaration = *connector.component->element->declaration;
  session
      .error("unbalanced-connector",
             fmt::format("the connector `{}` of `{}` has {} flow{} and {} potential{}",
                         session.text(connector.def->name), session.text(declaration.name()),
                         tally.flows, tally.flows == 1 ? "" : "s", tally.potentials,
                         tally.potentials == 1 ? "" : "s"),
             declaration.range())
      .help = "as many of one as of the other; signals are `input` or `output`";
}

// ---- signals ----

namespace {

// Outputs of components, and the inputs that a class has from outside: public ones (9.3).
bool is_source(Session& session, const SignalSets::End& end) {
  if (!end.is_outside) return end.component->causality == syntax::Causality::kOutput;
  const Component* connector = end.component;
  for (const Component* at = connector; at != nullptr && session.classes->is_connector(*at->type);
       at = at->element->owner->component)
    connector = at;
  return end.component->causality == syntax::Causality::kInput && !connector->element->is_protected;
}

}  // namespace

std::size_t SignalSets::place(const End& end, SourceRange range) {
  const std::uint64_t key = std::uint64_t{end.cell.index()} * 2 + (end.is_outside ? 1 : 0);
  const auto [found, is_new] = place_of_.emplace(key, members_.size());
  if (is_new) members_.push_back({end, members_.size(), range});
  return found->second;
}

std::size_t SignalSets::find(std::size_t place) {
  while (members_[place].parent != place) {
    members_[place].parent = members_[members_[place].parent].parent;
    place = members_[place].parent;
  }
  return place;
}

void SignalSets::join(const End& a, const End& b, SourceRange range) {
  const std::size_t left = find(place(a, range)), right = find(place(b, range));
  members_[std::max(left, right)].parent = std::min(left, right);
}

void SignalSets::check(Session& session) {
  std::map<std::size_t, const Member*> source_of;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (!is_source(session, member.end)) continue;
    const auto [first, is_new] = source_of.emplace(find(i), &member);
    if (is_new) continue;
    session
        .error("two-sources",
               fmt::format("`{}` and `{}` both write what is connected",
                           session.components->path(*first->second->end.component),
                           session.components->path(*member.end.component)),
               member.range)
        .help = "a set of connected signals has one source";
  }
}

}  // namespace hydae::modelica
