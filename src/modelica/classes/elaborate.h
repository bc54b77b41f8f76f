// Elaboration of classes: base classes first, then their elements in the order of the text.
#pragma once

#include "modelica/session.h"

namespace hydae::modelica {

// Among the elements that the instance has so far; null if it is none of them.
Element* find_listed(const Instance& instance, Symbol name);

class Elaborator {
 public:
  explicit Elaborator(Session& session) : session_(session) {}

  void elaborate_short(Instance& instance, const syntax::ShortClass& definition);
  void elaborate_enumeration(Instance& instance, const syntax::EnumerationClass& definition);
  void elaborate_long(Instance& instance);
  // What a modifier names is there, and may be modified.
  void check_modifiers(Instance& instance, const ModRef& mod);

 private:
  Instance& make_base(Instance& derived, Element& base, ModList mods);
  Instance* elaborate_extends(Instance& instance, const Declaration& declaration);
  Instance* elaborate_class_extends(Instance& instance);
  void inherit(Instance& instance, Instance& base, bool is_protected);
  // The element of that name that counts: `element`, or an equal one that is already there.
  Element& add(Instance& instance, Element& element);
  bool is_same_declaration(const Element& a, const Element& b) const;
  void replace(Instance& part, const Element& old, Element& kept);
  void check_bases(const Instance& derived, const ClassDef* def, SourceRange range);
  void check_extends_lookup(Instance& instance);

  Session& session_;
};

}  // namespace hydae::modelica
