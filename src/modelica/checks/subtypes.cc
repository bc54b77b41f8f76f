#include "modelica/checks/subtypes.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"

namespace hydae::modelica {

namespace {

struct Claim {
  std::string name;  // of what is redeclared, or outer
  SourceRange range;
  SourceRange required_range;  // where it is said what is needed
};

class Subtypes {
 public:
  explicit Subtypes(Session& session) : session_(session) {}

  void check(const Element& redeclared) {
    const Declaration& declaration = *redeclared.declaration;
    const auto key = std::pair(&declaration, redeclared.original);
    if (!seen_.insert(key).second) return;
    Instance* given = nullptr;
    if (redeclared.component != nullptr)
      given = redeclared.component->type;
    else if (redeclared.plain != nullptr && redeclared.plain->progress == Progress::kDone)
      given = redeclared.plain;
    if (given == nullptr) return;  // nobody has used it
    Instance* required = required_by(redeclared);
    if (required == nullptr) return;
    compare(*given, *required,
            {session_.text(redeclared.name), declaration.range(), redeclared.original->range()});
  }

  void check(const Component& outer) {
    if (outer.link.target == nullptr || outer.link.target->type == nullptr) return;
    const Declaration &inner = *outer.link.target->element->declaration,
                      &here = *outer.element->declaration;
    if (!seen_.insert({&inner, &here}).second) return;
    compare(*outer.link.target->type, *outer.type,
            {session_.text(outer.element->name), inner.range(), here.range()});
  }

 private:
  // The class that the constraining clause names, else the one of the declaration itself.
  Instance* required_by(const Element& redeclared) {
    const Declaration& original = *redeclared.original;
    Instance& scope = *redeclared.original_scope;
    Element* cls = nullptr;
    if (original.element != nullptr && original.element->constraint != nullptr)
      cls = &session_.classes->find_class(original.element->constraint->type, scope);
    else if (original.is_component())
      cls = &session_.classes->find_class(original.clause->type, scope);
    else
      cls = &session_.classes->make_class_element(*original.cls, scope);
    Instance& required = session_.classes->plain(*cls);
    if (required.def != nullptr) session_.classes->elaborate(required);
    return &required;
  }

  void refuse(const Claim& claim, const std::string& reason) {
    session_.error("no-subtype", fmt::format("`{}` {}", claim.name, reason), claim.range)
        .notes.push_back({"what it stands in for", claim.required_range});
  }

  void compare(Instance& given, Instance& required, const Claim& claim) {
    if (required.is_builtin() || given.is_builtin()) {
      if (!is_same_builtin(given, required) &&
          !(given.is_builtin() && required.elements.empty() && !required.is_builtin()))
        refuse(claim,
               fmt::format("is {} where {} is needed", type_name(given), type_name(required)));
      return;
    }
    for (const Element* needed : required.elements) {
      if (needed->is_protected) continue;
      Element* found = session_.classes->find_member(given, needed->name);
      const std::string name = session_.text(needed->name);
      if (found == nullptr)
        return refuse(claim, fmt::format("has no element `{}`, which is needed", name));
      if (is_of_other_type(*found, *needed))
        return refuse(claim, fmt::format("has an element `{}` of another type", name));
    }
  }

  // Only where both types are known by now.
  static bool is_of_other_type(const Element& found, const Element& needed) {
    if ((found.component == nullptr) != (needed.component == nullptr)) return true;
    if (found.component == nullptr) return false;
    const Instance *a = found.component->type, *b = needed.component->type;
    if (a == nullptr || b == nullptr || !a->is_builtin() || !b->is_builtin()) return false;
    return !is_same_builtin(*a, *b);
  }

  static bool is_same_builtin(const Instance& a, const Instance& b) {
    if (!a.is_builtin() || !b.is_builtin() || a.builtin != b.builtin) return false;
    return a.enumeration == nullptr || b.enumeration == nullptr || *a.enumeration == *b.enumeration;
  }

  std::string type_name(const Instance& type) const {
    if (!type.is_builtin()) return fmt::format("`{}`", session_.text(type.def->name));
    return type.enumeration != nullptr ? type.enumeration->name : base_type_name(*type.builtin);
  }

  Session& session_;
  std::set<std::pair<const Declaration*, const Declaration*>> seen_;
};

}  // namespace

void check_subtypes(Session& session) {
  Subtypes subtypes(session);
  // Looking for members may find more redeclarations: those are judged, too.
  for (std::size_t i = 0; i < session.stand_ins.redeclared.size(); ++i)
    session.attempt(SourceRange(), [&] { subtypes.check(*session.stand_ins.redeclared[i]); });
  for (std::size_t i = 0; i < session.stand_ins.outers.size(); ++i)
    session.attempt(SourceRange(), [&] { subtypes.check(*session.stand_ins.outers[i]); });
}

}  // namespace hydae::modelica
