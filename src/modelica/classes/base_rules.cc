#include "modelica/classes/base_rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"

namespace hydae::modelica {

namespace {

using syntax::ClassKind;

const char* spelling(ClassKind kind) {
  switch (kind) {
    case ClassKind::kClass: return "class";
    case ClassKind::kModel: return "model";
    case ClassKind::kBlock: return "block";
    case ClassKind::kRecord: return "record";
    case ClassKind::kConnector: return "connector";
    case ClassKind::kExpandableConnector: return "expandable connector";
    case ClassKind::kType: return "type";
    case ClassKind::kPackage: return "package";
    case ClassKind::kFunction: return "function";
    case ClassKind::kOperator: return "operator";
    case ClassKind::kOperatorFunction: return "operator function";
    case ClassKind::kOperatorRecord: return "operator record";
  }
  return "class";
}

// The table of 7.1.3. A plain class extends plain classes only.
bool may_extend(ClassKind derived, ClassKind base) {
  if (derived == base || base == ClassKind::kClass) return true;
  switch (derived) {
    case ClassKind::kModel: return base == ClassKind::kBlock || base == ClassKind::kRecord;
    case ClassKind::kBlock: return base == ClassKind::kRecord;
    case ClassKind::kConnector:
      return base == ClassKind::kType || base == ClassKind::kRecord ||
             base == ClassKind::kOperatorRecord;
    case ClassKind::kOperatorFunction: return base == ClassKind::kFunction;
    default: return false;
  }
}

bool has_operator_record(const ClassDef& package) {
  return std::ranges::any_of(package.declarations, [](const Declaration& declaration) {
    return declaration.is_class() && declaration.cls->is(ClassKind::kOperatorRecord);
  });
}

// Classes inside do no harm, such as an equalityConstraint.
bool has_more_than_its_base(const ClassDef& cls) {
  const syntax::LongClass* definition = cls.long_class();
  if (definition == nullptr) return false;
  const bool has_section = std::ranges::any_of(definition->sections, [](const auto& section) {
    return !section.equations.empty() || !section.statements.empty();
  });
  const auto counts = [](const Declaration& declaration) { return !declaration.is_class(); };
  return std::ranges::count_if(cls.declarations, counts) > 1 || has_section;
}

bool is_replaceable(const Element& element) {
  return element.declaration != nullptr && element.declaration->element != nullptr &&
         element.declaration->element->is_replaceable;
}

}  // namespace

void check_base_kind(Session& session, const BaseStep& step) {
  const bool is_icon = step.base.elements.empty() && !step.base.is_builtin();
  if (is_icon || step.base.def == nullptr) return;
  const ClassKind from = step.base.def->definition->class_kind,
                  to = step.derived.def->definition->class_kind;
  if (may_extend(to, from)) return;
  session.error("extends-kind",
                fmt::format("`{}` is a {}: `{}` is of a kind that cannot extend it",
                            session.text(step.base.def->name), spelling(from),
                            session.text(step.derived.def->name)),
                step.range);
}

void check_lone_base(Session& session, const BaseStep& step) {
  const ClassDef& derived = *step.derived.def;
  const char* what = nullptr;
  if (step.base.is_builtin() && step.base.builtin == BaseType::kExternalObject)
    return;
  else if (step.base.is_builtin() && step.base.sizes.empty())
    what = "a predefined type";
  else if (!step.base.sizes.empty())
    what = "an array";
  else if (step.base.causality != syntax::Causality::kNone)
    what = "an input or output";
  if (what != nullptr && has_more_than_its_base(derived))
    session.error(
        "lone-base",
        fmt::format("`{}` extends {} and can have nothing else", session.text(derived.name), what),
        step.range);
  if (step.base.def == nullptr) return;
  const ClassDef& base = *step.base.def;
  const bool is_of_operators = base.is(ClassKind::kOperatorRecord)
                                   ? derived.long_class() != nullptr
                                   : base.is(ClassKind::kPackage) && has_operator_record(base);
  if (is_of_operators)
    session
        .error(
            "lone-base",
            fmt::format("`{}` {} an operator record, whose operators are for itself alone",
                        session.text(base.name), base.is(ClassKind::kPackage) ? "encloses" : "is"),
            step.range)
        .help = "a short class definition can change attributes of its fields";
}

void check_base_name(Session& session, const syntax::Name& name, Instance& scope) {
  Classes& classes = *session.classes;
  Element* element = nullptr;
  for (const syntax::Ident& part : name.parts) {
    if (element == nullptr)
      element = classes.find(part.symbol, name.is_global ? classes.root() : scope).element;
    else
      element = classes.find_member(classes.plain(*element), part.symbol);
    if (element == nullptr || !element->is_class()) return;
    if (!is_replaceable(*element)) continue;
    session
        .error("replaceable-base",
               fmt::format("`{}` is replaceable: a base class stays what it is",
                           session.text(part.symbol)),
               name.range)
        .help = "`redeclare model extends` builds on an inherited replaceable class";
    return;
  }
}

}  // namespace hydae::modelica
