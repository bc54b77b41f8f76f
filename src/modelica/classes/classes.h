// Lookup of names and elaboration of classes: extends clauses, modifiers, redeclarations
// (Modelica 3.6, chapters 5 and 7).
#pragma once

#include <string>
#include <vector>

#include "modelica/session.h"

namespace hydae::modelica {

class Classes {
 public:
  explicit Classes(Session& session);

  Instance& root() { return *root_; }

  // Fills elements, bases and predefined type; throws Failure if the class is wrong.
  void elaborate(Instance& instance);
  // Own or inherited element of the instance; null if there is none.
  Element* find_member(Instance& instance, Symbol name);
  // Simple name from `scope` outwards (5.3.1).
  Found find(Symbol name, Instance& scope);
  // A class by its name; failing that, a diagnostic and Failure.
  Element& find_class(const syntax::Name& name, Instance& scope);
  // Same by dotted text from the top, without a message: for the model to be simulated.
  Element* find_class(const std::string& dotted_name);

  // The class as a scope: for constants, functions and nested classes.
  Instance& plain(Element& cls);
  // The class as a component.
  Instance& instantiate(Element& cls, ModList mods, Component& component, std::int64_t linear);

  // A class that is written in `scope` (a function in a modifier, the inner of a missing outer).
  Element& make_class_element(ClassDef& cls, Instance& scope);
  // Adds an element to an elaborated instance.
  void add_element(Instance& instance, Element& element);

  // The class is of this kind, possibly through short classes.
  bool is_kind(Instance& instance, syntax::ClassKind kind);
  bool is_function(Instance& instance);
  bool is_record(Instance& instance);
  bool is_connector(Instance& instance);

  [[noreturn]] void fail_not_found(Symbol name, Instance& scope, SourceRange range,
                                   const std::string& what);

 private:
  void make_predefined();
  Element& predefined_class(Symbol name, BaseType type);
  Element& predefined_enumeration(const std::string& name, std::vector<std::string> literals);
  Element* find_top(Symbol name);
  Element* find_import(Symbol name, Instance& scope);
  void check_imported(const syntax::ImportElement& import);
  Element* find_import_member(const syntax::Name& package, Symbol name);
  Element* find_global(std::span<const syntax::Ident> parts);
  Element& next_class(Element& cls, const syntax::Ident& part);

  void elaborate_short(Instance& instance, const syntax::ShortClass& definition);
  void elaborate_enumeration(Instance& instance, const syntax::EnumerationClass& definition);
  void elaborate_long(Instance& instance);
  Instance& make_base(Instance& derived, Element& base, ModList mods);
  Instance* elaborate_extends(Instance& instance, const Declaration& declaration);
  Instance* elaborate_class_extends(Instance& instance);
  void inherit(Instance& instance, Instance& base, bool is_protected);
  // The element of that name that counts: `element`, or an equal one that is already there.
  Element& add(Instance& instance, Element& element);
  bool is_same_declaration(const Element& a, const Element& b) const;
  void replace(Instance& part, const Element& old, Element& kept);
  Element* find_listed(Instance& instance, Symbol name);
  void check_bases(const Instance& derived, const ClassDef* def, SourceRange range);
  void check_extends_lookup(Instance& instance);
  void check_modifiers(Instance& instance, const ModRef& mod);

  ModList modifiers_for(const Instance& part, Symbol name);
  Element& make_element(Instance& part, const Declaration& declaration);
  Element& build_element(Instance& part, const Declaration& declaration, const ModList& mods,
                         std::size_t first);
  void apply_redeclaration(Element& element, Instance& part, const Declaration& original,
                           const ModList& mods, std::size_t at);
  const ModNode* modifier_of(const Declaration& declaration, Instance& where);
  const ModNode* constraint_of(const Declaration& declaration, Instance& where);
  const ModNode* constraint_of_redeclaration(const ModRef& ref);

  Session& session_;
  Instance* root_;
  std::unordered_map<Symbol, Element*> predefined_;
  std::deque<EnumType> enumerations_;
  std::unordered_map<const syntax::ClassDefinition*, const EnumType*> enum_of_definition_;
};

}  // namespace hydae::modelica
