#include "modelica/components/component_value.h"

#include <algorithm>
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

namespace {

// fixed = false, for all elements alike.
bool is_free_parameter(Session& session, Component& component) {
  Components& components = *session.components;
  const Symbol fixed = session.names.attributes.fixed;
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

Value ComponentValues::make_nodes(Component& component, bool is_parameter) {
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
void ComponentValues::check_constant(const Component& component, const Value& bound) {
  const Element& element = *component.element;
  if (element.declaration->clause->variability != syntax::Variability::kConstant) return;
  const Graph& graph = *session_.graph;
  const bool is_constant = std::all_of(bound.cells.begin(), bound.cells.end(), [&](NodeId cell) {
    return graph.is_constant(cell) || !contents(graph, cell).has_parameters;
  });
  if (!is_constant)
    session_.fail("not-a-constant",
                  fmt::format("`{}` is a constant, its value depends on a parameter",
                              session_.components->path(component)),
                  element.declaration->range());
}

// Values that must be known now: constants, texts, external objects, parameters to be evaluated.
Value ComponentValues::known_value(Component& component) {
  const SourceRange range = component.element->declaration->range();
  const std::string what = fmt::format("the value of `{}`", session_.components->path(component));
  if (is_machine_infinity(session_, component)) return session_.evaluator->real(kMachineInfinity);
  if (const auto bound = session_.components->bindings().binding_value(component)) {
    for (const std::string& text : bound->strings)
      if (has_placeholder(text))
        session_.fail("not-a-parameter-expression",
                      fmt::format("{} changes during the simulation", what), range);
    check_constant(component, *bound);
    return session_.folding->fold(*bound, range, what);
  }
  if (std::optional<Components::Attribute> start =
          session_.components->attribute(component, session_.names.attributes.start)) {
    Value value = session_.folding->fold(start->value, range, what);
    if (component.dimensions.empty() || !value.is_scalar()) return value;
  }
  Diagnostic diagnostic;
  diagnostic.code = component.variability == Variability::kConstant ? "constant-without-value"
                                                                    : "parameter-without-value";
  diagnostic.message = fmt::format("`{}` has no value", session_.components->path(component));
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
bool ComponentValues::is_shared_part(const Component& component) const {
  const auto* declared = component.element->declaration->component;
  return declared != nullptr &&
         annotation_is_true(
             find_annotation(declared->comment.annotation, session_.names.annotations.hydae),
             session_.names.annotations.part);
}

void ComponentValues::make_value(Component& component) {
  if (session_.request.is_flat_text && is_shared_part(component)) {
    const auto bound = session_.components->bindings().binding_value(component);
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
        component.marks.is_evaluated &&
        !waits_for_start(session_, session_.components->bindings().binding_value(component).get());
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
    ComponentValues(session_).make_value(component);
  } catch (...) {
    component.valuation = Progress::kFailed;
    throw;
  }
  component.valuation = Progress::kDone;
  return component.value;
}

}  // namespace hydae::modelica
