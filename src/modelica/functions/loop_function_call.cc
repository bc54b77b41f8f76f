// Calls of functions that are not inlined: the function becomes a program (function_program.h), the
// call a node of the graph.
#include <cmath>
#include <fmt/format.h>

#include "expr/substitute.h"
#include "expr/walk.h"
#include "modelica/classes/classes.h"
#include "modelica/classes/requirements.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/external/native_functions.h"
#include "modelica/flat/flat.h"
#include "modelica/flat/flat_names.h"
#include "modelica/functions/derivatives.h"
#include "modelica/functions/function_variables.h"
#include "modelica/functions/functions.h"
#include "modelica/functions/loop_function.h"
#include "modelica/functions/loop_function_text.h"

namespace hydae::modelica {

Functions::Functions(Session& session)
    : session_(session), derivatives_(std::make_unique<Derivatives>(session)) {}
Functions::~Functions() = default;

// A program and the value it computes, whose cells are numbers of outputs. An output that depends
// on no loop is a formula of the inputs, too: it is inlined.
struct Functions::ProgramCall {
  FunctionId function;
  Value result;
  std::vector<NodeId> formulas;  // by output; none: only the program computes it
};

namespace {

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

// It reads the inputs of the program only.
bool is_of_inputs(const Graph& graph, NodeId formula, int num_inputs) {
  Walk walk;
  for (const NodeId id : walk.order(graph, formula))
    if (graph.op(id) == Op::kVariable &&
        static_cast<int>(ProgramRecorder::register_of(graph.leaf_of(id).variable)) >= num_inputs)
      return false;
  return true;
}

}  // namespace

// The inputs in their order, with the defaults of those that are not given.
std::vector<Value> Functions::all_inputs(const FunctionInfo& called, std::vector<Value> arguments,
                                         const std::vector<bool>& is_given, SourceRange range) {
  Frame frame = make_frame(session_, called);
  Env env;
  env.scope = called.instance;
  env.frame = &frame;
  env.is_silent = true;
  fill_inputs(called, frame, env, {arguments, is_given}, range);
  std::vector<Value> out;
  for (const Element* input : called.inputs)
    out.push_back(*frame.slots[static_cast<std::size_t>(input->slot)]);
  return out;
}

Functions::ProgramCall& Functions::find_program(const FunctionInfo& called,
                                                const std::vector<Value>& arguments,
                                                const std::vector<bool>& is_given,
                                                SourceRange range) {
  std::vector<std::uint64_t> key = {number_of(called.instance)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    key.push_back(is_given[i] ? 1 : 0);
    if (is_given[i]) describe(*session_.graph, arguments[i], key);
  }
  const DerivativeNote* derivative = nullptr;
  if (derivatives_->has_any(called))
    derivative = derivatives_->find(called, all_inputs(called, arguments, is_given, range));
  key.push_back(number_of(derivative));
  const auto known = programs_.find(key);
  if (known != programs_.end()) return *known->second;
  auto made =
      std::make_unique<ProgramCall>(make_program(called, arguments, is_given, derivative, range));
  return *programs_.emplace(std::move(key), std::move(made)).first->second;
}

Functions::ProgramCall Functions::make_program(const FunctionInfo& called,
                                               const std::vector<Value>& arguments,
                                               const std::vector<bool>& is_given,
                                               const DerivativeNote* derivative,
                                               SourceRange range) {
  Graph& graph = *session_.graph;
  ProgramRecorder recorder(graph);
  std::vector<Value> registers = arguments;
  int num_inputs = 0;
  for (std::size_t i = 0; i < registers.size(); ++i)
    if (is_given[i])
      replace_cells(registers[i], [&](NodeId cell, BaseType type) {
        if (graph.is_constant(cell)) return cell;
        const NodeId input = recorder.add_register();
        ++num_inputs;
        if (type != BaseType::kBoolean) return input;
        return graph.relation(Op::kNotEqual, input, graph.constant(0), true);
      });
  ProgramCall made;
  {
    const Recording recording(*this, recorder);
    const Guard everywhere(session_, NodeId());
    made.result = execute(called, registers, is_given, true, range);
  }
  const std::string name = free_name(session_.workspace.qualified_name(*called.instance->def));
  FunctionId derivative_id;
  if (derivative != nullptr)
    derivative_id = derivatives_->add(
        {called, *derivative, all_inputs(called, std::move(registers), is_given, range),
         list_outputs(made.result), num_inputs, range},
        name + ".derivative", FunctionId());
  std::vector<NodeId> outputs;
  const NodeId failed = recorder.failed();
  replace_cells(made.result, [&](NodeId cell, BaseType type) {
    const bool is_formula = !failed.is_valid() && is_of_inputs(graph, cell, num_inputs);
    made.formulas.push_back(is_formula ? cell : NodeId());
    outputs.push_back(as_number(graph, cell, type));
    if (failed.is_valid())
      outputs.back() = graph.select(graph.relation(Op::kEqual, failed, graph.constant(0), true),
                                    outputs.back(), undefined_number(graph));
    return NodeId(outputs.size() - 1);
  });
  IdVector<FunctionId, Function>& functions = session_.flat->functions;
  made.function = functions.push_back(
      make_function({name, num_inputs, range, derivative_id}, graph, recorder, outputs, functions));
  return made;
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
      find_annotation(def.definition->comment.annotation, session_.names.annotations.hydae);
  if (annotation_is_true(annotation, session_.names.annotations.program)) {
    const FunctionId derivative = find_written_derivative(called, range);
    Function program = read_program(session_, called, derivative, range);
    return written_[called.instance] = session_.flat->functions.push_back(std::move(program));
  }
  const bool is_code = called.external != nullptr && called.external->language != nullptr &&
                       syntax::string_value(*called.external->language) == "hydae";
  if (!is_code) return FunctionId();
  const std::string name = function_name_of(session_.path_text(def.name));
  std::optional<Function> native = native::find_native(name);
  if (!native)
    session_.fail("no-such-code", fmt::format("there is no code for the function `{}`", name),
                  range);
  return written_[called.instance] = session_.flat->functions.push_back(std::move(*native));
}

FunctionId Functions::find_written_derivative(const FunctionInfo& called, SourceRange range) {
  const syntax::Modification* option =
      find_annotation(find_annotation(called.instance->def->definition->comment.annotation,
                                      session_.names.annotations.hydae),
                      session_.workspace.intern("derivative"));
  const auto* name =
      option == nullptr ? nullptr : syntax::find<syntax::ReferenceExpr>(option->value);
  if (name == nullptr) return FunctionId();
  Env env;
  env.scope = called.instance;
  Element* found = Calls(session_).find_function(*name, env);
  if (found == nullptr || info(*found).instance == called.instance) return FunctionId();
  const FunctionId id = find_written(info(*found), range);
  const bool fits =
      id.is_valid() &&
      session_.flat->functions[id].num_inputs == static_cast<int>(called.inputs.size()) &&
      session_.flat->functions[id].num_outputs ==
          static_cast<int>(called.inputs.size() * called.outputs.size());
  if (!fits)
    session_.fail("flat-function", "the derivative does not fit the function", option->range);
  return id;
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
    program = &find_program(called, arguments, is_given, range);
  } catch (const NotInlinable& reason) {
    fail_not_inlinable(session_, called, reason, range);
  }
  std::vector<NodeId> inputs;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (is_given[i])
      for_each_cell(arguments[i], [&](NodeId cell, BaseType type) {
        if (!graph.is_constant(cell)) inputs.push_back(as_number(graph, cell, type));
      });
  Substitution actual;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    actual.leaves.emplace(Leaf{ProgramRecorder::variable(k), 0}, inputs[k]);
  Value out = program->result;
  replace_cells(out, [&](NodeId output, BaseType type) {
    const NodeId formula = program->formulas[output.index()];
    if (formula.is_valid()) return substitute(graph, formula, actual);
    const NodeId cell = graph.call(program->function, static_cast<int>(output.index()), inputs);
    if (type != BaseType::kBoolean) return cell;
    return graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
  });
  return out;
}

}  // namespace hydae::modelica
