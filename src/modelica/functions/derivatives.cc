#include "modelica/functions/derivatives.h"

#include <algorithm>
#include <fmt/format.h>

#include "expr/derivative.h"
#include "modelica/classes/modification.h"
#include "modelica/expressions/call_evaluation.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/operators.h"
#include "modelica/expressions/value_scalars.h"
#include "modelica/flat/flat.h"
#include "modelica/functions/loop_function.h"
#include "ops/exact_jacobian.h"

namespace hydae::modelica {

namespace {

bool has_reals(const Value& value) {
  if (value.type == BaseType::kReal) return true;
  return std::any_of(value.fields.begin(), value.fields.end(), [](const Field& field) {
    return field.value != nullptr && has_reals(*field.value);
  });
}

// The arguments of an annotation that are called `name`.
std::vector<const syntax::Modification*> find_all(const syntax::Modification* annotation,
                                                  Symbol name) {
  std::vector<const syntax::Modification*> found;
  if (annotation == nullptr) return found;
  for (const syntax::Argument* argument : annotation->arguments) {
    const auto* modify = syntax::find<syntax::ModifyArgument>(argument);
    if (modify != nullptr && modify->name.parts.size() == 1 &&
        modify->name.parts.front().symbol == name && modify->modification != nullptr)
      found.push_back(modify->modification);
  }
  return found;
}

}  // namespace

std::vector<Value> list_outputs(Value result) {
  std::vector<Value> out;
  if (result.type != BaseType::kTuple)
    out.push_back(std::move(result));
  else
    for (const Field& field : result.fields) out.push_back(*field.value);
  return out;
}

// ---- annotations ----

std::vector<bool> Derivatives::named_inputs(const FunctionInfo& function,
                                            const syntax::Modification& annotation,
                                            const char* option) {
  std::vector<bool> is_named(function.inputs.size(), false);
  for (const syntax::Modification* found :
       find_all(&annotation, session_.workspace.intern(option))) {
    const auto* name = syntax::find<syntax::ReferenceExpr>(found->value);
    std::size_t k = 0;
    while (name != nullptr && k < is_named.size() &&
           function.inputs[k]->name != name->parts.front().name.symbol)
      ++k;
    if (name == nullptr || k == is_named.size())
      session_.fail("derivative-annotation",
                    fmt::format("`{}` of the derivative of `{}` names no input", option,
                                session_.text(function.instance->def->name)),
                    found->range);
    is_named[k] = true;
  }
  return is_named;
}

DerivativeNote Derivatives::understand(const FunctionInfo& function,
                                       const syntax::Modification& written, Instance& scope) {
  DerivativeNote note;
  const auto* name = syntax::find<syntax::ReferenceExpr>(written.value);
  Env env;
  env.scope = &scope;
  if (name != nullptr) note.function = Calls(session_).find_function(*name, env);
  if (note.function == nullptr)
    session_.fail("derivative-annotation",
                  fmt::format("the derivative of `{}` is no function",
                              session_.text(function.instance->def->name)),
                  written.range);
  if (const auto* order = find_annotation(&written, session_.workspace.intern("order"))) {
    const auto* value = syntax::find<syntax::IntegerExpr>(order->value);
    if (value == nullptr || value->value < 1)
      session_.fail("derivative-annotation", "the order of a derivative is a number from 1 on",
                    order->range);
    note.order = static_cast<int>(std::min<std::int64_t>(value->value, 1000));
  }
  note.is_zero = named_inputs(function, written, "zeroDerivative");
  note.is_left_out = named_inputs(function, written, "noDerivative");
  for (std::size_t k = 0; k < note.is_zero.size(); ++k)
    note.is_left_out[k] = note.is_left_out[k] || note.is_zero[k];
  return note;
}

const std::vector<DerivativeNote>& Derivatives::notes(const FunctionInfo& function) {
  const auto [known, is_new] = notes_.try_emplace(function.instance);
  if (!is_new) return known->second;
  std::vector<DerivativeNote> made;
  for (const FunctionInfo::Annotation& annotation : function.annotations)
    for (const syntax::Modification* written :
         find_all(annotation.written, session_.workspace.intern("derivative")))
      made.push_back(understand(function, *written, *annotation.scope));
  return notes_[function.instance] = std::move(made);
}

const DerivativeNote* Derivatives::find(const FunctionInfo& function,
                                        const std::vector<Value>& inputs) {
  const auto holds = [&](const DerivativeNote& note) {
    if (note.order > 2 || (note.order == 2 && !is_differentiated_.contains(function.instance)))
      return false;
    bool is_constant = true;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (note.is_zero[k])
        for_each_cell(inputs[k], [&](NodeId cell, BaseType) {
          is_constant = is_constant && session_.folding->is_parameter_expression(cell);
        });
    return is_constant;
  };
  for (const DerivativeNote& note : notes(function))
    if (holds(note)) return &note;
  return nullptr;
}

// ---- columns ----

// d value / d register k.
Value Derivatives::direction(Value value, std::size_t k) {
  Graph& graph = *session_.graph;
  replace_cells(value, [&](NodeId cell, BaseType type) {
    return type == BaseType::kReal ? partial(graph, cell, ProgramRecorder::variable(k), 0) : cell;
  });
  return value;
}

// The Real results, one by one.
std::vector<NodeId> Derivatives::call(Element& function, std::vector<Value> arguments,
                                      SourceRange range) {
  std::vector<Given> given;
  for (Value& argument : arguments) given.push_back({Symbol(), std::move(argument), range});
  const Value result =
      session_.functions->call(function, std::move(given), /*is_silent=*/true, range);
  std::vector<NodeId> out;
  for_each_cell(result, [&](NodeId cell, BaseType type) {
    if (type == BaseType::kReal) out.push_back(cell);
  });
  return out;
}

// Nothing if no input that counts depends on the register.
std::vector<NodeId> Derivatives::column(const Request& request, std::size_t k) {
  std::vector<Value> arguments = request.inputs;
  bool is_zero = true;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    if (request.note.is_left_out[i] || !has_reals(request.inputs[i])) continue;
    arguments.push_back(direction(request.inputs[i], k));
    for_each_cell(arguments.back(), [&](NodeId cell, BaseType type) {
      is_zero = is_zero && (type != BaseType::kReal || session_.graph->is_constant(cell, 0));
    });
  }
  if (is_zero) return {};
  return call(*request.note.function, std::move(arguments), request.range);
}

// With x' and w the inputs that are derivatives: d/dx g(x, x') u + g(x, w), where the first term is
// (h(x, x' + u, 0) - h(x, x', 0) - h(x, u, 0)) / 2 and h(x, x', x'') the time derivative of g.
std::vector<NodeId> Derivatives::column_of_second(const Request& request, std::size_t k) {
  Graph& graph = *session_.graph;
  const std::vector<bool>& is_moving = is_differentiated_.at(request.function.instance);
  const std::size_t n = is_moving.size();
  const std::vector<Value> x(request.inputs.begin(), request.inputs.begin() + n);
  const std::vector<Value> rate(request.inputs.begin() + n, request.inputs.end());
  std::vector<Value> u, w, sum, zero;
  for (std::size_t i = 0; i < n; ++i)
    if (is_moving[i]) u.push_back(direction(x[i], k));
  for (std::size_t i = 0; i < rate.size(); ++i) {
    w.push_back(direction(rate[i], k));
    sum.push_back(Operators(session_).map(rate[i], u[i], BaseType::kReal, Op::kAdd, request.range));
    zero.push_back(rate[i]);
    replace_cells(zero.back(), [&](NodeId, BaseType) { return graph.constant(0); });
  }
  const auto with = [&](Element& function, std::initializer_list<const std::vector<Value>*> more) {
    std::vector<Value> arguments = x;
    for (const std::vector<Value>* part : more)
      arguments.insert(arguments.end(), part->begin(), part->end());
    return call(function, std::move(arguments), request.range);
  };
  Element& second = *request.note.function;
  const std::vector<NodeId> linear = with(*request.function.element, {&w});
  const std::vector<NodeId> both = with(second, {&sum, &zero}), here = with(second, {&rate, &zero}),
                            there = with(second, {&u, &zero});
  std::vector<NodeId> out;
  for (std::size_t i = 0; i < std::min(linear.size(), both.size()); ++i) {
    const NodeId mixed = graph.binary(Op::kSub, graph.binary(Op::kSub, both[i], here[i]), there[i]);
    out.push_back(
        graph.binary(Op::kAdd, linear[i], graph.binary(Op::kMul, graph.constant(0.5), mixed)));
  }
  return out;
}

// As many arguments and results as the annotation promises.
void Derivatives::check_shape(const Request& request) {
  const FunctionInfo& derivative = session_.functions->info(*request.note.function);
  std::size_t num_rates = 0, num_results = 0;
  if (request.note.order == 2)
    num_rates = request.inputs.size() - is_differentiated_.at(request.function.instance).size();
  else
    for (std::size_t k = 0; k < request.inputs.size(); ++k)
      num_rates += !request.note.is_left_out[k] && has_reals(request.inputs[k]) ? 1 : 0;
  for (const Value& output : request.outputs) num_results += has_reals(output) ? 1 : 0;
  const std::size_t num_inputs = request.inputs.size() + num_rates;
  if (derivative.inputs.size() == num_inputs && derivative.outputs.size() == num_results) return;
  session_.fail(
      "derivative-annotation",
      fmt::format("`{}` is no derivative of `{}`: it has {} inputs and {} outputs, not {} ({} and "
                  "the derivatives of {}) and {}",
                  session_.text(derivative.instance->def->name),
                  session_.text(request.function.instance->def->name), derivative.inputs.size(),
                  derivative.outputs.size(), num_inputs, request.inputs.size(), num_rates,
                  num_results),
      derivative.instance->def->definition->range);
}

std::vector<NodeId> Derivatives::jacobian(const Request& request) {
  check_shape(request);
  const FunctionInfo& derivative = session_.functions->info(*request.note.function);
  if (request.note.order == 1) {
    std::vector<bool>& is_moving = is_differentiated_[derivative.instance];
    is_moving.assign(request.inputs.size(), false);
    for (std::size_t i = 0; i < is_moving.size(); ++i)
      is_moving[i] = !request.note.is_left_out[i] && has_reals(request.inputs[i]);
  }
  std::vector<BaseType> types;
  for (const Value& output : request.outputs)
    for_each_cell(output, [&](NodeId, BaseType type) { types.push_back(type); });
  const auto num_reals =
      static_cast<std::size_t>(std::count(types.begin(), types.end(), BaseType::kReal));
  const auto n = static_cast<std::size_t>(request.num_registers);
  std::vector<NodeId> out(types.size() * n, session_.graph->constant(0));
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<NodeId> column =
        request.note.order == 1 ? this->column(request, k) : column_of_second(request, k);
    if (column.empty()) continue;
    if (column.size() != num_reals)
      session_.fail(
          "derivative-annotation",
          fmt::format("`{}` gives {} numbers, not {}",
                      session_.text(derivative.instance->def->name), column.size(), num_reals),
          derivative.instance->def->definition->range);
    std::size_t next = 0;
    for (std::size_t i = 0; i < types.size(); ++i)
      if (types[i] == BaseType::kReal) out[i * n + k] = column[next++];
  }
  return out;
}

FunctionId Derivatives::add(const Request& request, const std::string& name, FunctionId own) {
  ProgramRecorder recorder(*session_.graph);
  for (int k = 0; k < request.num_registers; ++k) recorder.add_register();
  const Functions::Recording recording(*session_.functions, recorder);
  const std::vector<NodeId> outputs = jacobian(request);
  IdVector<FunctionId, Function>& functions = session_.flat->functions;
  const std::string free = session_.functions->free_name(name);
  const auto make = [&] {
    return make_function({free, request.num_registers, request.range, FunctionId()},
                         *session_.graph, recorder, outputs, functions);
  };
  // The program may call the function itself, whose derivative it then is as well.
  if (own.is_valid()) functions[own].jacobian = make().evaluate;
  const FunctionId id = functions.push_back(make());
  if (!own.is_valid()) return id;
  functions[own].jacobian = ExactJacobian{functions[id].evaluate, functions[id].jacobian};
  return id;
}

}  // namespace hydae::modelica
