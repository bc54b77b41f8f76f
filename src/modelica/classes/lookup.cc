// Lookup of names: simple ones from the inside out, dotted ones from the outside in, imports.
#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/classes/elaborate.h"
#include "modelica/expressions/builtin_functions.h"

namespace hydae::modelica {

namespace {

Instance& make_root(Session& session) {
  Instance& root = session.make_instance();
  root.whole = &root;
  root.progress = Progress::kDone;
  return root;
}

}  // namespace

Classes::Classes(Session& session)
    : session_(session), root_(&make_root(session)), predefined_(session, *root_) {}

// ---- simple names ----

Element* Classes::find_top(Symbol name) {
  const auto found = root_->table.find(name);
  if (found != root_->table.end()) return found->second;
  ClassDef* cls = session_.workspace.find_top(name);
  Element* element = cls == nullptr ? nullptr : &make_class_element(*cls, *root_);
  root_->table[name] = element;
  return element;
}

Element* Classes::find_member(Instance& instance, Symbol name) {
  if (&instance == root_) return find_top(name);
  elaborate(instance);
  return find_listed(instance, name);
}

namespace {

bool has_prefix(const Element& cls, bool syntax::Element::*prefix) {
  return cls.is_class() && cls.declaration != nullptr && cls.declaration->element != nullptr &&
         cls.declaration->element->*prefix;
}

// An outer class stands for the inner one of that name further up, if there is one (5.4).
Element& inner_class(Classes& classes, Element& cls) {
  if (!has_prefix(cls, &syntax::Element::is_outer)) return cls;
  for (const Instance* at = cls.owner; at->component != nullptr;) {
    Instance* above = at->component->element->owner;
    Element* found = classes.find_member(*above, cls.name);
    if (found != nullptr && has_prefix(*found, &syntax::Element::is_inner)) return *found;
    at = above;
  }
  return cls;
}

}  // namespace

Found Classes::find(Symbol name, Instance& scope) {
  for (Instance* at = &scope; at != nullptr; at = at->enclosing) {
    if (Element* element = find_member(*at, name))
      return {&inner_class(*this, *element), at, at != &scope};
    if (at->def == nullptr) continue;
    if (Element* element = find_import(name, *at)) return {element, at, at != &scope};
    if (at->def->definition != nullptr && at->def->definition->is_encapsulated) break;
  }
  return {predefined_.find(name), root_, true};
}

Element* Classes::find_global(std::span<const syntax::Ident> parts) {
  Element* element = nullptr;
  for (const syntax::Ident& part : parts) {
    if (element == nullptr)
      element = find_top(part.symbol);
    else if (element->is_class())
      element = find_member(plain(*element), part.symbol);
    else
      return nullptr;
    if (element == nullptr) return nullptr;
  }
  return element;
}

Element* Classes::find_import_member(const syntax::Name& package, Symbol name) {
  Element* element = find_global(package.parts);
  if (element == nullptr || !element->is_class()) return nullptr;
  Element* member = find_member(plain(*element), name);
  return member != nullptr && !member->is_protected ? member : nullptr;
}

// An import takes what is public in packages (13.2.1).
void Classes::check_imported(const syntax::ImportElement& import) {
  const auto parts = std::span<const syntax::Ident>(import.name.parts);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Element& package = *find_global(parts.first(i));
    if (package.cls != nullptr && !package.cls->is(syntax::ClassKind::kPackage))
      session_.error("import-from-class",
                     fmt::format("`{}` is no package: an import takes from packages",
                                 session_.text(package.name)),
                     import.name.range);
    if (find_global(parts.first(i + 1))->is_protected)
      session_.error("protected-access",
                     fmt::format("`{}` is protected: it cannot be used from outside",
                                 session_.text(parts[i].symbol)),
                     import.name.range);
  }
}

Element* Classes::find_import(Symbol name, Instance& scope) {
  const auto not_found = [&](const syntax::ImportElement& import) {
    session_.fail(
        "import-not-found",
        fmt::format("`{}` is not found", session_.workspace.sources()->text(import.name.range)),
        import.name.range);
  };
  Element* from_all = nullptr;
  for (const syntax::ImportElement* import : scope.def->imports) {
    const auto parts = std::span<const syntax::Ident>(import->name.parts);
    if (parts.empty()) continue;
    if (import->is_all) {
      Element* member = find_import_member(import->name, name);
      if (member == nullptr || member == from_all) continue;
      if (from_all != nullptr)
        session_.fail(
            "ambiguous-import",
            fmt::format("`{}` is found in several imported packages", session_.text(name)),
            import->name.range);
      from_all = member;
    } else if (!import->members.empty()) {
      for (const syntax::Ident& member : import->members) {
        if (member.symbol != name) continue;
        if (Element* element = find_import_member(import->name, name)) return element;
        not_found(*import);
      }
    } else {
      const Symbol local = import->alias.is_valid() ? import->alias.symbol : parts.back().symbol;
      if (local != name) continue;
      if (Element* element = find_global(parts)) {
        check_imported(*import);
        return element;
      }
      not_found(*import);
    }
  }
  return from_all;
}

// ---- dotted names ----

void Classes::fail_not_found(Symbol name, Instance& scope, SourceRange range,
                             const std::string& what) {
  std::vector<std::string> candidates;
  const ClassDef* behind = nullptr;  // has the name, but behind an encapsulated class
  bool is_encapsulated = false;
  for (Instance* at = &scope; at != nullptr && at != root_; at = at->enclosing) {
    for (const Element* element : at->elements) {
      if (is_encapsulated && element->name == name) behind = at->def;
      if (!is_encapsulated) candidates.push_back(session_.text(element->name));
    }
    // Predefined types have no definition.
    if (at->def != nullptr && at->def->definition != nullptr)
      is_encapsulated |= at->def->definition->is_encapsulated;
  }
  for (const std::string& top : session_.workspace.top_names()) candidates.push_back(top);
  const std::vector<std::string> predefined =
      what == "function" ? builtin_names()
      : what == "class"  ? std::vector<std::string>{"Real", "Integer", "Boolean", "String"}
                         : std::vector<std::string>{"time"};
  candidates.insert(candidates.end(), predefined.begin(), predefined.end());
  Diagnostic diagnostic;
  diagnostic.code = "name-not-found";
  const std::string where = scope.def == nullptr
                                ? ""
                                : fmt::format(" in {} or its enclosing classes",
                                              hydae::quoted(session_.text(scope.def->name)));
  diagnostic.message =
      fmt::format("{} {} not found{}", what, hydae::quoted(session_.text(name)), where);
  diagnostic.range = range;
  const std::vector<std::string> near = nearest_names(session_.text(name), candidates);
  if (behind != nullptr) {
    const std::string package = session_.workspace.qualified_name(*behind);
    diagnostic.help = fmt::format("an encapsulated class does not see it: `import {};` and `{}.{}`",
                                  package, package, session_.text(name));
  } else if (!near.empty()) {
    diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
  }
  session_.fail(std::move(diagnostic));
}

namespace {

// A package, or a class that could be one: it holds classes and constants (5.3.2).
bool is_open(const Instance& scope) {
  if (scope.def == nullptr || scope.def->is(syntax::ClassKind::kPackage)) return true;
  return std::ranges::all_of(scope.elements, [](const Element* element) {
    return element->component == nullptr ||
           element->declaration->clause->variability == syntax::Variability::kConstant;
  });
}

bool is_encapsulated(const Element& cls) {
  return cls.cls != nullptr && cls.cls->definition != nullptr &&
         cls.cls->definition->is_encapsulated;
}

}  // namespace

Element& Classes::next_class(Element& cls, const syntax::Ident& part) {
  Instance& scope = plain(cls);
  Element* member = find_member(scope, part.symbol);
  if (member == nullptr) {
    std::vector<std::string> candidates;
    for (const Element* element : scope.elements)
      candidates.push_back(session_.text(element->name));
    Diagnostic diagnostic;
    diagnostic.code = "name-not-found";
    diagnostic.message =
        fmt::format("class {} not found in {}", hydae::quoted(session_.text(part.symbol)),
                    hydae::quoted(session_.text(cls.name)));
    diagnostic.range = part.range;
    const std::vector<std::string> near = nearest_names(session_.text(part.symbol), candidates);
    if (!near.empty())
      diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
    session_.fail(std::move(diagnostic));
  }
  if (member->is_protected)
    session_.fail("protected-access",
                  fmt::format("`{}` is protected: it cannot be used from outside",
                              session_.text(part.symbol)),
                  part.range);
  if (!is_open(scope) && !is_encapsulated(*member))
    session_
        .error("lookup-in-class",
               fmt::format("`{}` is inside of `{}`, which is no package",
                           session_.text(part.symbol), session_.text(cls.name)),
               part.range)
        .help = "move it into a package, or declare it `encapsulated`";
  return *member;
}

Element& Classes::find_class(const syntax::Name& name, Instance& scope) {
  if (name.parts.empty()) throw Failure();  // the parser has told
  const syntax::Ident& first = name.parts.front();
  Element* element = name.is_global ? find_top(first.symbol) : find(first.symbol, scope).element;
  if (element == nullptr && first.symbol == session_.names.types.clock)
    session_.unsupported("clocks (type `Clock`) are", first.range);
  if (element == nullptr) fail_not_found(first.symbol, scope, first.range, "class");
  for (std::size_t i = 1; i < name.parts.size(); ++i) {
    if (!element->is_class()) break;
    element = &next_class(*element, name.parts[i]);
  }
  if (!element->is_class())
    session_.fail(
        "not-a-class",
        fmt::format("{} is a component, not a class", hydae::quoted(session_.text(element->name))),
        name.range);
  return *element;
}

Element* Classes::find_class(const std::string& dotted_name) {
  std::vector<syntax::Ident> parts;
  std::size_t begin = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i <= dotted_name.size(); ++i) {
    if (i < dotted_name.size() && dotted_name[i] == '\'') is_quoted = !is_quoted;
    if (i < dotted_name.size() && (dotted_name[i] != '.' || is_quoted)) continue;
    parts.push_back({session_.workspace.intern(dotted_name.substr(begin, i - begin)), {}});
    begin = i + 1;
  }
  Element* element = find_global(parts);
  return element != nullptr && element->is_class() ? element : nullptr;
}

// ---- kinds ----

bool Classes::is_kind(Instance& instance, syntax::ClassKind kind) {
  return instance.def != nullptr && instance.def->is(kind);
}

bool Classes::is_function(Instance& instance) {
  return is_kind(instance, syntax::ClassKind::kFunction) ||
         is_kind(instance, syntax::ClassKind::kOperatorFunction);
}

bool Classes::is_record(Instance& instance) {
  return is_kind(instance, syntax::ClassKind::kRecord) ||
         is_kind(instance, syntax::ClassKind::kOperatorRecord);
}

bool Classes::is_connector(Instance& instance) {
  return is_kind(instance, syntax::ClassKind::kConnector) ||
         is_kind(instance, syntax::ClassKind::kExpandableConnector);
}

}  // namespace hydae::modelica
