// Classes in use. An Instance is a class definition together with the place it is seen from (the
// enclosing instance) and its modifiers: a component, a package such as `Medium(nX = 2)`, a
// function, or one base class of these. Names in the text of a class are looked up in its Instance,
// then in the enclosing ones; text inherited from a base class is looked up in the Instance of that
// base class, never in the derived one (5.6.1.4).
//
// An Element is a named member of an instance: a component or a class. Everything is made on demand
// and lives as long as the session.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include <hydae/model.h>

#include "modelica/classes/class_tree.h"
#include "modelica/classes/modification.h"
#include "modelica/expressions/value.h"

namespace hydae::modelica {

struct Component;
struct Element;
struct Instance;

// Which element of an array of components a modifier is for: its value is the whole array (7.2.5).
struct IndexChain {
  const IndexChain* outer = nullptr;
  const Component* array = nullptr;
  std::int64_t linear = 0;  // row-major position
};

// A modifier that applies to an element, and where the names in it are looked up.
struct ModRef {
  const ModNode* mod = nullptr;
  Instance* scope = nullptr;
  const IndexChain* indices = nullptr;
};
using ModList = std::vector<ModRef>;  // strongest first

// Array dimensions written behind a type or a short class, with their scope.
struct WrittenSizes {
  syntax::List<const syntax::Expr*> subscripts;
  Instance* scope = nullptr;
};

enum class Progress : std::uint8_t { kUntouched, kInProgress, kDone, kFailed };

struct Instance {
  ClassDef* def = nullptr;         // null for the root and the predefined classes
  Instance* enclosing = nullptr;   // null for the root
  Instance* whole = nullptr;       // the most derived instance this is a base class of; or itself
  Instance* derived = nullptr;     // the instance whose extends clause this is; null if `whole`
  Component* component = nullptr;  // that this is, or an element of; null for classes
  std::int64_t linear = 0;         // row-major position if the component is an array
  int depth = 0;                   // components above
  ModList mods;
  ModList weak_mods;  // of the constraining clause: weaker than those of a short class definition
  Element* replaced = nullptr;  // what `class extends` extends

  // Filled by elaboration:
  Progress progress = Progress::kUntouched;
  std::vector<Element*> elements;  // own and inherited, in the order of the text
  std::unordered_map<Symbol, Element*> table;
  std::vector<Instance*> bases;
  std::vector<const ModNode*> base_mods;  // modifier of each extends clause, for `break connect`

  // A class derived from a predefined type has no elements but these:
  std::optional<BaseType> builtin;  // nothing: a class with elements of its own
  const EnumType* enumeration = nullptr;
  ModList attributes;  // modifiers of unit, start, ..., strongest first
  // Through short classes:
  std::vector<WrittenSizes> sizes;
  syntax::Causality causality = syntax::Causality::kNone;

  bool is_builtin() const { return builtin.has_value(); }
};

struct Element {
  Symbol name;
  const Declaration* declaration = nullptr;  // in force
  const Declaration* original = nullptr;     // the first one: what a redeclaration inherits
  Instance* scope = nullptr;                 // where `declaration` is written
  Instance* original_scope = nullptr;
  Instance* owner = nullptr;  // whole instance it is a member of
  ModList mods;               // of a component with those of its declaration
  bool is_protected = false;
  bool is_redeclared = false;

  // Classes:
  ClassDef* cls = nullptr;  // null for predefined classes
  ModList weak_mods;
  Element* replaced = nullptr;
  Instance* plain = nullptr;  // the class itself, as a scope

  // Components:
  Component* component = nullptr;
  int slot = -1;  // of a function: position among its variables

  bool is_class() const { return component == nullptr && (cls != nullptr || plain != nullptr); }
};

// Size of one dimension and what counts it.
struct Dimension {
  int size = 0;
  const EnumType* enumeration = nullptr;
  bool is_boolean = false;
};

enum class Variability : std::uint8_t { kConstant, kParameter, kDiscrete, kContinuous };

// Value given in the declaration or by a modifier; the strongest one.
struct Binding {
  const syntax::Expr* expr = nullptr;
  Instance* scope = nullptr;
  const IndexChain* indices = nullptr;
  const ModNode* mod = nullptr;
  bool is_each = false;
  bool is_final = false;
  std::size_t strength = 0;  // position in the list of modifiers
};

// What was found of a binding, each part once.
struct BoundValue {
  bool is_known = false;  // looked for
  std::optional<Binding> written;
  Progress progress = Progress::kUntouched;
  std::shared_ptr<const Value> value;
};

// inner and outer (5.4).
struct InnerOuter {
  bool is_inner = false;
  bool is_outer = false;
  Component* target = nullptr;      // of an outer component: the inner one
  Component* inner_twin = nullptr;  // of an `inner outer` component: its inner side
};

// What annotations say of a component, and what reading the model has shown of it.
struct ComponentMarks {
  bool is_evaluated = false;       // annotation(Evaluate = true), also of an enclosing component
  bool is_free_at_events = false;  // annotation(__hydae(freeAtEvents = true))
  bool is_structural = false;      // its value shaped the model
  bool is_conditional = false;     // it has a condition
};

struct Component {
  Element* element = nullptr;
  Instance* type = nullptr;  // the class as a scope; also tells whether it is predefined
  Element* type_element = nullptr;
  Variability variability = Variability::kContinuous;
  syntax::Causality causality = syntax::Causality::kNone;
  syntax::Connection connection = syntax::Connection::kNone;
  bool is_protected = false;
  bool is_final = false;
  bool is_discrete = false;        // declared discrete or assigned in a when-clause
  bool is_part = false;            // of a flat text: a name for its binding, no variable
  bool is_free_parameter = false;  // parameter with fixed = false: an unknown of the start
  InnerOuter link;
  ComponentMarks marks;

  Progress expansion = Progress::kUntouched;  // condition, sizes, instances
  bool is_present = true;                     // its condition is true
  CheckedList<Dimension> dimensions;
  CheckedList<Instance*> instances;  // of a class with components, row by row

  Progress valuation = Progress::kUntouched;
  Value value;  // of a predefined type
  BoundValue bound;

  VariableKind kind() const;  // as its type says
  BaseType base() const { return type->builtin.value_or(BaseType::kRecord); }
  Sizes sizes() const {
    Sizes out;
    for (const Dimension& dimension : dimensions) out.push_back(dimension.size);
    return out;
  }
};

// Where a simple name was found.
struct Found {
  Element* element = nullptr;  // null: not found
  Instance* scope = nullptr;   // instance that has it
  bool is_enclosing = false;   // not the scope asked, but one around it
};

}  // namespace hydae::modelica
