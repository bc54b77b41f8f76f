#include "modelica/classes/make_element.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/classes/redeclare_rules.h"

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

// Those of the constraining clause that a redeclaration brings.
const ModNode* ElementMaker::constraint_of_redeclaration(const ModRef& ref) {
  const Declaration* declaration = ref.mod->redeclaration;
  const bool has_clause = declaration != nullptr && declaration->element != nullptr &&
                          declaration->element->constraint != nullptr;
  return has_clause ? constraint_of(*declaration, *ref.scope) : nullptr;
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
  // Its default is judged like what takes its place.
  if (has_clause) session_.stand_ins.redeclared.push_back(&element);
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

// Modifiers stronger than the redeclaration, its own, the plain ones below it, then what the
// original demands of every replacement. Modifiers of weaker redeclarations are lost with them
// (7.3.2).
void ElementMaker::apply_redeclaration(Element& element, Instance& part,
                                       const Declaration& original, const ModList& mods,
                                       std::size_t at) {
  const ModRef& ref = mods[at];
  const Declaration& redeclaration = *ref.mod->redeclaration;
  check_redeclaration(session_, original, mods, at);
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
  for (std::size_t i = at; i < mods.size(); ++i)
    if (const ModNode* constraint = constraint_of_redeclaration(mods[i]))
      weak.push_back({constraint, mods[i].scope, nullptr});
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
