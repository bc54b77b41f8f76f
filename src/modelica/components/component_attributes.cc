// Attributes of components.
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

namespace {

// What a type says is final, a component of it does not change (7.2.6).
void check_final_attribute(Session& session, const Component& component, const ModNode& given) {
  for (const ModRef& ref : component.type->attributes) {
    const ModNode* own = ref.mod->find(given.name);
    if (own == nullptr || !own->is_final) continue;
    session
        .error("modify-final",
               fmt::format("`{}` is final and cannot be changed", session.text(given.name)),
               given.range)
        .notes.push_back({"made final here", own->range});
    return;
  }
}

}  // namespace

std::optional<Components::AttributeMod> Components::find_attribute(Component& component,
                                                                   Symbol name) {
  resolve(component);
  const auto search = [&](const ModList& mods, bool is_of_type) -> std::optional<AttributeMod> {
    for (const ModRef& ref : mods)
      if (const ModNode* sub = ref.mod->find(name)) {
        if (sub->is_break) return AttributeMod{nullptr, nullptr, nullptr, false};
        if (sub->value == nullptr) continue;
        return AttributeMod{sub, ref.scope, sub->is_each ? nullptr : ref.indices, is_of_type};
      }
    return std::nullopt;
  };
  std::optional<AttributeMod> found = search(component.element->mods, false);
  if (found && found->mod != nullptr) check_final_attribute(session_, component, *found->mod);
  if (!found) found = search(component.type->attributes, true);
  if (found && found->mod == nullptr) return std::nullopt;
  return found;
}

namespace {

BaseType attribute_type(const Session& session, const Component& component, Symbol name) {
  const KnownNames& names = session.names;
  if (name == names.attributes.fixed || name == names.attributes.unbounded)
    return BaseType::kBoolean;
  if (name == names.attributes.unit || name == names.attributes.display_unit ||
      name == names.attributes.quantity)
    return BaseType::kString;
  if (name == names.attributes.state_select) return BaseType::kEnumeration;
  return name == names.attributes.nominal ? BaseType::kReal : component.base();
}

void check_attribute_type(Session& session, const Component& component, Symbol name,
                          const Value& value, SourceRange range) {
  const BaseType needed = attribute_type(session, component, name);
  const bool is_own =
      needed == BaseType::kEnumeration && name != session.names.attributes.state_select;
  const bool is_other =
      is_own && value.type == needed && !(*value.enumeration == *component.type->enumeration);
  const bool fits = value.type == needed || (needed == BaseType::kReal && value.is_numeric());
  if (fits && !is_other) return;
  session.fail("type-mismatch",
               fmt::format("`{}` of `{}` is {}, not {}", session.text(name),
                           session.components->path(component),
                           is_own ? component.type->enumeration->name : base_type_name(needed),
                           type_text(value)),
               range);
}

}  // namespace

std::optional<Components::Attribute> Components::attribute(Component& component, Symbol name) {
  const std::optional<AttributeMod> found = find_attribute(component, name);
  if (!found) return std::nullopt;
  const ModNode& mod = *found->mod;
  Attribute out;
  out.range = mod.range;
  out.scope = found->scope;
  out.value = session_.evaluator->evaluate(*mod.value, Env{found->scope});
  check_attribute_type(session_, component, name, out.value, mod.range);
  out.value = split_over_arrays(session_, std::move(out.value), found->indices, mod.value->range,
                                session_.text(name));
  if (out.value.is_scalar()) {
    const bool is_for_each = found->is_of_type || mod.is_each || component.dimensions.empty();
    if (!is_for_each) {
      Diagnostic diagnostic;
      diagnostic.code = "missing-each";
      diagnostic.message = fmt::format("`{}` is an array: `{}` needs one value for each element",
                                       path(component), session_.text(name));
      diagnostic.range = mod.range;
      diagnostic.help = fmt::format("write `each {} = {}` for the same value", session_.text(name),
                                    session_.evaluator->text(mod.value->range));
      session_.fail(std::move(diagnostic));
    }
  } else if (component.expansion == Progress::kDone && out.value.sizes != component.sizes()) {
    session_.fail("size-mismatch",
                  fmt::format("`{}` has the sizes {}, `{}` has {}", path(component),
                              sizes_text(component.sizes()), session_.text(name),
                              sizes_text(out.value.sizes)),
                  mod.range);
  }
  return out;
}

bool Components::boolean_attribute(Component& component, std::int64_t position, Symbol name,
                                   bool otherwise) {
  const std::optional<Attribute> found = attribute(component, name);
  if (!found || found->value.cells.empty()) return otherwise;
  const NodeId cell = session_.folding->fold(found->cell(position), found->range,
                                             fmt::format("`{}`", session_.text(name)));
  return session_.folding->number(cell) != 0;
}

}  // namespace hydae::modelica
