#include "modelica/flat/attributes.h"

#include <fmt/format.h>

#include "expr/incidence.h"
#include "modelica/checks/checks.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/flat/declaring_model.h"
#include "modelica/flat/free_parameters.h"

namespace hydae::modelica {

std::string name_of(Session& session, VarId variable) {
  const Cell& cell = session.flat->variables[variable];
  if (cell.component == nullptr) return session.flat->helpers.at(variable).name;
  return session.components->path(*cell.component) +
         session.components->subscript(*cell.component, cell.position);
}

std::string component_path(Session& session, const Instance* instance) {
  return instance == nullptr ? "" : session.components->path(*instance->whole);
}

std::optional<NodeId> number_attribute(Session& session, const Cell& cell, Symbol name,
                                       int* depth) {
  try {
    const auto found = session.components->attribute(*cell.component, name);
    if (!found || !found->value.has_cells()) return std::nullopt;
    if (depth != nullptr) *depth = found->scope == nullptr ? 1000 : found->scope->depth;
    const NodeId value = found->cell(cell.position);
    const Contents holds = contents(*session.graph, value);
    if (holds.has_pre || holds.has_time ||
        !is_known(session, value, name == session.names.attributes.start))
      session.fail("attribute-variability",
                   fmt::format("`{}` of `{}` must not change during the simulation",
                               session.text(name), session.components->path(*cell.component)),
                   found->range);
    return value;
  } catch (const Failure&) {
    return std::nullopt;
  }
}

std::string text_attribute(Session& session, const Cell& cell, Symbol name) {
  try {
    const auto found = session.components->attribute(*cell.component, name);
    if (!found || found->value.strings.empty()) return "";
    const auto& texts = found->value.strings;
    return texts.size() == 1 ? texts.front() : texts[static_cast<std::size_t>(cell.position)];
  } catch (const Failure&) {
    return "";
  }
}

namespace {

StateSelect state_select(Session& session, const Cell& cell) {
  try {
    const auto found =
        session.components->attribute(*cell.component, session.names.attributes.state_select);
    if (!found || found->value.cells.empty()) return StateSelect::kDefault;
    const NodeId known =
        session.folding->fold(found->cell(cell.position), found->range, "`stateSelect`");
    return static_cast<StateSelect>(static_cast<int>(session.folding->number(known)) - 1);
  } catch (const Failure&) {
    return StateSelect::kDefault;
  }
}

}  // namespace

Attributes read_attributes(Session& session, VarId variable) {
  Attributes out;
  const Cell& cell = session.flat->variables[variable];
  if (cell.component == nullptr) return out;
  Component& component = *cell.component;
  const KnownNames& names = session.names;
  out.start = number_attribute(session, cell, names.attributes.start, &out.start_depth);
  try {
    out.is_fixed = !component.is_free_parameter &&
                   session.components->boolean_attribute(component, cell.position,
                                                         names.attributes.fixed, false);
  } catch (const Failure&) {
  }
  resolve_free_start(session, variable, out.start, out.is_fixed, [&](const Cell& of) {
    return number_attribute(session, of, names.attributes.start)
        .value_or(session.graph->constant(0));
  });
  if (component.base() != BaseType::kBoolean) {
    out.min = number_attribute(session, cell, names.attributes.min);
    out.max = number_attribute(session, cell, names.attributes.max);
    check_range(session, {name_of(session, variable), out.min, out.max,
                          component.element->declaration->range()});
  }
  if (component.base() == BaseType::kReal) {
    out.nominal = number_attribute(session, cell, names.attributes.nominal);
    out.unit = text_attribute(session, cell, names.attributes.unit);
    out.display_unit = text_attribute(session, cell, names.attributes.display_unit);
    out.state_select = state_select(session, cell);
    out.is_free = component.marks.is_free_at_events;
  }
  out.description = syntax::description_text(component.element->declaration->component->comment);
  return out;
}

}  // namespace hydae::modelica
