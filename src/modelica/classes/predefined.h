// The classes that every model has: Real, Integer, ..., StateSelect; and the types of enumerations.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "modelica/classes/instance.h"

namespace hydae::modelica {

class Session;

class PredefinedClasses {
 public:
  // `root`: the scope that they are in.
  PredefinedClasses(Session& session, Instance& root);

  Element* find(Symbol name) const;  // null if there is none
  const EnumType& enumeration_of(const ClassDef& cls, const syntax::EnumerationClass& definition);

 private:
  Element& add(Symbol name, BaseType type);
  Element& add_enumeration(const std::string& name, std::vector<std::string> literals);

  Session& session_;
  Instance& root_;
  std::unordered_map<Symbol, Element*> by_name_;
  std::deque<EnumType> enumerations_;
  std::unordered_map<const syntax::ClassDefinition*, const EnumType*> of_definition_;
};

}  // namespace hydae::modelica
