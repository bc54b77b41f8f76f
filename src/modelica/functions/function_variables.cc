#include "modelica/functions/function_variables.h"

#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/reference.h"

namespace hydae::modelica {

Frame make_frame(const Session& session, const FunctionInfo& called) {
  Frame frame;
  frame.function = called.instance;
  frame.slots.resize(called.variables.size());
  frame.declared.resize(called.variables.size());
  frame.has_returned = frame.has_broken = session.graph->boolean(false);
  return frame;
}

int FunctionVariables::formal_rank(Element& element) {
  int rank = 0;
  for (const WrittenSizes& sizes : session_.components->written_sizes(*element.component))
    rank += static_cast<int>(sizes.subscripts.size());
  return rank;
}

Value FunctionVariables::fit(Element& element, Value value, const Env& env, SourceRange range) {
  const Component& component = *element.component;
  const BaseType base = component.base();
  const std::string name = session_.text(element.name);
  if (session_.classes->is_function(*component.type)) return value;
  const bool is_widened = base == BaseType::kReal && value.type == BaseType::kInteger;
  const bool is_enumeration_fit = base != BaseType::kEnumeration || value.type != base ||
                                  *value.enumeration == *component.type->enumeration;
  if ((value.type != base && !is_widened) || !is_enumeration_fit)
    session_.fail(
        "type-mismatch",
        fmt::format("`{}` is {}, its value is {}", name, base_type_name(base), type_text(value)),
        range);
  std::size_t d = 0;
  for (const WrittenSizes& sizes : session_.components->written_sizes(component))
    for (const syntax::Expr* subscript : sizes.subscripts) {
      if (d >= value.sizes.size()) {
        d = value.sizes.size() + 1;
        break;
      }
      if (subscript->kind != syntax::ExprKind::kColon &&
          !References(session_).index_type(*subscript, *sizes.scope)) {
        Env inner = env;
        inner.scope = sizes.scope;
        const NodeId size = session_.folding->fold(
            session_.evaluator->scalar(*subscript, inner, BaseType::kInteger, "a size"),
            subscript->range, fmt::format("the size of `{}`", name));
        if (session_.folding->number(size) != value.sizes[d])
          session_.fail("size-mismatch",
                        fmt::format("`{}` has {} elements in dimension {}, not {}", name,
                                    session_.folding->number(size), d + 1, value.sizes[d]),
                        range);
      }
      ++d;
    }
  if (d != value.sizes.size())
    session_.fail("size-mismatch",
                  fmt::format("`{}` has {} dimensions, its value is {}", name, formal_rank(element),
                              type_text(value)),
                  range);
  if (base != BaseType::kRecord) value.type = base;
  return value;
}

// Zero, false, the first literal, an empty text: what a variable holds before it is assigned.
Value FunctionVariables::default_value(Element& element, const Sizes& sizes, Frame& frame,
                                       const Env& env) {
  const Component& component = *element.component;
  Value scalar;
  scalar.type = component.base();
  switch (scalar.type) {
    case BaseType::kReal:
    case BaseType::kInteger: scalar.cells = {session_.graph->constant(0)}; break;
    case BaseType::kBoolean: scalar.cells = {session_.graph->boolean(false)}; break;
    case BaseType::kEnumeration:
      scalar.cells = {session_.graph->constant(1)};
      scalar.enumeration = component.type->enumeration;
      break;
    case BaseType::kString: scalar.strings = {""}; break;
    case BaseType::kRecord: scalar = default_record(element, frame, env); break;
    default: break;
  }
  if (sizes.empty()) return scalar;
  return ArrayFunctions(session_).fill(scalar, sizes, element.declaration->range());
}

// The instance of a record variable: its fields under the modifiers of the declaration.
Value FunctionVariables::default_record(Element& element, Frame& outer, const Env& env) {
  Component& component = *element.component;
  if (component.instances.empty())
    component.instances.push_back(
        &session_.classes->instantiate(*component.type_element, element.mods, component, 0));
  const FunctionInfo& record =
      session_.functions->info(*component.instances.front(), component.type_element);
  Frame frame;
  frame.function = record.instance;
  frame.outer = &outer;
  frame.slots.resize(record.variables.size());
  frame.declared.resize(record.variables.size());
  Env inner = env;
  inner.frame = &frame;
  inner.scope = record.instance;
  for (Element* field : record.variables) declare(*field, frame, inner);
  return record_result(record, frame);
}

void FunctionVariables::declare(Element& element, Frame& frame, const Env& env) {
  Progress& progress = frame.declared[static_cast<std::size_t>(element.slot)];
  if (progress == Progress::kDone) return;
  if (progress != Progress::kUntouched)
    session_.fail("cyclic-binding",
                  fmt::format("the value of `{}` depends on itself", session_.text(element.name)),
                  element.declaration->range());
  progress = Progress::kInProgress;
  Env inner;
  inner.scope = env.scope;
  inner.frame = &frame;
  inner.is_silent = env.is_silent;
  declare_variable(element, frame, inner);
  frame.declared[static_cast<std::size_t>(element.slot)] = Progress::kDone;
}

void FunctionVariables::declare_variable(Element& element, Frame& frame, const Env& env) {
  Component& component = *element.component;
  const auto slot = static_cast<std::size_t>(element.slot);
  if (const std::optional<Binding>& bound = session_.components->bindings().binding(component)) {
    Env inner = env;
    inner.scope = bound->scope;
    Value value = session_.evaluator->evaluate(*bound->expr, inner);
    frame.slots[slot] =
        std::make_shared<Value>(fit(element, std::move(value), env, bound->expr->range));
    return;
  }
  const Sizes sizes = declared_sizes(element, env);
  // A scalar without a value stays unassigned, so that its use before an assignment is noticed.
  const bool is_scalar = sizes.empty() && component.type->is_builtin();
  if (is_scalar && frame.outer == nullptr && session_.classes->is_function(*frame.function)) return;
  frame.slots[slot] = std::make_shared<Value>(default_value(element, sizes, frame, env));
}

Value FunctionVariables::blank(Element& element, const Env& env) {
  return default_value(element, declared_sizes(element, env), *env.frame, env);
}

Sizes FunctionVariables::declared_sizes(Element& element, const Env& env) {
  Sizes sizes;
  for (const WrittenSizes& written : session_.components->written_sizes(*element.component))
    for (const syntax::Expr* subscript : written.subscripts) {
      if (subscript->kind == syntax::ExprKind::kColon) {
        sizes.push_back(0);  // to be given a size by an assignment of the whole
        continue;
      }
      if (const Instance* type = References(session_).index_type(*subscript, *written.scope)) {
        sizes.push_back(type->builtin == BaseType::kBoolean
                            ? 2
                            : static_cast<int>(type->enumeration->literals.size()));
        continue;
      }
      Env inner = env;
      inner.scope = written.scope;
      const NodeId size = session_.folding->fold(
          session_.evaluator->scalar(*subscript, inner, BaseType::kInteger, "a size"),
          subscript->range, fmt::format("the size of `{}`", session_.text(element.name)));
      sizes.push_back(static_cast<int>(session_.folding->number(size)));
    }
  return sizes;
}

Value FunctionVariables::record_result(const FunctionInfo& record, const Frame& frame) {
  Value out;
  out.type = BaseType::kRecord;
  out.record = record.element;
  for (const Element* element : record.variables)
    out.fields.push_back({element->name, frame.slots[static_cast<std::size_t>(element->slot)]});
  return out;
}

}  // namespace hydae::modelica
