#include "modelica/classes/predefined.h"

#include "modelica/session.h"

namespace hydae::modelica {

PredefinedClasses::PredefinedClasses(Session& session, Instance& root)
    : session_(session), root_(root) {
  add(session_.names.types.real, BaseType::kReal);
  add(session_.names.types.integer, BaseType::kInteger);
  add(session_.names.types.boolean, BaseType::kBoolean);
  add(session_.names.types.string, BaseType::kString);
  add(session_.names.types.external_object, BaseType::kExternalObject);
  add_enumeration("StateSelect", {"never", "avoid", "default", "prefer", "always"});
  add_enumeration("AssertionLevel", {"warning", "error"});
}

Element* PredefinedClasses::find(Symbol name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

Element& PredefinedClasses::add(Symbol name, BaseType type) {
  Element& element = session_.make_element();
  element.name = name;
  element.scope = element.owner = &root_;
  element.plain = &session_.make_instance();
  element.plain->whole = element.plain;
  element.plain->builtin = type;
  element.plain->progress = Progress::kDone;
  by_name_[name] = &element;
  return element;
}

Element& PredefinedClasses::add_enumeration(const std::string& name,
                                            std::vector<std::string> literals) {
  EnumType& type = enumerations_.emplace_back();
  type.name = name;
  for (const std::string& literal : literals)
    type.symbols.push_back(session_.workspace.intern(literal));
  type.literals = std::move(literals);
  Element& element = add(session_.workspace.intern(name), BaseType::kEnumeration);
  element.plain->enumeration = &type;
  return element;
}

const EnumType& PredefinedClasses::enumeration_of(const ClassDef& cls,
                                                  const syntax::EnumerationClass& definition) {
  const EnumType*& type = of_definition_[&definition];
  if (type != nullptr) return *type;
  EnumType& made = enumerations_.emplace_back();
  made.name = session_.workspace.qualified_name(cls);
  for (const syntax::EnumerationLiteral& literal : definition.literals) {
    made.symbols.push_back(literal.name.symbol);
    made.literals.push_back(session_.text(literal.name.symbol));
  }
  type = &made;
  return made;
}

}  // namespace hydae::modelica
