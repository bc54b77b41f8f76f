// Bindings and attributes of components, and the nodes that stand for them.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include <hydae/message.h>

#include "expr/incidence.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

// ---- types and sizes ----

Value Components::coerce(Value value, const Component& component, SourceRange range) {
  const BaseType base = component.base();
  const auto fail_type = [&] {
    const std::string wanted =
        base == BaseType::kEnumeration ? component.type->enumeration->name : base_type_name(base);
    session_.fail("type-mismatch",
                  fmt::format("`{}` is {}{}, its value is {}", path(component), wanted,
                              sizes_text(component.sizes()), type_text(value)),
                  range);
  };
  // In a flat text integer(x) has become floor(x).
  const bool is_widened =
      (base == BaseType::kReal && value.type == BaseType::kInteger) ||
      (session_.is_flat_text && base == BaseType::kInteger && value.type == BaseType::kReal);
  if (value.type != base && !is_widened) fail_type();
  if (base == BaseType::kEnumeration && !(*value.enumeration == *component.type->enumeration))
    fail_type();
  if (value.sizes != component.sizes()) {
    // An empty array literal fits every shape without elements.
    if (num_elements(value.sizes) == 0 && num_elements(component.sizes()) == 0) {
      value.sizes = component.sizes();
    } else {
      session_.fail(
          "size-mismatch",
          fmt::format("`{}` has the sizes {}, its value {}", path(component),
                      component.dimensions.empty() ? "of a scalar" : sizes_text(component.sizes()),
                      value.is_scalar() ? "is a scalar" : sizes_text(value.sizes)),
          range);
    }
  }
  if (base != BaseType::kRecord) value.type = base;
  return value;
}

// The part of a modifier's value that is for one element of the arrays of components around it.
Value Components::split(Value value, const IndexChain* indices, SourceRange range,
                        const std::string& what) {
  if (indices == nullptr) return value;
  std::vector<const IndexChain*> levels;
  for (const IndexChain* at = indices; at != nullptr; at = at->outer) levels.push_back(at);
  std::int64_t linear = 0;
  std::size_t rank = 0;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const Sizes sizes = (*level)->array->sizes();
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (rank + d < value.sizes.size() && value.sizes[rank + d] == sizes[d]) continue;
      Diagnostic diagnostic;
      diagnostic.range = range;
      const std::string array = session_.text((*level)->array->element->name);
      if (value.is_scalar()) {
        diagnostic.code = "missing-each";
        diagnostic.message =
            fmt::format("`{}` cannot be split over the {} elements of `{}`",
                        session_.evaluator->text(range), num_elements(sizes), array);
        diagnostic.label =
            fmt::format("`{}` is an array, `{}` needs one value for each element", array, what);
        diagnostic.help = fmt::format("write `each {} = {}` for the same value", what,
                                      session_.evaluator->text(range));
      } else {
        diagnostic.code = "size-mismatch";
        diagnostic.message = fmt::format("{} values for the {} elements of `{}`", type_text(value),
                                         sizes_text(sizes), array);
      }
      session_.fail(std::move(diagnostic));
    }
    linear = linear * num_elements(sizes) + (*level)->linear;
    rank += sizes.size();
  }
  return element_at(value, rank, linear);
}

// ---- bindings ----

const std::optional<Binding>& Components::binding(Component& component) {
  if (component.is_binding_known) return component.binding;
  component.is_binding_known = true;
  const ModList& mods = component.element->mods;
  for (std::size_t i = 0; i < mods.size(); ++i) {
    const ModNode& mod = *mods[i].mod;
    if (mod.is_break) break;
    if (mod.value == nullptr) continue;
    component.binding =
        Binding{mod.value, mods[i].scope, mods[i].indices, &mod, mod.is_each, mod.is_final, i};
    break;
  }
  return component.binding;
}

bool Components::has_record_binding(Component& component) {
  Component* record = component.element->owner->component;
  if (record == nullptr || record->type->is_builtin) return false;
  if (binding(*record) || has_record_binding(*record)) return true;
  return false;
}

Value Components::evaluate_binding(Component& component, const Binding& bound) {
  const SourceRange range = bound.expr->range;
  if (component.binding_progress == Progress::kInProgress)
    session_.fail("cyclic-binding",
                  fmt::format("the value of `{}` depends on itself", path(component)),
                  component.element->declaration->range());
  component.binding_progress = Progress::kInProgress;
  try {
    Value value;
    Env env{bound.scope};
    env.is_continuous = component.variability >= Variability::kDiscrete;
    if (bound.indices == nullptr) {
      value = session_.evaluator->evaluate(*bound.expr, env);
    } else {
      std::shared_ptr<const Value>& whole = whole_values_[{bound.expr, bound.scope}];
      if (whole == nullptr)
        whole = std::make_shared<Value>(session_.evaluator->evaluate(*bound.expr, env));
      value = split(*whole, bound.indices, range, session_.text(component.element->name));
    }
    component.binding_progress = Progress::kUntouched;
    return value;
  } catch (...) {
    component.binding_progress = Progress::kFailed;
    throw;
  }
}

// The field of the value that is bound to the record this component belongs to.
std::shared_ptr<const Value> Components::bound_in_record(Component& component) {
  if (!has_record_binding(component)) return nullptr;
  const Element& element = *component.element;
  Component& record = *element.owner->component;
  if (const std::optional<Binding>& own = binding(component)) {
    // A modifier of a field must not be stronger than the value of the whole record (7.2.3).
    const ModList& mods = record.element->mods;
    const std::size_t strength = binding(record) ? binding(record)->strength : 0;
    for (std::size_t i = 0; i < std::min(strength, mods.size()); ++i)
      if (mods[i].mod->find(element.name) == own->mod)
        session_.fail("modifier-overrides-part",
                      fmt::format("`{}` changes a part of the value given to `{}`",
                                  session_.text(element.name), path(record)),
                      own->mod->range);
  }
  const std::shared_ptr<const Value> whole = binding_value(record);
  const Value* field = whole == nullptr ? nullptr : whole->field(element.name);
  if (field == nullptr) return nullptr;
  if (record.dimensions.empty()) return std::make_shared<Value>(*field);
  return std::make_shared<Value>(
      element_at(*field, record.dimensions.size(), element.owner->linear));
}

namespace {

// What the user gives one element of an array: "A[1,2]" -> "10".
struct ElementSetting {
  std::string name, text;
  std::int64_t linear = 0;  // position in the array, by rows
};

// "1,2]" of "A[1,2]" as a position; none if these are no subscripts of such an array.
std::optional<std::int64_t> position_of(std::string_view subscripts,
                                        const std::vector<Dimension>& dimensions) {
  std::int64_t linear = 0;
  for (std::size_t k = 0; k < dimensions.size(); ++k) {
    const char closing = k + 1 == dimensions.size() ? ']' : ',';
    while (subscripts.starts_with(' ')) subscripts.remove_prefix(1);
    int index = 0;
    const auto read =
        std::from_chars(subscripts.data(), subscripts.data() + subscripts.size(), index);
    subscripts.remove_prefix(static_cast<std::size_t>(read.ptr - subscripts.data()));
    while (subscripts.starts_with(' ')) subscripts.remove_prefix(1);
    if (read.ec != std::errc() || index < 1 || index > dimensions[k].size ||
        !subscripts.starts_with(closing))
      return std::nullopt;
    subscripts.remove_prefix(1);
    linear = linear * dimensions[k].size + index - 1;
  }
  return subscripts.empty() ? std::optional(linear) : std::nullopt;
}

// Nobody but the author changes what is final or constant.
void refuse_setting(Session& session, const Component& component, const std::string& name,
                    bool is_final) {
  if (component.variability != Variability::kConstant && !is_final) return;
  session.fail("final-parameter",
               fmt::format("`{}` is {} and cannot be set from outside", name,
                           is_final ? "final" : "a constant"),
               component.element->declaration->range());
}

std::vector<ElementSetting> find_element_settings(Session& session, const Component& component,
                                                  const std::string& path) {
  std::vector<ElementSetting> found;
  if (component.variability > Variability::kParameter || component.dimensions.empty()) return found;
  const std::string prefix = path + "[";
  for (auto at = session.overrides.lower_bound(prefix);
       at != session.overrides.end() && at->first.starts_with(prefix); ++at) {
    const auto position =
        position_of(std::string_view(at->first).substr(prefix.size()), component.dimensions);
    if (!position) continue;
    session.used_overrides.insert(at->first);
    refuse_setting(session, component, at->first, component.is_final);
    found.push_back({at->first, at->second, *position});
  }
  return found;
}

// Tells an external object whose it is.
void introduce(Session& session, const Component& component, const ExternalObject& object) {
  const Component* outermost = &component;
  while (outermost->element->owner->component != nullptr)
    outermost = outermost->element->owner->component;
  object.component = session.components->path(component);
  object.declared = outermost->element->declaration->range();
}

}  // namespace

std::shared_ptr<const Value> Components::binding_value(Component& component) {
  if (component.binding_value != nullptr) return component.binding_value;
  if (component.binding_progress == Progress::kFailed) throw Failure();
  expand(component);
  const Guard always(session_, NodeId());  // whoever asks first
  Value value;
  SourceRange range = component.element->declaration->range();
  const auto given_value = [&] {
    try {
      return override_value(component);
    } catch (...) {
      component.binding_progress = Progress::kFailed;  // said once
      throw;
    }
  };
  if (std::optional<Value> given = given_value()) {
    value = std::move(*given);
  } else if (const auto field = bound_in_record(component)) {
    value = *field;
  } else if (const std::optional<Binding>& bound = binding(component)) {
    range = bound->expr->range;
    value = evaluate_binding(component, *bound);
  } else {
    return nullptr;
  }
  try {
    Value coerced = coerce(std::move(value), component, range);
    for (const ElementSetting& setting :
         find_element_settings(session_, component, path(component)))
      if (setting.linear < static_cast<std::int64_t>(coerced.cells.size()))
        coerced.cells[static_cast<std::size_t>(setting.linear)] =
            parse_override(component, setting.name, setting.text).scalar();
    if (coerced.object != nullptr) introduce(session_, component, *coerced.object);
    component.binding_value = std::make_shared<Value>(std::move(coerced));
  } catch (...) {
    component.binding_progress = Progress::kFailed;
    throw;
  }
  return component.binding_value;
}

std::optional<Value> Components::override_value(Component& component) {
  if (session_.overrides.empty() || component.variability > Variability::kParameter)
    return std::nullopt;
  if (!component.type->is_builtin) return std::nullopt;
  const std::string name = path(component);
  if (component.dimensions.empty()) {
    const auto found = session_.overrides.find(name);
    if (found == session_.overrides.end()) return std::nullopt;
    session_.used_overrides.insert(name);
    const std::optional<Binding>& bound = binding(component);
    refuse_setting(session_, component, name, component.is_final || (bound && bound->is_final));
    return parse_override(component, name, found->second);
  }
  return std::nullopt;
}

Value Components::parse_override(Component& component, const std::string& name,
                                 const std::string& text) {
  const auto wrong = [&] {
    session_.fail("override-value",
                  fmt::format("`{}` is no value for `{}`, which is {}", text, name,
                              base_type_name(component.base())),
                  SourceRange());
  };
  switch (component.base()) {
    case BaseType::kString: return Value::string(text);
    case BaseType::kBoolean:
      if (text != "true" && text != "false") wrong();
      return session_.evaluator->boolean(text == "true");
    case BaseType::kEnumeration: {
      const EnumType& type = *component.type->enumeration;
      const std::string literal = text.substr(text.rfind('.') + 1);
      for (std::size_t i = 0; i < type.literals.size(); ++i)
        if (type.literals[i] == literal) {
          Value value = session_.evaluator->integer(static_cast<std::int64_t>(i + 1));
          value.type = BaseType::kEnumeration;
          value.enumeration = &type;
          return value;
        }
      wrong();
      break;
    }
    default: break;
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0' || !std::isfinite(number)) wrong();
  Value value = session_.evaluator->real(number);
  if (component.base() == BaseType::kInteger) {
    if (number != static_cast<double>(static_cast<std::int64_t>(number))) wrong();
    value.type = BaseType::kInteger;
  }
  return value;
}

// ---- attributes ----

std::optional<Components::AttributeMod> Components::find_attribute(Component& component,
                                                                   Symbol name) {
  resolve(component);
  const auto search = [&](const ModList& mods, bool is_of_type) -> std::optional<AttributeMod> {
    for (const ModRef& ref : mods)
      if (const ModNode* sub = ref.mod->find(name)) {
        if (sub->is_break) return AttributeMod{nullptr, nullptr, nullptr, false};
        if (sub->value == nullptr) continue;
        return AttributeMod{sub, ref.scope, sub->is_each ? nullptr : ref.indices, is_of_type};
      }
    return std::nullopt;
  };
  std::optional<AttributeMod> found = search(component.element->mods, false);
  if (!found) found = search(component.type->attributes, true);
  if (found && found->mod == nullptr) return std::nullopt;
  return found;
}

namespace {

BaseType attribute_type(const Session& session, const Component& component, Symbol name) {
  const KnownNames& names = session.names;
  if (name == names.fixed || name == names.unbounded) return BaseType::kBoolean;
  if (name == names.unit || name == names.display_unit || name == names.quantity)
    return BaseType::kString;
  if (name == names.state_select) return BaseType::kEnumeration;
  return name == names.nominal ? BaseType::kReal : component.base();
}

void check_attribute_type(Session& session, const Component& component, Symbol name,
                          const Value& value, SourceRange range) {
  const BaseType needed = attribute_type(session, component, name);
  const bool is_own = needed == BaseType::kEnumeration && name != session.names.state_select;
  const bool is_other =
      is_own && value.type == needed && !(*value.enumeration == *component.type->enumeration);
  const bool fits = value.type == needed || (needed == BaseType::kReal && value.is_numeric());
  if (fits && !is_other) return;
  session.fail("type-mismatch",
               fmt::format("`{}` of `{}` is {}, not {}", session.text(name),
                           session.components->path(component),
                           is_own ? component.type->enumeration->name : base_type_name(needed),
                           type_text(value)),
               range);
}

}  // namespace

std::optional<Components::Attribute> Components::attribute(Component& component, Symbol name) {
  const std::optional<AttributeMod> found = find_attribute(component, name);
  if (!found) return std::nullopt;
  const ModNode& mod = *found->mod;
  Attribute out;
  out.range = mod.range;
  out.scope = found->scope;
  out.value = session_.evaluator->evaluate(*mod.value, Env{found->scope});
  check_attribute_type(session_, component, name, out.value, mod.range);
  out.value = split(std::move(out.value), found->indices, mod.value->range, session_.text(name));
  if (out.value.is_scalar()) {
    const bool is_for_each = found->is_of_type || mod.is_each || component.dimensions.empty();
    if (!is_for_each) {
      Diagnostic diagnostic;
      diagnostic.code = "missing-each";
      diagnostic.message = fmt::format("`{}` is an array: `{}` needs one value for each element",
                                       path(component), session_.text(name));
      diagnostic.range = mod.range;
      diagnostic.help = fmt::format("write `each {} = {}` for the same value", session_.text(name),
                                    session_.evaluator->text(mod.value->range));
      session_.fail(std::move(diagnostic));
    }
  } else if (component.expansion == Progress::kDone && out.value.sizes != component.sizes()) {
    session_.fail("size-mismatch",
                  fmt::format("`{}` has the sizes {}, `{}` has {}", path(component),
                              sizes_text(component.sizes()), session_.text(name),
                              sizes_text(out.value.sizes)),
                  mod.range);
  }
  return out;
}

bool Components::boolean_attribute(Component& component, std::int64_t position, Symbol name,
                                   bool otherwise) {
  const std::optional<Attribute> found = attribute(component, name);
  if (!found || found->value.cells.empty()) return otherwise;
  const NodeId cell = session_.folding->fold(found->cell(position), found->range,
                                             fmt::format("`{}`", session_.text(name)));
  return session_.folding->number(cell) != 0;
}

// ---- values ----

namespace {

// fixed = false, for all elements alike.
bool is_free_parameter(Session& session, Component& component) {
  Components& components = *session.components;
  const Symbol fixed = session.names.fixed;
  const bool is_free = !components.boolean_attribute(component, 0, fixed, true);
  const auto found = components.attribute(component, fixed);
  const std::size_t count = found ? found->value.cells.size() : 0;
  for (std::size_t k = 1; k < count; ++k)
    if (components.boolean_attribute(component, static_cast<std::int64_t>(k), fixed, true) ==
        is_free)
      session.fail("unsupported",
                   fmt::format("some elements of the parameter `{}` are fixed and some are not: "
                               "this is not supported yet",
                               components.path(component)),
                   found->range);
  return is_free;
}

}  // namespace

Value Components::make_nodes(Component& component, bool is_parameter) {
  Value value;
  value.type = component.base();
  value.enumeration = component.type->enumeration;
  value.sizes = component.sizes();
  const std::int64_t count = num_elements(value.sizes);
  value.cells.reserve(static_cast<std::size_t>(count));
  Graph& graph = *session_.graph;
  for (std::int64_t i = 0; i < count; ++i)
    value.cells.push_back(is_parameter
                              ? graph.parameter(session_.flat->add_parameter({&component, i}))
                              : graph.variable(session_.flat->add_variable({&component, i})));
  return value;
}

namespace {

// ModelicaServices.Machine is for each tool to fill in. What stands for infinity there must bear
// being multiplied: the largest number of all overflows in `slope*(time - (-inf))`.
constexpr double kMachineInfinity = 1e60;

bool is_machine_infinity(const Session& session, const Component& component) {
  const Instance* owner = component.element->owner;
  return session.text(component.element->name) == "inf" && owner != nullptr &&
         owner->def != nullptr &&
         session.workspace.qualified_name(*owner->def) == "ModelicaServices.Machine";
}

}  // namespace

// A constant is made of constants only (4.4.4).
void Components::check_constant(const Component& component, const Value& bound) {
  const Element& element = *component.element;
  if (element.declaration->clause->variability != syntax::Variability::kConstant) return;
  const Graph& graph = *session_.graph;
  const bool is_constant = std::all_of(bound.cells.begin(), bound.cells.end(), [&](NodeId cell) {
    return graph.is_constant(cell) || !contents(graph, cell).has_parameters;
  });
  if (!is_constant)
    session_.fail(
        "not-a-constant",
        fmt::format("`{}` is a constant, its value depends on a parameter", path(component)),
        element.declaration->range());
}

// Values that must be known now: constants, texts, external objects, parameters to be evaluated.
Value Components::known_value(Component& component) {
  const SourceRange range = component.element->declaration->range();
  const std::string what = fmt::format("the value of `{}`", path(component));
  if (is_machine_infinity(session_, component)) return session_.evaluator->real(kMachineInfinity);
  if (const auto bound = binding_value(component)) {
    for (const std::string& text : bound->strings)
      if (has_placeholder(text))
        session_.fail("not-a-parameter-expression",
                      fmt::format("{} changes during the simulation", what), range);
    check_constant(component, *bound);
    return session_.folding->fold(*bound, range, what);
  }
  if (std::optional<Attribute> start = attribute(component, session_.names.start)) {
    Value value = session_.folding->fold(start->value, range, what);
    if (component.dimensions.empty() || !value.is_scalar()) return value;
  }
  Diagnostic diagnostic;
  diagnostic.code = component.variability == Variability::kConstant ? "constant-without-value"
                                                                    : "parameter-without-value";
  diagnostic.message = fmt::format("`{}` has no value", path(component));
  diagnostic.range = range;
  session_.fail(std::move(diagnostic));
}

namespace {

// A binding that reads what only the initialization gives: `Evaluate = true` asks in vain.
bool waits_for_start(Session& session, const Value* bound) {
  return bound != nullptr &&
         std::any_of(bound->cells.begin(), bound->cells.end(),
                     [&](NodeId cell) { return !session.folding->is_parameter_expression(cell); });
}

}  // namespace

// Flat texts mark them: Real '$part1' = x + y annotation(__hydae(part = true));
bool Components::is_shared_part(const Component& component) const {
  const auto* declared = component.element->declaration->component;
  return declared != nullptr &&
         annotation_is_true(find_annotation(declared->comment.annotation, session_.names.hydae),
                            session_.names.part);
}

void Components::make_value(Component& component) {
  if (session_.is_flat_text && is_shared_part(component)) {
    const auto bound = binding_value(component);
    component.is_part = bound != nullptr;
    if (component.is_part) {
      component.value = *bound;
      return;
    }
  }
  const bool is_free =
      component.variability == Variability::kParameter && component.base() != BaseType::kString &&
      component.base() != BaseType::kExternalObject && is_free_parameter(session_, component);
  const bool is_text =
      component.base() == BaseType::kString || component.base() == BaseType::kExternalObject;
  if (component.variability == Variability::kConstant || is_text) {
    component.value = known_value(component);
  } else if (is_free) {
    component.is_free_parameter = true;
    component.value = make_nodes(component, false);
  } else if (component.variability == Variability::kParameter) {
    const bool is_known =
        component.is_evaluated && !waits_for_start(session_, binding_value(component).get());
    component.value = is_known ? known_value(component) : make_nodes(component, true);
  } else {
    component.value = make_nodes(component, false);
  }
}

const Value& Components::value(Component& component) {
  if (component.valuation == Progress::kDone) return component.value;
  if (component.valuation == Progress::kFailed) throw Failure();
  if (component.valuation == Progress::kInProgress)
    session_.fail("cyclic-binding",
                  fmt::format("the value of `{}` depends on itself", path(component)),
                  component.element->declaration->range());
  component.valuation = Progress::kInProgress;
  try {
    session_.check_stack(component.element->declaration->range());
    expand(component);
    make_value(component);
  } catch (...) {
    component.valuation = Progress::kFailed;
    throw;
  }
  component.valuation = Progress::kDone;
  return component.value;
}

}  // namespace hydae::modelica
