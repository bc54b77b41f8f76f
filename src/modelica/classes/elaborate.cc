#include "modelica/classes/elaborate.h"

#include <cctype>
#include <fmt/format.h>

#include "modelica/classes/base_rules.h"
#include "modelica/classes/classes.h"
#include "modelica/classes/make_element.h"

namespace hydae::modelica {

namespace {

constexpr std::size_t kLinearSearch = 8;  // more elements than this get a table

}  // namespace

// ---- making instances ----

Element& Classes::make_class_element(ClassDef& cls, Instance& scope) {
  Element& element = session_.make_element();
  element.name = cls.name;
  element.scope = &scope;
  element.owner = scope.whole;
  element.cls = &cls;
  return element;
}

Instance& Classes::plain(Element& cls) {
  if (cls.plain != nullptr) return *cls.plain;
  Instance& instance = session_.make_instance();
  instance.def = cls.cls;
  instance.enclosing = cls.scope;
  instance.whole = &instance;
  instance.mods = cls.mods;
  instance.weak_mods = cls.weak_mods;
  instance.replaced = cls.replaced;
  cls.plain = &instance;
  return instance;
}

Instance& Classes::instantiate(Element& cls, ModList mods, Component& component,
                               std::int64_t linear) {
  Instance& instance = session_.make_instance();
  instance.def = cls.cls;
  instance.enclosing = cls.scope;
  instance.whole = &instance;
  instance.component = &component;
  instance.linear = linear;
  const Instance* owner = component.element->owner;
  instance.depth = owner == nullptr ? 0 : owner->depth + 1;
  instance.mods = std::move(mods);
  instance.mods.insert(instance.mods.end(), cls.mods.begin(), cls.mods.end());
  instance.weak_mods = cls.weak_mods;
  instance.replaced = cls.replaced;
  return instance;
}

Instance& Elaborator::make_base(Instance& derived, Element& base, ModList mods) {
  Instance& instance = session_.make_instance();
  instance.def = base.cls;
  instance.enclosing = base.scope;
  instance.whole = derived.whole;
  instance.derived = &derived;
  instance.component = derived.component;
  instance.linear = derived.linear;
  instance.depth = derived.depth;
  instance.mods = std::move(mods);
  instance.mods.insert(instance.mods.end(), base.mods.begin(), base.mods.end());
  instance.weak_mods = base.weak_mods;
  instance.replaced = base.replaced;
  return instance;
}

// ---- elaboration ----

void Classes::elaborate(Instance& instance) {
  if (instance.progress == Progress::kDone || instance.progress == Progress::kInProgress) return;
  if (instance.progress == Progress::kFailed) throw Failure();
  instance.progress = Progress::kInProgress;
  try {
    session_.check_stack(instance.def->definition ? instance.def->definition->name.range
                                                  : SourceRange());
    if (!session_.workspace.require(*instance.def)) throw Failure();
    switch (instance.def->definition->kind) {
      case syntax::ClassForm::kLong: Elaborator(session_).elaborate_long(instance); break;
      case syntax::ClassForm::kShort:
        Elaborator(session_).elaborate_short(
            instance, syntax::as<syntax::ShortClass>(*instance.def->definition));
        break;
      case syntax::ClassForm::kEnumeration:
        Elaborator(session_).elaborate_enumeration(
            instance, syntax::as<syntax::EnumerationClass>(*instance.def->definition));
        break;
      case syntax::ClassForm::kDerivative: break;  // see Functions
    }
    if (instance.whole == &instance)
      for (const ModRef& mod : instance.mods) Elaborator(session_).check_modifiers(instance, mod);
  } catch (...) {
    instance.progress = Progress::kFailed;
    throw;
  }
  instance.progress = Progress::kDone;
}

// A class that extends itself, directly or through others.
void Elaborator::check_bases(const Instance& derived, const ClassDef* def, SourceRange range) {
  int depth = 0;
  std::string chain = session_.text(def->name);
  for (const Instance* at = &derived; at != nullptr; at = at->derived) {
    chain = fmt::format("{} -> {}", session_.text(at->def->name), chain);
    if (at->def == def)
      session_.fail("cyclic-extends",
                    fmt::format("class `{}` extends itself: {}", session_.text(def->name), chain),
                    range);
    if (++depth > session_.limits.extends_depth)
      session_.fail("nested-too-deeply", "the chain of base classes is too long", range);
  }
}

void Elaborator::elaborate_short(Instance& instance, const syntax::ShortClass& definition) {
  Element& base = session_.classes->find_class(definition.base, *instance.enclosing);
  ModList mods = instance.mods;
  // A short class definition adds no scope: its modifier stands in the enclosing class (4.5.1).
  if (const ModNode* mod = session_.modifiers.of(definition.modification, instance.def->parent))
    mods.push_back({mod, instance.enclosing, nullptr});
  mods.insert(mods.end(), instance.weak_mods.begin(), instance.weak_mods.end());
  if (!definition.subscripts.empty())
    instance.sizes.push_back({definition.subscripts, instance.enclosing});
  instance.causality = definition.base_prefix;
  if (base.cls == nullptr) {
    instance.builtin = base.plain->builtin;
    instance.enumeration = base.plain->enumeration;
    instance.attributes = std::move(mods);
    return;
  }
  check_bases(instance, base.cls, definition.base.range);
  Instance& made = make_base(instance, base, std::move(mods));
  inherit(instance, made, false);
  check_base_kind(session_, {instance, made, definition.base.range});
  if (const ModNode* mod = session_.modifiers.of(definition.modification, instance.def->parent))
    check_modifiers(made, {mod, instance.enclosing, nullptr});
}

void Elaborator::elaborate_enumeration(Instance& instance,
                                       const syntax::EnumerationClass& definition) {
  instance.builtin = BaseType::kEnumeration;
  instance.enumeration = &session_.classes->predefined().enumeration_of(*instance.def, definition);
  instance.attributes = instance.mods;
}

void Elaborator::elaborate_long(Instance& instance) {
  instance.mods.insert(instance.mods.end(), instance.weak_mods.begin(), instance.weak_mods.end());
  const ModNode* redeclared = session_.modifiers.of_redeclared_elements(*instance.def);
  const auto is_own = [&](const Declaration& declaration) {
    return declaration.name().is_valid() &&
           (redeclared == nullptr || redeclared->find(declaration.name()) == nullptr);
  };
  // Own names first: base classes are looked up among them, not among what is inherited (5.6.1.4).
  for (const Declaration& declaration : instance.def->declarations)
    if (is_own(declaration))
      session_.classes->add_element(instance,
                                    ElementMaker(session_).make_element(instance, declaration));
  const std::vector<Element*> own = instance.elements;

  std::vector<std::pair<Instance*, bool>> bases;  // base class, is protected
  if (Instance* replaced = elaborate_class_extends(instance)) bases.push_back({replaced, false});
  const std::size_t num_implicit = bases.size();
  for (const Declaration& declaration : instance.def->declarations)
    if (declaration.extends != nullptr)
      bases.push_back({elaborate_extends(instance, declaration), declaration.is_protected});

  instance.elements.clear();
  instance.table.clear();
  for (std::size_t i = 0; i < num_implicit; ++i) inherit(instance, *bases[i].first, false);
  std::size_t next_own = 0, next_base = num_implicit;
  for (const Declaration& declaration : instance.def->declarations) {
    if (declaration.extends != nullptr) {
      inherit(instance, *bases[next_base].first, bases[next_base].second);
      ++next_base;
    } else if (is_own(declaration)) {
      add(instance, *own[next_own++]);
    }
  }
  if (redeclared != nullptr)
    for (const ModNode* mod : redeclared->subs)
      if (find_listed(instance, mod->name) == nullptr)
        session_.error(
            "redeclare-nothing",
            fmt::format("no inherited element `{}` to redeclare", session_.text(mod->name)),
            mod->range);
  check_extends_lookup(instance);
}

// The modifiers of the base classes of `instance`: those from outside, redeclarations among its
// elements, those of the extends clause.
Instance* Elaborator::elaborate_extends(Instance& instance, const Declaration& declaration) {
  const syntax::Name& name = declaration.extends->base;
  Element& base = session_.classes->find_class(name, instance);
  ModList mods = instance.mods;
  if (const ModNode* redeclared = session_.modifiers.of_redeclared_elements(*instance.def))
    mods.push_back({redeclared, &instance, nullptr});
  const ModNode* own = session_.modifiers.of(declaration.extends->modification, instance.def);
  if (own != nullptr) mods.push_back({own, &instance, nullptr});
  if (base.cls == nullptr) {
    Instance& builtin = session_.make_instance();
    builtin.whole = instance.whole;
    builtin.derived = &instance;
    builtin.builtin = base.plain->builtin;
    builtin.enumeration = base.plain->enumeration;
    builtin.attributes = std::move(mods);
    builtin.progress = Progress::kDone;
    check_lone_base(session_, {instance, builtin, name.range});
    return &builtin;
  }
  check_bases(instance, base.cls, name.range);
  check_base_name(session_, name, instance);
  Instance& made = make_base(instance, base, std::move(mods));
  session_.classes->elaborate(made);
  check_base_kind(session_, {instance, made, name.range});
  check_lone_base(session_, {instance, made, name.range});
  if (own != nullptr) {
    check_modifiers(made, {own, &instance, nullptr});
    for (const Symbol removed : own->removed) {
      const auto is_removed = [&](const Element* element) { return element->name == removed; };
      if (std::erase_if(made.elements, is_removed) == 0)
        session_.error("no-such-element",
                       fmt::format("`{}` has no element `{}` to remove", session_.text(base.name),
                                   session_.text(removed)),
                       own->range);
    }
    if (!own->removed.empty()) {
      made.table.clear();
      for (Element* element : made.elements) made.table.emplace(element->name, element);
    }
  }
  instance.base_mods.push_back(own);
  return &made;
}

// `redeclare model extends X(...)`: the replaced class is the first base class (7.3.1).
Instance* Elaborator::elaborate_class_extends(Instance& instance) {
  const syntax::LongClass& definition = *instance.def->long_class();
  if (!definition.is_extends) return nullptr;
  if (instance.replaced == nullptr)
    session_.fail(
        "redeclare-nothing",
        fmt::format("no inherited class `{}` to extend", session_.text(definition.name.symbol)),
        definition.name.range);
  ModList mods = instance.mods;
  if (const ModNode* redeclared = session_.modifiers.of_redeclared_elements(*instance.def))
    mods.push_back({redeclared, &instance, nullptr});
  if (const ModNode* own = session_.modifiers.of(definition.modification, instance.def))
    mods.push_back({own, &instance, nullptr});
  Instance& made = make_base(instance, *instance.replaced, std::move(mods));
  session_.classes->elaborate(made);
  instance.base_mods.push_back(nullptr);
  return &made;
}

void Elaborator::inherit(Instance& instance, Instance& base, bool is_protected) {
  session_.classes->elaborate(base);
  instance.bases.push_back(&base);
  if (base.is_builtin()) {
    instance.builtin = base.builtin;
    instance.enumeration = base.enumeration;
    instance.attributes = base.attributes;
  }
  instance.sizes.insert(instance.sizes.end(), base.sizes.begin(), base.sizes.end());
  if (instance.causality == syntax::Causality::kNone) instance.causality = base.causality;
  const std::vector<Element*> inherited = base.elements;
  for (Element* element : inherited) {
    if (is_protected) element->is_protected = true;
    Element& kept = add(instance, *element);
    if (&kept != element) replace(base, *element, kept);
  }
}

// The text of `part` and of its base classes means `kept` from now on.
void Elaborator::replace(Instance& part, const Element& old, Element& kept) {
  for (Element*& element : part.elements)
    if (element == &old) element = &kept;
  const auto found = part.table.find(old.name);
  if (found != part.table.end() && found->second == &old) found->second = &kept;
  for (Instance* base : part.bases) replace(*base, old, kept);
}

namespace {

bool has_value(const Element& element) {
  const syntax::Modification* modification = element.declaration->component->modification;
  return modification != nullptr && modification->value != nullptr;
}

// Scalars of one type and with the same prefixes: they differ in attributes only.
bool is_same_type(const SourceSet& sources, const Element& a, const Element& b) {
  if (a.component == nullptr || b.component == nullptr) return false;
  if (has_value(a) || has_value(b)) return false;
  const syntax::ComponentElement &first = *a.declaration->clause, &second = *b.declaration->clause;
  return first.variability == second.variability && first.causality == second.causality &&
         first.connection == second.connection && first.type_subscripts.empty() &&
         second.type_subscripts.empty() && a.declaration->component->subscripts.empty() &&
         b.declaration->component->subscripts.empty() &&
         sources.text(first.type.range) == sources.text(second.type.range);
}

// The text without the blanks that do not count.
std::string without_blanks(std::string_view text) {
  std::string out;
  bool is_string = false;
  for (const char c : text) {
    if (c == '"') is_string = !is_string;
    if (is_string || !std::isspace(static_cast<unsigned char>(c))) out += c;
  }
  return out;
}

}  // namespace

bool Elaborator::is_same_declaration(const Element& a, const Element& b) const {
  const Declaration *first = a.declaration, *second = b.declaration;
  if (first == second) return true;
  if (first == nullptr || second == nullptr || first->is_component() != second->is_component())
    return false;
  const auto& sources = *session_.workspace.sources();
  const auto text = [&](SourceRange range) { return without_blanks(sources.text(range)); };
  if (!first->is_component()) {
    const bool is_read = first->cls->definition != nullptr && second->cls->definition != nullptr;
    return is_read && text(first->cls->definition->range) == text(second->cls->definition->range);
  }
  return first->clause->variability == second->clause->variability &&
         text(first->clause->type.range) == text(second->clause->type.range) &&
         text(first->range()) == text(second->range());
}

// Equal elements that come from two base classes are one (7.1); others with one name are an error.
Element& Elaborator::add(Instance& instance, Element& element) {
  Element* other = find_listed(instance, element.name);
  if (other != nullptr) {
    if (is_same_declaration(*other, element)) return *other;
    if (is_same_type(*session_.workspace.sources(), *other, element)) {
      session_.warning("duplicate-inherited",
                       fmt::format("`{}` is inherited twice with different modifiers",
                                   session_.text(element.name)),
                       element.declaration->range());
      other->mods.insert(other->mods.end(), element.mods.begin(), element.mods.end());
      return *other;
    }
    Diagnostic diagnostic;
    diagnostic.code = "duplicate-element";
    diagnostic.message = fmt::format("`{}` is inherited twice with different declarations",
                                     session_.text(element.name));
    diagnostic.range = element.declaration->range();
    diagnostic.notes.push_back({"the other declaration", other->declaration->range()});
    session_.fail(std::move(diagnostic));
  }
  session_.classes->add_element(instance, element);
  return element;
}

Element* find_listed(const Instance& instance, Symbol name) {
  if (!instance.table.empty()) {
    const auto found = instance.table.find(name);
    return found == instance.table.end() ? nullptr : found->second;
  }
  for (Element* element : instance.elements)
    if (element->name == name) return element;
  return nullptr;
}

void Classes::add_element(Instance& instance, Element& element) {
  instance.elements.push_back(&element);
  if (!instance.table.empty()) {
    instance.table.emplace(element.name, &element);
  } else if (instance.elements.size() > kLinearSearch) {
    for (Element* each : instance.elements) instance.table.emplace(each->name, each);
  }
}

// A base class must not be found elsewhere once the inherited elements are there (5.6.1.4).
void Elaborator::check_extends_lookup(Instance& instance) {
  for (const Declaration& declaration : instance.def->declarations) {
    if (declaration.extends == nullptr || declaration.extends->base.is_global) continue;
    const syntax::Name& name = declaration.extends->base;
    if (instance.def->table.contains(name.parts.front().symbol)) continue;
    if (const Element* element = find_listed(instance, name.parts.front().symbol))
      session_.error("extends-lookup-changed",
                     fmt::format("`{}` is looked up outside of `{}`, which inherits another `{}`",
                                 session_.text(element->name), session_.text(instance.def->name),
                                 session_.text(element->name)),
                     name.range);
  }
}

void Elaborator::check_modifiers(Instance& instance, const ModRef& ref) {
  if (instance.is_builtin()) return;  // attributes are checked where they are read
  for (const ModNode* sub : ref.mod->subs) {
    const Element* member = session_.classes->find_member(instance, sub->name);
    const bool is_component = instance.whole == &instance && instance.component != nullptr;
    if (member != nullptr && member->is_protected && is_component)
      session_.error("protected-access",
                     fmt::format("`{}` is protected: it cannot be changed from outside",
                                 session_.text(sub->name)),
                     sub->range);
    if (member != nullptr) continue;
    std::vector<std::string> candidates;
    for (const Element* element : instance.elements)
      candidates.push_back(session_.text(element->name));
    Diagnostic& diagnostic =
        session_.error("no-such-element",
                       fmt::format("`{}` has no element `{}` to modify",
                                   session_.text(instance.def->name), session_.text(sub->name)),
                       sub->range);
    const auto near = nearest_names(session_.text(sub->name), candidates);
    if (!near.empty())
      diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  }
}

}  // namespace hydae::modelica
