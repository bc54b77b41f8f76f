// One element of a class: which declaration is in force, and which modifiers apply to it.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

class ElementMaker {
 public:
  explicit ElementMaker(Session& session) : session_(session) {}

  Element& make_element(Instance& part, const Declaration& declaration);

 private:
  ModList modifiers_for(const Instance& part, Symbol name);
  Element& build_element(Instance& part, const Declaration& declaration, const ModList& mods,
                         std::size_t first);
  void apply_redeclaration(Element& element, Instance& part, const Declaration& original,
                           const ModList& mods, std::size_t at);
  const ModNode* modifier_of(const Declaration& declaration, Instance& where);
  const ModNode* constraint_of(const Declaration& declaration, Instance& where);
  const ModNode* constraint_of_redeclaration(const ModRef& ref);

  Session& session_;
};

}  // namespace hydae::modelica
