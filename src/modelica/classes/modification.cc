#include "modelica/classes/modification.h"

#include <fmt/format.h>

namespace hydae::modelica {

ModNode* Modifiers::make(Symbol name, SourceRange range) {
  ModNode& node = nodes_.emplace_back();
  node.name = name;
  node.range = range;
  return &node;
}

const ModNode* Modifiers::of(const syntax::Modification* modification, ClassDef* where) {
  if (modification == nullptr) return nullptr;
  const auto found = cache_.find(modification);
  if (found != cache_.end()) return found->second;
  ModNode* node = make(Symbol(), modification->range);
  fill(*node, *modification, where);
  cache_[modification] = node;
  return node;
}

void Modifiers::report_twice(const ModNode& first, SourceRange second) {
  auto& diagnostic = workspace_.diagnostics().error(
      "duplicate-modifier",
      fmt::format("`{}` is modified twice in one list", workspace_.text(first.name)), second);
  diagnostic.notes.push_back({"first modified here", first.range});
}

ModNode* Modifiers::sub(ModNode& node, Symbol name, SourceRange range) {
  for (const ModNode* existing : node.subs)
    if (existing->name == name) return const_cast<ModNode*>(existing);
  ModNode* created = make(name, range);
  node.subs.push_back(created);
  return created;
}

void Modifiers::fill(ModNode& node, const syntax::Modification& modification, ClassDef* where) {
  for (const syntax::Argument* argument : modification.arguments)
    add_argument(node, *argument, where);
  if (modification.value == nullptr && !modification.is_break) return;
  if (node.value != nullptr || node.is_break) return report_twice(node, modification.range);
  node.value = modification.value;
  node.is_break = modification.is_break;
}

void Modifiers::add_modify(ModNode& node, const syntax::ModifyArgument& argument, ClassDef* where) {
  ModNode* at = &node;
  bool is_new = false;
  for (const syntax::Ident& part : argument.name.parts) {
    const std::size_t before = at->subs.size();
    ModNode* next = sub(*at, part.symbol, argument.range);
    is_new = at->subs.size() != before;
    at = next;
  }
  if (at->redeclaration != nullptr) return report_twice(*at, argument.range);
  if (!is_new && argument.modification == nullptr) return report_twice(*at, argument.range);
  if (is_new) {
    at->is_each = argument.is_each;
    at->is_final = argument.is_final;
  }
  if (argument.modification != nullptr) fill(*at, *argument.modification, where);
}

void Modifiers::add_redeclare(ModNode& node, const syntax::RedeclareArgument& argument,
                              ClassDef* where) {
  Declaration declaration;
  declaration.element = argument.element;
  if (const auto* cls = syntax::find<syntax::ClassElement>(argument.element)) {
    declaration.cls = &workspace_.class_of(*cls->definition, cls, where);
  } else {
    declaration.clause = &syntax::as<syntax::ComponentElement>(*argument.element);
    declaration.component = &declaration.clause->declarations.front();
  }
  const std::size_t before = node.subs.size();
  ModNode* at = sub(node, declaration.name(), argument.range);
  if (node.subs.size() == before) return report_twice(*at, argument.range);
  at->redeclaration = &declarations_.emplace_back(declaration);
  at->is_each = argument.is_each;
  at->is_final = argument.is_final || argument.element->is_final;
}

void Modifiers::add_argument(ModNode& node, const syntax::Argument& argument, ClassDef* where) {
  switch (argument.kind) {
    case syntax::ArgumentKind::kModify:
      return add_modify(node, syntax::as<syntax::ModifyArgument>(argument), where);
    case syntax::ArgumentKind::kRedeclare:
      return add_redeclare(node, syntax::as<syntax::RedeclareArgument>(argument), where);
    case syntax::ArgumentKind::kBreakElement:
      node.removed.push_back(syntax::as<syntax::BreakElementArgument>(argument).name.symbol);
      return;
    case syntax::ArgumentKind::kBreakConnect:
      node.removed_connects.push_back(&syntax::as<syntax::BreakConnectArgument>(argument));
      return;
  }
}

const ModNode* Modifiers::of_redeclared_elements(ClassDef& cls) {
  const auto [position, is_new] = redeclared_.emplace(&cls, nullptr);
  if (!is_new) return position->second;
  ModNode* node = nullptr;
  for (const Declaration& declaration : cls.declarations) {
    const bool is_class_extends = declaration.cls != nullptr && declaration.cls->definition &&
                                  declaration.cls->long_class() != nullptr &&
                                  declaration.cls->long_class()->is_extends;
    if (declaration.element == nullptr) continue;
    if (!declaration.element->is_redeclare && !is_class_extends) continue;
    if (node == nullptr) node = make(Symbol(), declaration.range());
    ModNode* redeclared = sub(*node, declaration.name(), declaration.range());
    redeclared->redeclaration = &declaration;
    redeclared->is_element = true;
    redeclared->is_final = declaration.element->is_final;
  }
  redeclared_[&cls] = node;
  return node;
}

const syntax::Modification* find_annotation(const syntax::Modification* annotation, Symbol name) {
  if (annotation == nullptr) return nullptr;
  for (const syntax::Argument* argument : annotation->arguments) {
    const auto* modify = syntax::find<syntax::ModifyArgument>(argument);
    if (modify != nullptr && modify->name.parts.size() == 1 &&
        modify->name.parts.front().symbol == name)
      return modify->modification;
  }
  return nullptr;
}

bool annotation_is_true(const syntax::Modification* annotation, Symbol name) {
  const syntax::Modification* found = find_annotation(annotation, name);
  if (found == nullptr) return false;
  const auto* value = syntax::find<syntax::BooleanExpr>(found->value);
  return value != nullptr && value->value;
}

}  // namespace hydae::modelica
