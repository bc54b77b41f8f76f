#include "modelica/functions/functions.h"

#include <algorithm>
#include <fmt/format.h>

#include "modelica/classes/classes.h"
#include "modelica/classes/requirements.h"
#include "modelica/components/components.h"
#include "modelica/equations/equation_parts.h"
#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/reference.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/external/external.h"
#include "modelica/functions/function_variables.h"
#include "modelica/functions/statements.h"

namespace hydae::modelica {

// ---- what a function is made of ----

namespace {

void collect(const Session& session, FunctionInfo& info, Instance& part) {
  for (Instance* base : part.bases) collect(session, info, *base);
  const syntax::LongClass* definition = part.def == nullptr ? nullptr : part.def->long_class();
  if (definition == nullptr) return;
  for (const syntax::Section& section : definition->sections)
    if (section.kind == syntax::SectionKind::kAlgorithm) info.bodies.push_back({&part, &section});
  if (definition->external != nullptr) {
    info.external = definition->external;
    info.external_scope = &part;
  }
  if (annotation_is_true(definition->comment.annotation, session.names.annotations.generate_events))
    info.generates_events = true;
  info.annotations.push_back({&part, definition->comment.annotation});
  if (definition->external != nullptr)
    info.annotations.push_back({&part, definition->external->annotation});
}

}  // namespace

const FunctionInfo& Functions::info(Element& function) {
  return info(session_.classes->plain(function), &function);
}

// 12.2: types, records and functions.
void Functions::check_variable(const Component& component) {
  const bool is_block = session_.classes->is_kind(*component.type, syntax::ClassKind::kBlock);
  if (!is_block && !session_.classes->is_kind(*component.type, syntax::ClassKind::kModel)) return;
  session_.error("misplaced-component",
                 fmt::format("`{}` is a {}: a function holds types and records",
                             session_.text(component.element->name), is_block ? "block" : "model"),
                 component.element->declaration->range());
}

const FunctionInfo& Functions::info(Instance& instance, Element* element) {
  std::unique_ptr<FunctionInfo>& info = infos_[&instance];
  if (info != nullptr) return *info;
  session_.classes->elaborate(instance);
  auto made = std::make_unique<FunctionInfo>();
  made->instance = &instance;
  made->element = element;
  made->is_record = !session_.classes->is_function(instance);
  for (Element* member : instance.elements) {
    if (member->component == nullptr) continue;
    Component& component = *member->component;
    session_.components->resolve(component);
    if (!made->is_record) check_variable(component);
    member->slot = static_cast<int>(made->variables.size());
    made->variables.push_back(member);
    if (made->is_record) {
      // Final fields and constants with a value are computed, not given (12.6).
      const bool is_fixed =
          component.is_final || (component.variability == Variability::kConstant &&
                                 session_.components->bindings().binding(component).has_value());
      if (!is_fixed) made->inputs.push_back(member);
    } else if (component.causality == syntax::Causality::kInput) {
      made->inputs.push_back(member);
    } else if (component.causality == syntax::Causality::kOutput) {
      made->outputs.push_back(member);
    }
  }
  collect(session_, *made, instance);
  info = std::move(made);
  return *info;
}

// ---- calls ----

Value Functions::call(Element& function, std::vector<Given> given, bool is_silent,
                      SourceRange range) {
  const FunctionInfo& called = info(function);
  const ClassDef& def = *called.instance->def;
  if (def.definition->is_partial && !called.is_record)
    session_.fail("partial-class",
                  fmt::format("`{}` is partial and cannot be called", session_.text(def.name)),
                  range);
  std::vector<Value> arguments(called.variables.size());
  std::vector<bool> is_given(called.variables.size(), false);
  std::size_t position = 0;
  for (Given& argument : given) {
    Element* input = nullptr;
    if (!argument.name.is_valid()) {
      if (position >= called.inputs.size())
        session_.fail(
            "too-many-arguments",
            fmt::format("`{}` has {} arguments", session_.text(def.name), called.inputs.size()),
            argument.range);
      input = called.inputs[position++];
    } else {
      for (Element* element : called.inputs)
        if (element->name == argument.name) input = element;
      if (input == nullptr)
        session_.fail("no-such-argument",
                      fmt::format("`{}` has no argument `{}`", session_.text(def.name),
                                  session_.text(argument.name)),
                      argument.range);
    }
    const auto slot = static_cast<std::size_t>(input->slot);
    if (is_given[slot])
      session_.fail("argument-given-twice",
                    fmt::format("argument `{}` of `{}` is given twice", session_.text(input->name),
                                session_.text(def.name)),
                    argument.range);
    is_given[slot] = true;
    arguments[slot] = std::move(argument.value);
  }
  return call_with(called, std::move(arguments), is_given, is_silent, range);
}

// A function of scalars applied to arrays is applied to each element (12.4.6).
Value Functions::call_with(const FunctionInfo& called, std::vector<Value> arguments,
                           const std::vector<bool>& is_given, bool is_silent, SourceRange range) {
  Sizes loop;
  std::vector<int> extra(arguments.size(), 0);
  bool is_vectorized = false;
  for (Element* input : called.inputs) {
    const auto slot = static_cast<std::size_t>(input->slot);
    if (!is_given[slot] || arguments[slot].type == BaseType::kFunction) continue;
    extra[slot] = arguments[slot].rank() - FunctionVariables(session_).formal_rank(*input);
    if (extra[slot] <= 0 || called.is_record) continue;
    const Sizes front(arguments[slot].sizes.begin(), arguments[slot].sizes.begin() + extra[slot]);
    if (is_vectorized && front != loop)
      session_.fail("size-mismatch",
                    fmt::format("the arguments are arrays of different sizes: {} and {}",
                                sizes_text(loop), sizes_text(front)),
                    range);
    loop = front;
    is_vectorized = true;
  }
  if (!is_vectorized) return call_once(called, std::move(arguments), is_given, is_silent, range);
  if (called.outputs.size() > 1)
    session_.fail("vectorized-tuple",
                  fmt::format("`{}` has {} results and cannot be applied element by element",
                              session_.text(called.instance->def->name), called.outputs.size()),
                  range);
  std::vector<Value> items;
  for (std::int64_t i = 0; i < num_elements(loop); ++i) {
    std::vector<Value> element = arguments;
    for (std::size_t slot = 0; slot < element.size(); ++slot)
      if (extra[slot] > 0) element[slot] = element_at(arguments[slot], loop.size(), i);
    items.push_back(call_once(called, std::move(element), is_given, is_silent, range));
  }
  Value out = stack(items, Value());
  reshape_front(out, loop);
  return out;
}

namespace {

// Also what a function as an argument has been given.
bool is_of_parameters(Session& session, const Value& argument) {
  bool out = true;
  for_each_cell(argument, [&](NodeId cell, BaseType) {
    out = out && session.folding->is_parameter_expression(cell);
  });
  if (argument.function != nullptr)
    for (const Field& given : argument.function->given)
      out = out && is_of_parameters(session, *given.value);
  return out;
}

Value fold_argument(Session& session, Value argument, SourceRange range) {
  if (argument.function != nullptr) {
    auto function = std::make_shared<FunctionValue>(*argument.function);
    for (Field& given : function->given)
      given.value = std::make_shared<Value>(fold_argument(session, *given.value, range));
    argument.function = std::move(function);
  }
  return session.folding->fold(std::move(argument), range, "an argument");
}

struct LastAttempt {
  bool& is_last;
  explicit LastAttempt(bool& flag) : is_last(flag) { is_last = true; }
  LastAttempt(const LastAttempt&) = delete;
  LastAttempt& operator=(const LastAttempt&) = delete;
  ~LastAttempt() { is_last = false; }
};

}  // namespace

void fail_not_inlinable(Session& session, const FunctionInfo& called, const NotInlinable& reason,
                        SourceRange range) {
  Diagnostic diagnostic;
  diagnostic.code = "unsupported";
  diagnostic.message =
      fmt::format("functions whose {} depends on changing values are not supported yet (`{}`)",
                  reason.reason, session.text(called.instance->def->name));
  diagnostic.range = range;
  diagnostic.notes.push_back({"here", reason.range});
  session.fail(std::move(diagnostic));
}

void Functions::take_back_assertions(std::size_t count) {
  for (auto& assertions = session_.flat->assertions; assertions.size() > count;) {
    asserted_.erase({assertions.back().condition, assertions.back().message});
    assertions.pop_back();
  }
}

Value Functions::call_once(const FunctionInfo& called, std::vector<Value> arguments,
                           const std::vector<bool>& is_given, bool is_silent, SourceRange range) {
  const std::size_t num_assertions = session_.flat->assertions.size();
  try {
    return execute(called, arguments, is_given, is_silent, range);
  } catch (const NotInlinable& reason) {
    if (depth_ > 0) throw;
    take_back_assertions(num_assertions);
    const bool is_known =
        std::all_of(arguments.begin(), arguments.end(),
                    [&](const Value& argument) { return is_of_parameters(session_, argument); });
    const LastAttempt last(is_last_attempt_);
    if (!is_known) return call_program(called, std::move(arguments), is_given, range);
    for (Value& argument : arguments)
      argument = fold_argument(session_, std::move(argument), range);
    try {
      return execute(called, std::move(arguments), is_given, is_silent, range);
    } catch (const NotInlinable& second) {
      fail_not_inlinable(session_, called, second, range);
    }
  }
}

namespace {

struct Output {
  const FunctionInfo& called;
  const Element& output;
  const Frame& frame;
};

// One of several outputs may stay without a value if nobody asks for it: it is no number.
std::shared_ptr<Value> without_value(Session& session, const FunctionInfo& called,
                                     const Element& output, SourceRange range) {
  const std::string message =
      fmt::format("`{}` does not assign its output `{}`", session.text(called.instance->def->name),
                  session.text(output.name));
  if (called.outputs.size() == 1) session.fail("unassigned-variable", message, range);
  session.warning("unassigned-output", message, output.declaration->range());
  auto nothing = std::make_shared<Value>();
  nothing->type = BaseType::kTuple;
  return nothing;
}

// Where a branch has left the output without a value there is none.
std::shared_ptr<Value> where_assigned(Session& session, const Output& of,
                                      const std::shared_ptr<Value>& value, SourceRange range) {
  const auto& [called, output, frame] = of;
  const auto slot = static_cast<std::size_t>(output.slot);
  if (slot >= frame.unassigned.size() || !frame.unassigned[slot].is_valid()) return value;
  Graph& graph = *session.graph;
  const NodeId is_there = graph.unary(Op::kNot, frame.unassigned[slot]);
  const std::string message =
      fmt::format("`{}` gives its output `{}` no value", session.text(called.instance->def->name),
                  session.text(output.name));
  require(session, {"unassigned-variable", is_there, message, range});
  return value;
}

Value results(Session& session, const FunctionInfo& called, const Frame& frame, SourceRange range) {
  const auto value_of = [&](const Element* output) {
    const auto& value = frame.slots[static_cast<std::size_t>(output->slot)];
    if (value == nullptr) return without_value(session, called, *output, range);
    return where_assigned(session, {called, *output, frame}, value, range);
  };
  if (called.outputs.size() == 1) return *value_of(called.outputs.front());
  Value tuple;
  tuple.type = BaseType::kTuple;
  for (const Element* output : called.outputs)
    tuple.fields.push_back({output->name, value_of(output)});
  return tuple;
}

}  // namespace

Value Functions::execute(const FunctionInfo& called, std::vector<Value> arguments,
                         const std::vector<bool>& is_given, bool is_silent, SourceRange range) {
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } guard(depth_);
  // Formulas take every branch of a recursion; numbers take the one that may end it.
  if (depth_ > session_.limits.call_depth && !is_last_attempt_)
    throw NotInlinable{"recursion", range};
  if (depth_ > session_.limits.call_depth)
    session_.fail("call-depth",
                  fmt::format("calls of `{}` are nested too deeply",
                              session_.text(called.instance->def->name)),
                  range);
  if (depth_ == 1) num_calls_ = 0;
  if (++num_calls_ > session_.limits.calls)
    session_.fail("too-many-steps",
                  fmt::format("`{}` is called too often by one call",
                              session_.text(called.instance->def->name)),
                  range);
  session_.check_stack(range);
  Frame frame = make_frame(session_, called);
  Env env;
  env.scope = called.instance;
  env.frame = &frame;
  env.is_silent = called.is_record ? is_silent : is_silent || !called.generates_events;
  fill_inputs(called, frame, env, {arguments, is_given}, range);
  for (Element* element : called.variables)
    FunctionVariables(session_).declare(*element, frame, env);
  if (called.is_record) return FunctionVariables(session_).record_result(called, frame);
  if (called.external != nullptr) return External(session_).call(called, env, range);
  Statements::Hooks hooks;
  hooks.call = [&](const syntax::CallExpr& call, const Env& at, NodeId) {
    check_assertion(call, at);
  };
  Statements statements(session_, hooks);
  for (const FunctionInfo::Body& body : called.bodies) {
    env.scope = body.scope;
    statements.run(body.section->statements, env);
  }
  return results(session_, called, frame, range);
}

// What a function asserts must hold wherever its result counts; a program has no results where it
// does not. Other calls without results have no effect on a model.
void Functions::check_assertion(const syntax::CallExpr& call, const Env& env) {
  const auto& parts = call.function->parts;
  if (parts.size() != 1) return;
  const std::string name = session_.text(parts.front().name.symbol);
  if (name == "reinit" || name == "terminate")
    session_.fail("misplaced-call", fmt::format("`{}` cannot stand in a function", name),
                  call.range);
  if (name != "assert") return;
  Graph& graph = *session_.graph;
  FlatAssertion made = read_assertion(session_, call, env);
  const bool is_always = session_.event_checks == nullptr && recorder_ == nullptr &&
                         (!session_.guard.is_valid() || graph.is_constant(session_.guard, 1));
  if (graph.is_constant(made.condition, 0) && is_always) {
    const std::string message = made.message.empty() ? "an assertion fails" : made.message;
    if (!made.is_warning) session_.fail("assertion-failed", message, call.range);
    session_.warning("assertion-failed", message, call.range);
    return;
  }
  add_assertion(session_, std::move(made));
}

namespace {

// An argument with a default, or a field that consists of other fields or of none.
bool is_optional(Session& session, const FunctionInfo& called, const Element& input) {
  Component& component = *input.component;
  if (session.components->bindings().binding(component)) return true;
  if (!called.is_record) return false;
  for (const WrittenSizes& sizes : session.components->written_sizes(component))
    if (!sizes.subscripts.empty()) return true;
  return !component.type->is_builtin() ||
         session.components->attribute(component, session.names.attributes.start).has_value();
}

}  // namespace

void Functions::fill_inputs(const FunctionInfo& called, Frame& frame, const Env& env,
                            const Arguments& given, SourceRange range) {
  const auto& [arguments, is_given] = given;
  for (Element* input : called.inputs) {
    const auto slot = static_cast<std::size_t>(input->slot);
    if (!is_given[slot]) continue;
    frame.slots[slot] = std::make_shared<Value>(std::move(arguments[slot]));
    frame.declared[slot] = Progress::kDone;
  }
  for (Element* input : called.inputs) {
    const auto slot = static_cast<std::size_t>(input->slot);
    if (is_given[slot])
      // The sizes of an argument may refer to the argument itself: it stays where it is.
      *frame.slots[slot] =
          FunctionVariables(session_).fit(*input, Value(*frame.slots[slot]), env, range);
    else if (is_optional(session_, called, *input))
      FunctionVariables(session_).declare(*input, frame, env);
    else
      session_.fail(
          "missing-argument",
          fmt::format("`{}` needs the argument `{}`", session_.text(called.instance->def->name),
                      session_.text(input->name)),
          range);
  }
}

}  // namespace hydae::modelica
