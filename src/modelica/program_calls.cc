// Calls of functions that are not inlined: the function becomes a program (function_program.h), the
// call a node of the graph.
#include <cmath>
#include <fmt/format.h>

#include "modelica/classes.h"
#include "modelica/flat.h"
#include "modelica/flat_names.h"
#include "modelica/folding.h"
#include "modelica/function_program.h"
#include "modelica/functions.h"
#include "modelica/natives.h"
#include "modelica/program_text.h"

namespace hydae::modelica {

Functions::Functions(Session& session) : session_(session) {}
Functions::~Functions() = default;

// A program and the value it computes, whose cells are numbers of outputs.
struct Functions::ProgramCall {
  FunctionId function;
  Value result;
};

namespace {

template <class Visit>
void for_each_cell(Value& value, const Visit& visit) {
  for (NodeId& cell : value.cells) visit(cell, value.type);
  for (Field& field : value.fields) {
    if (field.value == nullptr) continue;
    auto copy = std::make_shared<Value>(*field.value);
    for_each_cell(*copy, visit);
    field.value = std::move(copy);
  }
}

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

// What tells two calls of one function apart: sizes, texts and known numbers of the arguments.
void describe(const Graph& graph, const Value& value, std::vector<std::uint64_t>& out) {
  constexpr std::uint64_t kChanging = ~std::uint64_t{0};
  out.push_back(static_cast<std::uint64_t>(value.type));
  for (const int size : value.sizes) out.push_back(static_cast<std::uint64_t>(size));
  for (const NodeId cell : value.cells)
    out.push_back(graph.is_constant(cell) ? cell.index() : kChanging);
  for (const std::string& text : value.strings) out.push_back(std::hash<std::string>()(text));
  out.push_back(number_of(value.object.get()));
  if (value.function != nullptr) {
    out.push_back(number_of(value.function->function));
    for (const Field& field : value.function->given) describe(graph, *field.value, out);
  }
  for (const Field& field : value.fields)
    if (field.value != nullptr) describe(graph, *field.value, out);
}

NodeId as_number(Graph& graph, NodeId cell, BaseType type) {
  if (type != BaseType::kBoolean) return cell;
  return graph.select(cell, graph.constant(1), graph.constant(0));
}

}  // namespace

Functions::ProgramCall& Functions::make_program(const FunctionInfo& called,
                                                const std::vector<Value>& arguments,
                                                const std::vector<bool>& is_given,
                                                SourceRange range) {
  Graph& graph = *session_.graph;
  std::vector<std::uint64_t> key = {number_of(called.instance)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    key.push_back(is_given[i] ? 1 : 0);
    if (is_given[i]) describe(graph, arguments[i], key);
  }
  std::unique_ptr<ProgramCall>& known = programs_[key];
  if (known != nullptr) return *known;

  ProgramRecorder recorder(graph);
  std::vector<Value> registers = arguments;
  int num_inputs = 0;
  for (std::size_t i = 0; i < registers.size(); ++i)
    if (is_given[i])
      for_each_cell(registers[i], [&](NodeId& cell, BaseType type) {
        if (graph.is_constant(cell)) return;
        cell = recorder.add_register();
        ++num_inputs;
        if (type == BaseType::kBoolean)
          cell = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
      });
  recorder_ = &recorder;
  auto made = std::make_unique<ProgramCall>();
  try {
    made->result = execute(called, std::move(registers), is_given, true, range);
  } catch (...) {
    recorder_ = nullptr;
    throw;
  }
  recorder_ = nullptr;
  std::vector<NodeId> outputs;
  for_each_cell(made->result, [&](NodeId& cell, BaseType type) {
    outputs.push_back(as_number(graph, cell, type));
    cell = NodeId(outputs.size() - 1);
  });
  const std::string name = free_name(session_.workspace.qualified_name(*called.instance->def));
  Function function =
      make_function(name, graph, recorder, num_inputs, outputs, session_.flat->functions, range);
  made->function = session_.flat->functions.push_back(std::move(function));
  known = std::move(made);
  return *known;
}

// Programs of one function for different known arguments are told apart.
std::string Functions::free_name(const std::string& name) const {
  const auto is_taken = [&](const std::string& wanted) {
    for (const Function& function : session_.flat->functions)
      if (function.name == wanted) return true;
    return false;
  };
  std::string out = name;
  for (int number = 2; is_taken(out); ++number) out = fmt::format("{}#{}", name, number);
  return out;
}

// ---- functions of flat texts ----

FunctionId Functions::find_written(const FunctionInfo& called, SourceRange range) {
  const auto [known, is_new] = written_.emplace(called.instance, FunctionId());
  if (!is_new) return known->second;
  const ClassDef& def = *called.instance->def;
  const auto* annotation =
      find_annotation(def.definition->comment.annotation, session_.names.hydae);
  if (annotation_is_true(annotation, session_.names.program)) {
    Function program = read_program(session_, called, range);
    return written_[called.instance] = session_.flat->functions.push_back(std::move(program));
  }
  const bool is_code = called.external != nullptr && called.external->language != nullptr &&
                       syntax::string_value(*called.external->language) == "hydae";
  if (!is_code) return FunctionId();
  const std::string name = function_name_of(session_.path_text(def.name));
  std::optional<Function> native = find_native(name);
  if (!native)
    session_.fail("no-such-code", fmt::format("there is no code for the function `{}`", name),
                  range);
  return written_[called.instance] = session_.flat->functions.push_back(std::move(*native));
}

std::optional<Value> Functions::call_written(Element& function, const syntax::CallExpr& call,
                                             const Env& env) {
  const FunctionId id = find_written(info(function), call.range);
  if (!id.is_valid()) return std::nullopt;
  std::vector<NodeId> arguments;
  for (const syntax::Expr* argument : call.arguments)
    arguments.push_back(
        session_.evaluator->scalar(*argument, env, BaseType::kReal, "the argument"));
  std::int64_t output = 1;
  const auto& subscripts = call.function->parts.front().subscripts;
  if (subscripts.size() == 1)
    output = std::llround(session_.folding->number(session_.folding->fold(
        session_.evaluator->scalar(*subscripts.front(), env, BaseType::kInteger, "the output"),
        subscripts.front()->range, "the output")));
  const Function& called = session_.flat->functions[id];
  if (static_cast<int>(arguments.size()) != called.num_inputs || output < 1 ||
      output > called.num_outputs || !call.named.empty())
    session_.fail("argument-count",
                  fmt::format("`{}` has {} arguments and {} results", called.name,
                              called.num_inputs, called.num_outputs),
                  call.range);
  return Value::scalar_of(BaseType::kReal,
                          session_.graph->call(id, static_cast<int>(output) - 1, arguments));
}

// ---- calls ----

Value Functions::call_program(const FunctionInfo& called, std::vector<Value> arguments,
                              const std::vector<bool>& is_given, SourceRange range) {
  Graph& graph = *session_.graph;
  const ProgramCall* program = nullptr;
  try {
    program = &make_program(called, arguments, is_given, range);
  } catch (const NotInlinable& reason) {
    Diagnostic diagnostic;
    diagnostic.code = "unsupported";
    diagnostic.message =
        fmt::format("functions whose {} depends on changing values are not supported yet (`{}`)",
                    reason.reason, session_.text(called.instance->def->name));
    diagnostic.range = range;
    diagnostic.notes.push_back({"here", reason.range});
    session_.fail(std::move(diagnostic));
  }
  std::vector<NodeId> inputs;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (is_given[i])
      for_each_cell(arguments[i], [&](NodeId& cell, BaseType type) {
        if (!graph.is_constant(cell)) inputs.push_back(as_number(graph, cell, type));
      });
  Value out = program->result;
  for_each_cell(out, [&](NodeId& cell, BaseType type) {
    cell = graph.call(program->function, static_cast<int>(cell.index()), inputs);
    if (type == BaseType::kBoolean)
      cell = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
  });
  return out;
}

}  // namespace hydae::modelica
