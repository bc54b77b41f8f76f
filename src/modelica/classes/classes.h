// Lookup of names and elaboration of classes: extends clauses, modifiers, redeclarations
// (Modelica 3.6, chapters 5 and 7).
#pragma once

#include <string>
#include <vector>

#include "modelica/classes/predefined.h"
#include "modelica/session.h"

namespace hydae::modelica {

class Classes {
 public:
  explicit Classes(Session& session);

  Instance& root() { return *root_; }
  PredefinedClasses& predefined() { return predefined_; }

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
  Element* find_top(Symbol name);
  Element* find_import(Symbol name, Instance& scope);
  void check_imported(const syntax::ImportElement& import);
  Element* find_import_member(const syntax::Name& package, Symbol name);
  Element* find_global(std::span<const syntax::Ident> parts);
  Element& next_class(Element& cls, const syntax::Ident& part);

  Session& session_;
  Instance* root_;
  PredefinedClasses predefined_;
};

}  // namespace hydae::modelica
