#include "modelica/expressions/call_evaluation.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/builtin_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/expressions/operator_record.h"
#include "modelica/expressions/reference.h"
#include "modelica/functions/functions.h"

namespace hydae::modelica {

namespace {

// The way from the first part of a dotted name to a function: Package.f, or a function of the class
// of a component, world.gravityAcceleration (5.3.2).
class FunctionPath {
 public:
  FunctionPath(Session& session, const syntax::ReferenceExpr& name)
      : session_(session), name_(name) {}

  // What the part at `i` means behind `element`.
  Element& next(Element& element, std::size_t i) {
    const bool is_component = element.component != nullptr;
    Instance& scope =
        is_component ? instance_of(element, name_.parts[i - 1]) : session_.classes->plain(element);
    is_behind_component_ |= is_component;
    const syntax::Ident& part = name_.parts[i].name;
    Element* found = session_.classes->find_member(scope, part.symbol);
    if (found == nullptr)
      session_.classes->fail_not_found(part.symbol, scope, part.range, "function");
    check(element, *found, part);
    return *found;
  }

 private:
  Instance& instance_of(Element& element, const syntax::ReferencePart& part) {
    Component& component = session_.components->real(*element.component);
    session_.components->expand(component);
    if (component.instances.empty())
      refuse("not-a-function",
             fmt::format("`{}` is not a function", session_.evaluator->text(name_.range)));
    if (!component.dimensions.empty() && part.subscripts.empty())
      refuse("call-through-array",
             fmt::format("`{}` is an array: a function is called through one component",
                         session_.text(element.name)));
    return *component.instances.front();
  }

  void check(const Element& before, const Element& found, const syntax::Ident& part) {
    const std::string name = session_.text(part.symbol);
    if (found.is_protected)
      session_.fail("protected-access",
                    fmt::format("`{}` is protected: it cannot be used from outside", name),
                    part.range);
    if (is_behind_component_ && before.component == nullptr && found.component != nullptr)
      refuse("call-through-class",
             fmt::format("`{}` is a component of the class `{}`: behind a class follow classes",
                         name, session_.text(before.name)));
    const bool is_operator =
        found.cls != nullptr && found.cls->is(syntax::ClassKind::kOperatorFunction);
    if (is_operator && before.component != nullptr)
      refuse(
          "call-through-component",
          fmt::format("`{}` is an operator function: it is not called through a component", name));
  }

  [[noreturn]] void refuse(const char* code, const std::string& message) {
    session_.fail(code, message, name_.range);
  }

  Session& session_;
  const syntax::ReferenceExpr& name_;
  bool is_behind_component_ = false;
};

}  // namespace

Element* Calls::find_function(const syntax::ReferenceExpr& name, const Env& env) {
  const syntax::Ident& first = name.parts.front().name;
  const std::string spelled = session_.text(first.symbol);
  const bool is_builtin = name.parts.size() == 1 && modelica::is_builtin(spelled);
  Instance& from = name.is_global ? session_.classes->root() : *env.scope;
  Element* element = session_.classes->find(first.symbol, from).element;
  const bool is_hidden =
      element == nullptr || element->component != nullptr || element->cls == nullptr;
  if (is_builtin && is_hidden) return nullptr;
  if (element == nullptr)
    session_.classes->fail_not_found(first.symbol, *env.scope, first.range, "function");
  FunctionPath path(session_, name);
  for (std::size_t i = 1; i < name.parts.size(); ++i) element = &path.next(*element, i);
  return element;
}

Value Calls::function_argument(const syntax::Expr& expr, const Env& env) {
  Value out;
  out.type = BaseType::kFunction;
  auto function = std::make_shared<FunctionValue>();
  const auto* partial = syntax::find<syntax::PartialFunctionExpr>(&expr);
  const auto* name =
      partial != nullptr ? partial->function : syntax::find<syntax::ReferenceExpr>(&expr);
  if (name == nullptr) session_.fail("not-a-function", "a function is needed here", expr.range);
  // A function that was itself given as an argument is passed on.
  const Found found = session_.classes->find(name->parts.front().name.symbol, *env.scope);
  if (found.element != nullptr && found.element->component != nullptr && name->parts.size() == 1)
    if (const Value* value = References(session_).find_in_frames(*found.element, env, expr.range)) {
      if (value->type != BaseType::kFunction)
        session_.fail("not-a-function", "a function is needed here", expr.range);
      *function = *value->function;
    }
  if (function->function == nullptr) function->function = find_function(*name, env);
  if (function->function == nullptr)
    session_.unsupported("predefined functions as arguments are", expr.range);
  if (partial != nullptr)
    for (const syntax::NamedArgument& argument : partial->named)
      function->given.push_back(
          {argument.name.symbol,
           std::make_shared<Value>(session_.evaluator->evaluate(*argument.value, env))});
  out.function = std::move(function);
  return out;
}

std::vector<Given> Calls::arguments(Element& function, const syntax::CallExpr& call,
                                    const Env& env) {
  const FunctionInfo& info = session_.functions->info(function);
  const auto is_function = [&](const Element* input) {
    return input != nullptr && session_.classes->is_function(*input->component->type);
  };
  const auto evaluate_for = [&](const Element* input, const syntax::Expr& expr) {
    return is_function(input) ? function_argument(expr, env)
                              : session_.evaluator->evaluate(expr, env);
  };
  std::vector<Given> out;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Element* input = i < info.inputs.size() ? info.inputs[i] : nullptr;
    out.push_back({Symbol(), evaluate_for(input, *call.arguments[i]), call.arguments[i]->range});
  }
  for (const syntax::NamedArgument& argument : call.named) {
    const Element* input = nullptr;
    for (const Element* candidate : info.inputs)
      if (candidate->name == argument.name.symbol) input = candidate;
    out.push_back(
        {argument.name.symbol, evaluate_for(input, *argument.value), argument.name.range});
  }
  return out;
}

Value Calls::convert_enumeration(Instance& type, const syntax::CallExpr& call, const Env& env) {
  if (call.arguments.size() != 1)
    session_.fail("argument-count", "a conversion has one argument", call.range);
  Value value = session_.evaluator->evaluate(*call.arguments.front(), env);
  if (value.type != BaseType::kInteger)
    session_.fail("type-mismatch",
                  fmt::format("only an Integer is converted, not {}", type_text(value)),
                  call.range);
  Graph& graph = *session_.graph;
  const auto last = static_cast<double>(type.enumeration->literals.size());
  for (const NodeId cell : value.cells)
    require(
        session_,
        {"enumeration-range",
         graph.binary(Op::kAnd, graph.relation(Op::kGreaterEqual, cell, graph.constant(1), true),
                      graph.relation(Op::kLessEqual, cell, graph.constant(last), true)),
         fmt::format("`{}` has the literals 1 to {}", type.enumeration->name, last), call.range});
  value.type = BaseType::kEnumeration;
  value.enumeration = type.enumeration;
  return value;
}

Value Calls::construct_object(Element& cls, const syntax::CallExpr& call, const Env& env) {
  Element* constructor =
      session_.classes->find_member(session_.classes->plain(cls), session_.names.constructor);
  if (constructor == nullptr)
    session_.fail("not-a-function", fmt::format("`{}` has no constructor", session_.text(cls.name)),
                  call.range);
  if (session_.classes->find_member(session_.classes->plain(cls),
                                    session_.workspace.intern("destructor")) == nullptr)
    session_.fail(
        "external-object",
        fmt::format("the external object `{}` has no destructor", session_.text(cls.name)),
        call.range);
  const FunctionInfo& info = session_.functions->info(*constructor);
  auto object = std::make_shared<ExternalObject>();
  object->class_name = session_.workspace.qualified_name(*cls.cls);
  object->arguments.resize(info.inputs.size());
  std::vector<bool> is_given(info.inputs.size());
  std::size_t position = 0;
  for (Given& given : arguments(*constructor, call, env)) {
    std::size_t at = position;
    if (given.name.is_valid()) {
      for (std::size_t i = 0; i < info.inputs.size(); ++i)
        if (info.inputs[i]->name == given.name) at = i;
    } else {
      ++position;
    }
    if (at >= object->arguments.size())
      session_.fail("too-many-arguments", "too many arguments", given.range);
    object->arguments[at] = std::move(given.value);
    is_given[at] = true;
  }
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    if (is_given[i]) continue;
    const std::optional<Binding>& bound =
        session_.components->bindings().binding(*info.inputs[i]->component);
    if (!bound)
      session_.fail(
          "missing-argument",
          fmt::format("the argument `{}` is missing", session_.text(info.inputs[i]->name)),
          call.range);
    object->arguments[i] = session_.evaluator->evaluate(*bound->expr, Env{bound->scope});
  }
  Value out;
  out.type = BaseType::kExternalObject;
  out.object = std::move(object);
  return out;
}

namespace {

// 12.3: what an equation calls at times of its own choosing, and as often, has no effects.
void check_purity(Session& session, const Element& cls, const syntax::CallExpr& call,
                  const Env& env) {
  const syntax::ClassDefinition* definition = cls.cls == nullptr ? nullptr : cls.cls->definition;
  if (!env.is_continuous || definition == nullptr || definition->purity != syntax::Purity::kImpure)
    return;
  session
      .error("impure-call",
             fmt::format("`{}` is impure and cannot be called in an equation",
                         session.text(definition->name.symbol)),
             call.range)
      .help =
      "call it in a when-clause or for a parameter, or write pure(...) if it has no effects";
}

Env without_impurity(Env env) {
  env.is_continuous = false;
  return env;
}

}  // namespace

Value Calls::call_class(Element& cls, const syntax::CallExpr& call, const Env& env) {
  Instance& plain = session_.classes->plain(cls);
  session_.classes->elaborate(plain);
  if (session_.classes->is_record(plain)) {
    std::vector<Given> given = arguments(cls, call, env);
    OperatorRecords operators(session_, env.is_silent, call.range);
    if (std::optional<Value> made = operators.construct(cls, given)) return std::move(*made);
    return session_.functions->call(cls, std::move(given), env.is_silent, call.range);
  }
  check_purity(session_, cls, call, env);
  if (session_.request.is_flat_text && session_.classes->is_function(plain))
    if (std::optional<Value> made = session_.functions->call_written(cls, call, env))
      return std::move(*made);
  if (session_.classes->is_function(plain))
    return session_.functions->call(cls, arguments(cls, call, env), env.is_silent, call.range);
  if (plain.builtin == BaseType::kEnumeration) return convert_enumeration(plain, call, env);
  if (plain.builtin == BaseType::kExternalObject) return construct_object(cls, call, env);
  session_.fail(
      "not-a-function",
      fmt::format("`{}` is not a function", session_.evaluator->text(call.function->range)),
      call.function->range);
}

// Connections.isRoot(R), Connections.rooted(R) (9.4).
Value Calls::ask_graph(const syntax::CallExpr& call, const Env& env) {
  const std::string name = session_.text(call.function->parts.back().name.symbol);
  const auto* reference = call.arguments.size() == 1
                              ? syntax::find<syntax::ReferenceExpr>(call.arguments.front())
                              : nullptr;
  if ((name != "isRoot" && name != "rooted") || reference == nullptr)
    session_.unsupported(fmt::format("`{}` is", session_.evaluator->text(call.function->range)),
                         call.range);
  return session_.evaluator->boolean(
      name == "isRoot" ? session_.connections->overdetermined().is_root(*reference, env)
                       : session_.connections->overdetermined().is_rooted(*reference, env));
}

namespace {

// Of a function with some inputs given, the others are there by position (12.4.2.1).
void name_positional(const FunctionInfo& info, const FunctionValue& function,
                     std::vector<Given>& arguments) {
  std::vector<const Element*> open;
  for (const Element* input : info.inputs)
    if (std::ranges::none_of(function.given,
                             [&](const Field& field) { return field.name == input->name; }))
      open.push_back(input);
  if (function.given.empty()) return;
  std::size_t position = 0;
  for (Given& argument : arguments) {
    if (argument.name.is_valid()) continue;
    if (position < open.size()) argument.name = open[position]->name;
    ++position;
  }
}

}  // namespace

Value Calls::call(const syntax::CallExpr& call, const Env& env) {
  const syntax::ReferenceExpr& name = *call.function;
  if (name.parts.empty()) throw Failure();
  static const std::string kPure = "pure";
  if (name.parts.size() == 1 && session_.text(name.parts.front().name.symbol) == kPure &&
      call.arguments.size() == 1)
    return session_.evaluator->evaluate(*call.arguments.front(), without_impurity(env));
  if (name.parts.size() == 2 && name.parts.front().name.symbol == session_.names.connections)
    return ask_graph(call, env);
  Element* function = find_function(name, env);
  if (function == nullptr)
    return call_builtin(session_, session_.text(name.parts.front().name.symbol), call, env);
  if (function->component == nullptr) return call_class(*function, call, env);
  // A function that was given as an argument.
  const Value* value = References(session_).find_in_frames(*function, env, name.range);
  if (value == nullptr || value->type != BaseType::kFunction)
    session_.fail("not-a-function",
                  fmt::format("`{}` is not a function", session_.evaluator->text(name.range)),
                  name.range);
  const FunctionValue given = *value->function;
  std::vector<Given> all = arguments(*given.function, call, env);
  name_positional(session_.functions->info(*given.function), given, all);
  for (const Field& field : given.given) all.push_back({field.name, *field.value, name.range});
  return session_.functions->call(*given.function, std::move(all), env.is_silent, call.range);
}

}  // namespace hydae::modelica
