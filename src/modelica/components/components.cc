// Types, prefixes, conditions, sizes and sub-instances of components.
#include "modelica/components/components.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "modelica/classes/classes.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

VariableKind Component::kind() const {
  switch (base()) {
    case BaseType::kBoolean: return VariableKind::kBoolean;
    case BaseType::kInteger:
    case BaseType::kEnumeration: return VariableKind::kInteger;
    default: return VariableKind::kReal;
  }
}

// ---- names ----

std::string Components::subscript(const Component& component, std::int64_t linear) const {
  if (component.dimensions.empty()) return "";
  std::vector<std::string> parts(component.dimensions.size());
  for (std::size_t d = parts.size(); d-- > 0;) {
    const Dimension& dimension = component.dimensions[d];
    const auto index = static_cast<std::size_t>(linear % dimension.size);
    linear /= dimension.size;
    if (dimension.enumeration != nullptr)
      parts[d] = dimension.enumeration->name + "." + dimension.enumeration->literals[index];
    else if (dimension.is_boolean)
      parts[d] = index == 0 ? "false" : "true";
    else
      parts[d] = std::to_string(index + 1);
  }
  return fmt::format("[{}]", fmt::join(parts, ","));
}

std::string Components::path(const Instance& instance) const {
  if (instance.component == nullptr) {
    if (&instance == session_.model || instance.whole == session_.model) return "";
    return instance.def == nullptr ? "" : session_.workspace.qualified_name(*instance.def);
  }
  return path(*instance.component) + subscript(*instance.component, instance.linear);
}

std::string Components::path(const Component& component) const {
  const std::string outer = path(*component.element->owner);
  return (outer.empty() ? "" : outer + ".") + session_.path_text(component.element->name);
}

// ---- type and prefixes ----

void Components::resolve(Component& component) {
  if (component.type != nullptr) return;
  if (component.expansion == Progress::kFailed) throw Failure();
  try {
    resolve_type(component);
  } catch (...) {
    component.expansion = Progress::kFailed;
    throw;
  }
  resolve_prefixes(component);
}

void Components::resolve_type(Component& component) {
  Element& element = *component.element;
  const Declaration& declaration = *element.declaration;
  Element& type = session_.classes->find_class(declaration.clause->type, *element.scope);
  Instance& plain = session_.classes->plain(type);
  session_.classes->elaborate(plain);
  component.type_element = &type;
  component.type = &plain;
}

namespace {

Variability written(syntax::Variability variability, Variability otherwise) {
  switch (variability) {
    case syntax::Variability::kConstant: return Variability::kConstant;
    case syntax::Variability::kParameter: return Variability::kParameter;
    case syntax::Variability::kDiscrete: return Variability::kDiscrete;
    case syntax::Variability::kNone: break;
  }
  return otherwise;
}

// What the declaration in force says, else the one it replaces.
template <class T>
T inherited(const Element& element, T syntax::ComponentElement::*prefix) {
  const T own = element.declaration->clause->*prefix;
  return own != T{} ? own : element.original->clause->*prefix;
}

}  // namespace

void Components::resolve_prefixes(Component& component) {
  const Element& element = *component.element;
  const syntax::Element& own = *element.declaration->element;
  const syntax::Element& original = *element.original->element;
  const BaseType base = component.base();
  const bool is_naturally_continuous = base == BaseType::kReal || base == BaseType::kRecord;
  component.variability =
      written(inherited(element, &syntax::ComponentElement::variability),
              is_naturally_continuous ? Variability::kContinuous : Variability::kDiscrete);
  component.causality = inherited(element, &syntax::ComponentElement::causality);
  component.connection = inherited(element, &syntax::ComponentElement::connection);
  if (component.causality == syntax::Causality::kNone)
    component.causality = component.type->causality;
  component.is_final = own.is_final || original.is_final;
  component.link.is_inner = own.is_inner || original.is_inner;
  component.link.is_outer = own.is_outer || original.is_outer;
  component.is_protected = element.is_protected;
  component.marks.is_evaluated = annotation_is_true(
      element.declaration->component->comment.annotation, session_.names.annotations.evaluate);
  component.marks.is_free_at_events =
      annotation_is_true(find_annotation(element.declaration->component->comment.annotation,
                                         session_.names.annotations.hydae),
                         session_.names.annotations.free_at_events);

  // A structured component passes its prefixes on; the most restrictive variability wins (4.4.4.1).
  Component* owner = element.owner->component;
  if (owner == nullptr) return;
  component.variability = std::min(component.variability, owner->variability);
  component.is_protected |= owner->is_protected;
  component.marks.is_evaluated |= owner->marks.is_evaluated;
  if (component.causality == syntax::Causality::kNone &&
      (session_.classes->is_record(*owner->type) || session_.classes->is_connector(*owner->type)))
    component.causality = owner->causality;
  if (component.connection == syntax::Connection::kNone &&
      owner->connection != component.connection)
    component.connection = owner->connection;
}

// ---- inner and outer ----

Component& Components::real(Component& component) {
  resolve(component);
  if (!component.link.is_outer) return component;
  expand(component);
  return component.link.target != nullptr ? *component.link.target : component;
}

void Components::expand_outer(Component& component) {
  const Element& element = *component.element;
  session_.stand_ins.outers.push_back(&component);
  if (!component.link.is_inner && !element.mods.empty())
    session_.fail("outer-modifier",
                  fmt::format("`{}` is outer: the inner component alone has modifiers",
                              session_.text(element.name)),
                  element.mods.front().mod->range);
  const auto parent = [](Instance* instance) -> Instance* {
    return instance->component == nullptr ? nullptr : instance->component->element->owner;
  };
  if (component.link.is_inner) {
    // `inner outer`: the inner side is a component of its own, for what is inside (5.5).
    Component& twin = session_.make_component();
    twin = component;
    twin.link.is_outer = false;
    twin.expansion = Progress::kUntouched;
    component.link.inner_twin = &twin;
  }
  for (Instance* at = parent(element.owner); at != nullptr; at = parent(at)) {
    Element* candidate = session_.classes->find_member(*at, element.name);
    if (candidate == nullptr || candidate->component == nullptr) continue;
    resolve(*candidate->component);
    if (!candidate->component->link.is_inner) continue;
    expand(*candidate->component);
    component.link.target = candidate->component->link.inner_twin != nullptr
                                ? candidate->component->link.inner_twin
                                : candidate->component;
    return;
  }
  component.link.target = &add_missing_inner(component);
}

Component& Components::add_missing_inner(Component& component) {
  const Element& element = *component.element;
  Instance& model = *session_.model;
  const syntax::ClassDefinition* definition =
      component.type->def == nullptr ? nullptr : component.type->def->definition;
  const std::string name = session_.text(element.name);
  Element* existing = session_.classes->find_member(model, element.name);
  if ((definition != nullptr && definition->is_partial) || existing != nullptr)
    session_.fail("missing-inner", fmt::format("no inner `{}` found", name),
                  element.declaration->range());
  session_.warning("missing-inner",
                   fmt::format("no inner `{}` found; one of class `{}` was added at the top", name,
                               definition == nullptr ? base_type_name(component.base())
                                                     : session_.text(definition->name.symbol)),
                   element.declaration->range());
  Element& added = session_.make_element();
  added.name = element.name;
  added.declaration = added.original = element.declaration;
  added.scope = added.original_scope = element.scope;
  added.owner = &model;
  added.component = &session_.make_component();
  Component& inner = *added.component;
  inner.element = &added;
  inner.type = component.type;
  inner.type_element = component.type_element;
  inner.variability = component.variability;
  inner.link.is_inner = true;
  session_.classes->add_element(model, added);
  expand(inner);
  return inner;
}

// ---- expansion ----

namespace {

// 7.2.5: `each` says that a value is for all elements of an array.
void check_each(Session& session, const Component& component) {
  const Declaration& declaration = *component.element->declaration;
  if (!component.dimensions.empty() || declaration.component->modification == nullptr) return;
  const ModNode* mod =
      session.modifiers.of(declaration.component->modification, component.element->scope->def);
  if (mod == nullptr) return;
  for (const ModNode* sub : mod->subs)
    if (sub->is_each)
      session.warning("misplaced-each",
                      fmt::format("`each`, but `{}` is no array", session.text(declaration.name())),
                      sub->range);
}

}  // namespace

void Components::expand(Component& component) {
  if (component.expansion == Progress::kDone) return;
  if (component.expansion == Progress::kFailed) throw Failure();
  const SourceRange range = component.element->declaration->range();
  if (component.expansion == Progress::kInProgress) {
    component.expansion = Progress::kFailed;
    session_.fail(
        "cyclic-size",
        fmt::format("the sizes or conditions of `{}` depend on themselves", path(component)),
        range);
  }
  session_.check_stack(range);
  resolve(component);
  component.expansion = Progress::kInProgress;
  try {
    if (component.link.is_outer) {
      expand_outer(component);
    } else {
      expand_condition(component);
      if (component.is_present) {
        expand_sizes(component);
        check_each(session_, component);
        if (!component.type->is_builtin()) expand_instances(component);
      }
    }
    component.expansion = Progress::kDone;
  } catch (...) {
    component.expansion = Progress::kFailed;
    throw;
  }
}

void Components::expand_condition(Component& component) {
  const Element& element = *component.element;
  const bool is_own = element.declaration->component->condition != nullptr;
  const syntax::Expr* condition =
      is_own ? element.declaration->component->condition : element.original->component->condition;
  if (condition == nullptr) return;
  Instance& scope = is_own ? *element.scope : *element.original_scope;
  component.marks.is_conditional = true;
  component.is_present = session_.folding->boolean(*condition, scope, "the condition");
}

Dimension Components::dimension(const syntax::Expr& subscript, Instance& scope,
                                const Component& component) {
  Dimension out;
  if (const Instance* type = References(session_).index_type(subscript, scope)) {
    if (type->builtin == BaseType::kBoolean) {
      out.size = 2;
      out.is_boolean = true;
    } else {
      out.enumeration = type->enumeration;
      out.size = static_cast<int>(out.enumeration->literals.size());
    }
    return out;
  }
  const std::int64_t size = session_.folding->integer(subscript, scope, "the size");
  if (size < 0 || size > session_.limits.array_elements)
    session_.fail(
        "array-size",
        fmt::format("`{}` cannot have {} elements in one dimension", path(component), size),
        subscript.range);
  out.size = static_cast<int>(size);
  return out;
}

std::vector<WrittenSizes> Components::written_sizes(const Component& component) const {
  const Element& element = *component.element;
  const bool is_own = !element.declaration->component->subscripts.empty() ||
                      !element.declaration->clause->type_subscripts.empty();
  const Declaration& declaration = is_own ? *element.declaration : *element.original;
  Instance* scope = is_own ? element.scope : element.original_scope;
  std::vector<WrittenSizes> written = {{declaration.component->subscripts, scope},
                                       {declaration.clause->type_subscripts, scope}};
  written.insert(written.end(), component.type->sizes.begin(), component.type->sizes.end());
  return written;
}

void Components::expand_sizes(Component& component) {
  std::vector<std::size_t> unknown;
  std::int64_t total = 1;
  for (const WrittenSizes& sizes : written_sizes(component))
    for (const syntax::Expr* subscript : sizes.subscripts) {
      if (subscript->kind == syntax::ExprKind::kColon) {
        unknown.push_back(component.dimensions.size());
        component.dimensions.push_back({});
        continue;
      }
      component.dimensions.push_back(dimension(*subscript, *sizes.scope, component));
      total *= std::max(component.dimensions.back().size, 1);
      if (total > session_.limits.array_elements)
        session_.fail("array-size", fmt::format("`{}` has too many elements", path(component)),
                      subscript->range);
    }
  if (!unknown.empty()) infer_sizes(component, unknown);
}

void Components::infer_sizes(Component& component, const std::vector<std::size_t>& unknown) {
  const SourceRange range = component.element->declaration->range();
  std::optional<Value> given;
  if (std::shared_ptr<const Value> bound = bindings_.bound_in_record(component)) {
    given = *bound;
  } else if (const std::optional<Binding>& found = bindings_.binding(component)) {
    given = bindings_.evaluate_binding(component, *found);
  } else if (component.type->is_builtin()) {
    if (std::optional<Attribute> start = attribute(component, session_.names.attributes.start))
      given = start->value;
  }
  if (!given)
    session_.fail(
        "unknown-size",
        fmt::format("the size of `{}` is not given: `:` takes it from a binding", path(component)),
        range);
  if (given->sizes.size() != component.dimensions.size())
    session_.fail("size-mismatch",
                  fmt::format("`{}` has {} dimensions, its value {}", path(component),
                              component.dimensions.size(), given->sizes.size()),
                  range);
  for (const std::size_t d : unknown) component.dimensions[d].size = given->sizes[d];
}

// The same declaration inside itself would go on for ever.
void Components::check_recursion(const Component& component) {
  const Element& element = *component.element;
  const SourceRange range = element.declaration->range();
  if (element.owner->depth > session_.limits.instance_depth)
    session_.fail("nested-too-deeply", fmt::format("`{}` is nested too deeply", path(component)),
                  range);
  for (const Instance* at = element.owner; at != nullptr && at->component != nullptr;
       at = at->component->element->owner) {
    if (at->component->element->declaration == element.declaration &&
        at->def == component.type->def)
      session_.fail("recursive-component",
                    fmt::format("`{}` contains itself", session_.text(at->def->name)), range);
  }
}

void Components::expand_instances(Component& component) {
  check_recursion(component);
  const std::int64_t count = num_elements(component.sizes());
  component.instances.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    ModList mods = component.element->mods;
    if (!component.dimensions.empty())
      for (ModRef& mod : mods) mod.indices = session_.make_index({mod.indices, &component, i});
    component.instances.push_back(
        &session_.classes->instantiate(*component.type_element, std::move(mods), component, i));
  }
}

}  // namespace hydae::modelica
