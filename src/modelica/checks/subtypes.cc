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
    Instance* given = nullptr;
    if (redeclared.component != nullptr)
      given = redeclared.component->type;
    else if (redeclared.plain != nullptr && redeclared.plain->progress == Progress::kDone)
      given = redeclared.plain;
    if (given == nullptr) return;  // nobody has used it
    if (!seen_.insert({&declaration, redeclared.original}).second) return;
    Instance* required = required_by(redeclared);
    if (required == nullptr) return;
    const Claim claim = {session_.text(redeclared.name), declaration.range(),
                         redeclared.original->range()};
    compare(*given, *required, claim);
    check_constraint(redeclared, *given, *required, claim);
  }

  void check(const Component& outer) {
    if (outer.link.target == nullptr || outer.link.target->type == nullptr) return;
    const Declaration &inner = *outer.link.target->element->declaration,
                      &here = *outer.element->declaration;
    if (!seen_.insert({&inner, &here}).second) return;
    const Claim claim = {session_.text(outer.element->name), inner.range(), here.range()};
    const Instance& found = *outer.link.target->type;
    if (inner.element->is_outer && !inner.element->is_inner && found.def != outer.type->def)
      return refuse(claim, fmt::format("has no inner, and would need two: {} and {}",
                                       type_name(found), type_name(*outer.type)));
    compare(*outer.link.target->type, *outer.type, claim);
    check_sizes(outer, claim);
  }

 private:
  // As many dimensions, of the same sizes where those are written down (5.4).
  void check_sizes(const Component& outer, const Claim& claim) {
    const Sizes given = outer.link.target->sizes();
    Sizes needed;
    for (const WrittenSizes& sizes : session_.components->written_sizes(outer))
      for (const syntax::Expr* size : sizes.subscripts) {
        const auto* literal = syntax::find<syntax::IntegerExpr>(size);
        const std::size_t d = needed.size();
        if (literal != nullptr)
          needed.push_back(static_cast<int>(literal->value));
        else
          needed.push_back(d < given.size() ? given[d] : 0);
      }
    if (given != needed)
      refuse(claim, fmt::format("has the sizes {} where {} are needed", sizes_text(given),
                                sizes_text(needed)));
  }

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

  // The constraining clause has as many dimensions as what it constrains, and that of a
  // redeclaration asks for no less than the one before.
  void check_constraint(const Element& redeclared, const Instance& given, Instance& required,
                        const Claim& claim) {
    const Declaration& declaration = *redeclared.declaration;
    const syntax::Constraint* constraint =
        declaration.element == nullptr ? nullptr : declaration.element->constraint;
    if (constraint == nullptr) return;
    if (redeclared.is_redeclared) {
      Element& cls = session_.classes->find_class(constraint->type, *redeclared.scope);
      Instance& narrower = session_.classes->plain(cls);
      session_.classes->elaborate(narrower);
      compare(narrower, required, {claim.name, constraint->type.range, claim.required_range});
    } else if (num_dimensions(given) != num_dimensions(required)) {
      refuse(claim, fmt::format("is of a type with {} dimensions, its constraining type has {}",
                                num_dimensions(given), num_dimensions(required)));
    }
  }

  static std::size_t num_dimensions(const Instance& type) {
    std::size_t count = 0;
    for (const WrittenSizes& sizes : type.sizes) count += sizes.subscripts.size();
    return count;
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
