#include "modelica/components/bindings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

// The part of a modifier's value that is for one element of the arrays of components around it.
Value split_over_arrays(Session& session, Value value, const IndexChain* indices, SourceRange range,
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
      const std::string array = session.text((*level)->array->element->name);
      if (value.is_scalar()) {
        diagnostic.code = "missing-each";
        diagnostic.message =
            fmt::format("`{}` cannot be split over the {} elements of `{}`",
                        session.evaluator->text(range), num_elements(sizes), array);
        diagnostic.label =
            fmt::format("`{}` is an array, `{}` needs one value for each element", array, what);
        diagnostic.help = fmt::format("write `each {} = {}` for the same value", what,
                                      session.evaluator->text(range));
      } else {
        diagnostic.code = "size-mismatch";
        diagnostic.message = fmt::format("{} values for the {} elements of `{}`", type_text(value),
                                         sizes_text(sizes), array);
      }
      session.fail(std::move(diagnostic));
    }
    linear = linear * num_elements(sizes) + (*level)->linear;
    rank += sizes.size();
  }
  return element_at(value, rank, linear);
}

Value Bindings::coerce(Value value, const Component& component, SourceRange range) {
  const BaseType base = component.base();
  const auto fail_type = [&] {
    const std::string wanted =
        base == BaseType::kEnumeration ? component.type->enumeration->name : base_type_name(base);
    session_.fail("type-mismatch",
                  fmt::format("`{}` is {}{}, its value is {}", session_.components->path(component),
                              wanted, sizes_text(component.sizes()), type_text(value)),
                  range);
  };
  // In a flat text integer(x) has become floor(x).
  const bool is_widened = (base == BaseType::kReal && value.type == BaseType::kInteger) ||
                          (session_.request.is_flat_text && base == BaseType::kInteger &&
                           value.type == BaseType::kReal);
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
          fmt::format("`{}` has the sizes {}, its value {}", session_.components->path(component),
                      component.dimensions.empty() ? "of a scalar" : sizes_text(component.sizes()),
                      value.is_scalar() ? "is a scalar" : sizes_text(value.sizes)),
          range);
    }
  }
  if (base != BaseType::kRecord) value.type = base;
  return value;
}

const std::optional<Binding>& Bindings::binding(Component& component) {
  if (component.bound.is_known) return component.bound.written;
  component.bound.is_known = true;
  const ModList& mods = component.element->mods;
  for (std::size_t i = 0; i < mods.size(); ++i) {
    const ModNode& mod = *mods[i].mod;
    if (mod.is_break) break;
    if (mod.value == nullptr) continue;
    component.bound.written =
        Binding{mod.value, mods[i].scope, mods[i].indices, &mod, mod.is_each, mod.is_final, i};
    break;
  }
  return component.bound.written;
}

bool Bindings::has_record_binding(Component& component) {
  Component* record = component.element->owner->component;
  if (record == nullptr || record->type->is_builtin()) return false;
  if (binding(*record) || has_record_binding(*record)) return true;
  return false;
}

Value Bindings::evaluate_binding(Component& component, const Binding& bound) {
  const SourceRange range = bound.expr->range;
  if (component.bound.progress == Progress::kInProgress)
    session_.fail(
        "cyclic-binding",
        fmt::format("the value of `{}` depends on itself", session_.components->path(component)),
        component.element->declaration->range());
  component.bound.progress = Progress::kInProgress;
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
      value = split_over_arrays(session_, *whole, bound.indices, range,
                                session_.text(component.element->name));
    }
    component.bound.progress = Progress::kUntouched;
    return value;
  } catch (...) {
    component.bound.progress = Progress::kFailed;
    throw;
  }
}

// The field of the value that is bound to the record this component belongs to.
std::shared_ptr<const Value> Bindings::bound_in_record(Component& component) {
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
                                  session_.text(element.name), session_.components->path(record)),
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
  for (auto at = session.request.overrides.lower_bound(prefix);
       at != session.request.overrides.end() && at->first.starts_with(prefix); ++at) {
    const auto position =
        position_of(std::string_view(at->first).substr(prefix.size()), component.dimensions);
    if (!position) continue;
    session.request.used_overrides.insert(at->first);
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

std::shared_ptr<const Value> Bindings::binding_value(Component& component) {
  if (component.bound.value != nullptr) return component.bound.value;
  if (component.bound.progress == Progress::kFailed) throw Failure();
  session_.components->expand(component);
  const Guard always(session_, NodeId());  // whoever asks first
  try {
    Value value;
    SourceRange range = component.element->declaration->range();
    if (std::optional<Value> given = override_value(component)) {
      value = std::move(*given);
    } else if (const auto field = bound_in_record(component)) {
      value = *field;
    } else if (const std::optional<Binding>& bound = binding(component)) {
      range = bound->expr->range;
      value = evaluate_binding(component, *bound);
    } else {
      return nullptr;
    }
    Value coerced = coerce(std::move(value), component, range);
    for (const ElementSetting& setting :
         find_element_settings(session_, component, session_.components->path(component)))
      if (setting.linear < static_cast<std::int64_t>(coerced.cells.size()))
        coerced.cells[static_cast<std::size_t>(setting.linear)] =
            parse_override(component, setting.name, setting.text).scalar();
    if (coerced.object != nullptr) introduce(session_, component, *coerced.object);
    component.bound.value = std::make_shared<Value>(std::move(coerced));
  } catch (...) {
    component.bound.progress = Progress::kFailed;  // said once
    throw;
  }
  return component.bound.value;
}

std::optional<Value> Bindings::override_value(Component& component) {
  if (session_.request.overrides.empty() || component.variability > Variability::kParameter)
    return std::nullopt;
  if (!component.type->is_builtin()) return std::nullopt;
  const std::string name = session_.components->path(component);
  if (component.dimensions.empty()) {
    const auto found = session_.request.overrides.find(name);
    if (found == session_.request.overrides.end()) return std::nullopt;
    session_.request.used_overrides.insert(name);
    const std::optional<Binding>& bound = binding(component);
    refuse_setting(session_, component, name, component.is_final || (bound && bound->is_final));
    return parse_override(component, name, found->second);
  }
  return std::nullopt;
}

Value Bindings::parse_override(Component& component, const std::string& name,
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

}  // namespace hydae::modelica
