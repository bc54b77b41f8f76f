#include "modelica/classes/make_element.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"

namespace hydae::modelica {

ModList ElementMaker::modifiers_for(const Instance& part, Symbol name) {
  ModList out;
  for (const ModRef& ref : part.mods)
    if (const ModNode* sub = ref.mod->find(name))
      out.push_back({sub, ref.scope, sub->is_each ? nullptr : ref.indices});
  return out;
}

Element& ElementMaker::make_element(Instance& part, const Declaration& declaration) {
  return build_element(part, declaration, modifiers_for(part, declaration.name()), 0);
}

const ModNode* ElementMaker::modifier_of(const Declaration& declaration, Instance& where) {
  if (declaration.component == nullptr) return nullptr;
  return session_.modifiers.of(declaration.component->modification, where.def);
}

// What every redeclaration of the element keeps (7.3.2): the modifiers of the constraining clause,
// without one those of the declaration itself.
const ModNode* ElementMaker::constraint_of(const Declaration& declaration, Instance& where) {
  if (declaration.element == nullptr) return nullptr;
  if (const syntax::Constraint* constraint = declaration.element->constraint)
    return session_.modifiers.of(constraint->modification, where.def);
  if (declaration.is_component()) return modifier_of(declaration, where);
  if (declaration.cls->definition == nullptr) return nullptr;
  const auto* definition = syntax::find<syntax::ShortClass>(declaration.cls->definition);
  if (definition == nullptr) return nullptr;
  return session_.modifiers.of(definition->modification, where.def);
}

namespace {

void check_final(Session& session, const ModList& mods, const Declaration& declaration) {
  const auto report = [&](const ModRef& stronger, SourceRange final_range) {
    Diagnostic& diagnostic = session.error(
        "modify-final",
        fmt::format("`{}` is final and cannot be changed", session.text(declaration.name())),
        stronger.mod->range);
    diagnostic.label = "this modifier";
    diagnostic.notes.push_back({"made final here", final_range});
  };
  for (std::size_t i = 1; i < mods.size(); ++i)
    if (mods[i].mod->is_final) return report(mods[i - 1], mods[i].mod->range);
  if (declaration.element != nullptr && declaration.element->is_final && !mods.empty())
    report(mods.back(), declaration.range());
}

}  // namespace

Element& ElementMaker::build_element(Instance& part, const Declaration& declaration,
                                     const ModList& mods, std::size_t first) {
  Element& element = session_.make_element();
  element.name = declaration.name();
  element.declaration = element.original = &declaration;
  element.scope = element.original_scope = &part;
  element.owner = part.whole;
  element.is_protected = declaration.is_protected;
  if (first == 0 && !mods.empty()) check_final(session_, mods, declaration);
  for (std::size_t i = first; i < mods.size(); ++i)
    if (mods[i].mod->redeclaration != nullptr) {
      apply_redeclaration(element, part, declaration, mods, i);
      return element;
    }
  element.mods.assign(mods.begin() + static_cast<std::ptrdiff_t>(first), mods.end());
  const bool has_clause =
      declaration.element != nullptr && declaration.element->constraint != nullptr;
  const ModNode* constraint = has_clause ? constraint_of(declaration, part) : nullptr;
  if (declaration.is_component()) {
    if (const ModNode* own = modifier_of(declaration, part))
      element.mods.push_back({own, &part, nullptr});
    if (constraint != nullptr) element.mods.push_back({constraint, &part, nullptr});
    element.component = &session_.make_component();
    element.component->element = &element;
  } else {
    element.cls = declaration.cls;
    if (constraint != nullptr) element.weak_mods.push_back({constraint, &part, nullptr});
  }
  return element;
}

void ElementMaker::check_redeclaration(const Declaration& original, const ModRef& ref) {
  const Declaration& redeclaration = *ref.mod->redeclaration;
  const std::string name = session_.text(original.name());
  if (original.is_component() != redeclaration.is_component())
    session_.fail("redeclare-kind",
                  fmt::format("`{}` is a {}, it cannot be redeclared as a {}", name,
                              original.is_component() ? "component" : "class",
                              original.is_component() ? "class" : "component"),
                  ref.mod->range);
  if (original.element != nullptr && original.element->is_replaceable) return;
  if (original.is_component()) {
    // Without `replaceable`, the type must stay what it is (7.3.3).
    const auto& sources = *session_.workspace.sources();
    if (sources.text(original.clause->type.range) == sources.text(redeclaration.clause->type.range))
      return;
  }
  Diagnostic diagnostic;
  diagnostic.code = "redeclare-non-replaceable";
  diagnostic.message = fmt::format("`{}` is not replaceable", name);
  diagnostic.range = redeclaration.range();
  diagnostic.notes.push_back({"declared here", original.range()});
  diagnostic.help = fmt::format("declare it `replaceable`");
  session_.fail(std::move(diagnostic));
}

// Modifiers stronger than the redeclaration, its own, the plain ones below it, then what the
// original demands of every replacement. Modifiers of weaker redeclarations are lost with them
// (7.3.2).
void ElementMaker::apply_redeclaration(Element& element, Instance& part,
                                       const Declaration& original, const ModList& mods,
                                       std::size_t at) {
  const ModRef& ref = mods[at];
  const Declaration& redeclaration = *ref.mod->redeclaration;
  check_redeclaration(original, ref);
  element.declaration = &redeclaration;
  element.scope = ref.scope;
  element.is_redeclared = true;
  session_.stand_ins.redeclared.push_back(&element);
  const auto own_scope = ref.scope;
  for (std::size_t i = 0; i < at; ++i)
    if (mods[i].mod->redeclaration == nullptr) element.mods.push_back(mods[i]);
  if (redeclaration.is_component())
    if (const ModNode* own = modifier_of(redeclaration, *own_scope))
      element.mods.push_back({own, own_scope, nullptr});
  for (std::size_t i = at + 1; i < mods.size(); ++i)
    if (mods[i].mod->redeclaration == nullptr) element.mods.push_back(mods[i]);

  ModList weak;
  const bool has_clause = redeclaration.element != nullptr && redeclaration.element->constraint;
  if (has_clause)
    if (const ModNode* constraint = constraint_of(redeclaration, *own_scope))
      weak.push_back({constraint, own_scope, nullptr});
  if (const ModNode* constraint = constraint_of(original, part))
    weak.push_back({constraint, &part, nullptr});
  if (redeclaration.is_component()) {
    element.mods.insert(element.mods.end(), weak.begin(), weak.end());
    element.component = &session_.make_component();
    element.component->element = &element;
  } else {
    element.cls = redeclaration.cls;
    element.weak_mods = std::move(weak);
    const syntax::LongClass* definition = redeclaration.cls->long_class();
    if (definition != nullptr && definition->is_extends) {
      element.replaced = &build_element(part, original, mods, at + 1);
      element.weak_mods.clear();
    }
  }
}

}  // namespace hydae::modelica
