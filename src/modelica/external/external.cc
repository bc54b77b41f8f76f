#include "modelica/external/external.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "modelica/expressions/builtin_functions.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/external/table_blocks.h"

namespace hydae::modelica {

const std::unordered_map<std::string, External::Handler>& External::handlers() {
  constexpr bool kByDeclaration = true;
  static const std::unordered_map<std::string, Handler> table = {
      {"ModelicaStrings_length", {&External::string_length}},
      {"ModelicaStrings_substring", {&External::substring}},
      {"ModelicaStrings_compare", {&External::compare}},
      {"ModelicaStrings_skipWhiteSpace", {&External::skip_white_space}},
      {"ModelicaStrings_scanIdentifier", {&External::scan_identifier}},
      {"ModelicaStrings_scanInteger", {&External::scan_integer}},
      {"ModelicaStrings_scanReal", {&External::scan_real}},
      {"ModelicaStrings_scanString", {&External::scan_string}},
      {"ModelicaStrings_hashString", {&External::hash_string}},
      {"ModelicaRandom_xorshift64star", {&External::random_64}},
      {"ModelicaRandom_xorshift128plus", {&External::random_128}},
      {"ModelicaRandom_xorshift1024star", {&External::random_1024}},
      {"dgesv", {&External::linear_solve, kByDeclaration}},
      {"dgelsy", {&External::least_squares, kByDeclaration}},
      {"ModelicaFFT_kiss_fftr", {&External::fourier, kByDeclaration}},
      {"ModelicaInternal_fullPathName", {&External::full_path_name}},
      {"ModelicaInternal_print", {&External::print}},
      {"ModelicaInternal_readLine", {&External::read_line}},
      {"ModelicaInternal_countLines", {&External::count_lines}},
      {"ModelicaStreams_closeFile", {&External::ignore}},
      {"ModelicaIO_writeRealMatrix", {&External::write_nothing}},
      {"ModelicaStandardTables_CombiTable1D_getValue", {&External::table_1d_value}},
      {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", {&External::table_1d_minimum}},
      {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", {&External::table_1d_maximum}},
      {"ModelicaStandardTables_CombiTable2D_getValue", {&External::table_2d_value}},
      {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", {&External::table_2d_minimum}},
      {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", {&External::table_2d_maximum}},
      {"ModelicaStandardTables_CombiTimeTable_getValue", {&External::time_table_value}},
      {"ModelicaStandardTables_CombiTimeTable_minimumTime", {&External::time_table_minimum}},
      {"ModelicaStandardTables_CombiTimeTable_maximumTime", {&External::time_table_maximum}},
      {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", {&External::time_table_next_event}},
  };
  return table;
}

Value External::builtin(const FunctionInfo& function, const std::string& name, const Env& env,
                        SourceRange range) {
  std::vector<Value> arguments;
  Env inner = env;
  inner.scope = function.external_scope;
  for (const syntax::Expr* argument : function.external->arguments)
    arguments.push_back(session_.evaluator->evaluate(*argument, inner));
  if (arguments.empty())
    for (const Element* input : function.inputs)
      arguments.push_back(*env.frame->slots[static_cast<std::size_t>(input->slot)]);
  return BuiltinFunctions(session_).apply(name, arguments, env.is_silent, range);
}

namespace {

// The output that an argument of the external call names; null if it is something else.
Element* find_output(const FunctionInfo& function, const syntax::Expr& argument) {
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&argument);
  if (reference == nullptr || reference->parts.size() != 1 ||
      !reference->parts.front().subscripts.empty())
    return nullptr;
  for (Element* output : function.outputs)
    if (output->name == reference->parts.front().name.symbol) return output;
  return nullptr;
}

}  // namespace

// The outputs of the Modelica function in their order.
std::vector<Value> External::call_known(const Handler& handler, const FunctionInfo& function,
                                        const Env& env, SourceRange range) {
  const syntax::External& external = *function.external;
  Env inner = env;
  inner.scope = function.external_scope;
  Call call{{}, range};
  std::vector<Element*> places;  // of the results of the C function
  const bool is_default = !external.function.is_valid() || handler.is_by_declaration;
  if (is_default) {
    for (const Element* input : function.inputs)
      call.inputs.push_back(*env.frame->slots[static_cast<std::size_t>(input->slot)]);
    places = function.outputs;
  } else {
    if (external.output != nullptr) places.push_back(find_output(function, *external.output));
    for (const syntax::Expr* argument : external.arguments)
      if (Element* output = find_output(function, *argument))
        places.push_back(output);
      else
        call.inputs.push_back(session_.evaluator->evaluate(*argument, inner));
  }
  std::vector<Value> given = (this->*handler.code)(call);
  if (handler.is_by_declaration && given.size() > places.size()) given.resize(places.size());
  std::vector<Value> outputs;
  for (const Element* output : function.outputs) {
    const auto place = std::find(places.begin(), places.end(), output);
    if (place == places.end() || given.size() != places.size())
      session_.fail(
          "bad-external",
          fmt::format("`{}` has {} results, the external call has {}; it must give `{}` "
                      "its value",
                      c_name(function), given.size(), places.size(), session_.text(output->name)),
          range);
    outputs.push_back(std::move(given[static_cast<std::size_t>(place - places.begin())]));
  }
  return outputs;
}

// The declaration decides what a C integer is: a number, a truth value, a value of an enumeration.
Value External::converted(Element& output, Value value, const Env& env, SourceRange range) {
  const Component& declared = *output.component;
  if (value.type == BaseType::kInteger && declared.base() == BaseType::kEnumeration) {
    value.type = BaseType::kEnumeration;
    value.enumeration = declared.type->enumeration;
  } else if (value.type == BaseType::kInteger && declared.base() == BaseType::kBoolean) {
    Graph& graph = *session_.graph;
    value.type = BaseType::kBoolean;
    for (NodeId& cell : value.cells)
      cell = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
  }
  return session_.functions->fit(output, std::move(value), env, range);
}

Value External::call(const FunctionInfo& function, const Env& env, SourceRange range) {
  const syntax::External& external = *function.external;
  const std::string language =
      external.language == nullptr ? "C" : syntax::string_value(*external.language);
  const std::string name = c_name(function);
  if (language == "builtin") return builtin(function, name, env, range);
  const auto found = handlers().find(name);
  std::vector<Value> outputs = found != handlers().end()
                                   ? call_known(found->second, function, env, range)
                                   : call_library(function, env, range);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = converted(*function.outputs[i], std::move(outputs[i]), env, range);
  if (outputs.size() == 1) return std::move(outputs.front());
  Value tuple;
  tuple.type = BaseType::kTuple;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    tuple.fields.push_back(
        {function.outputs[i]->name, std::make_shared<Value>(std::move(outputs[i]))});
  return tuple;
}

// ---- arguments ----

const std::string& External::text(const Call& call, std::size_t position) const {
  return call.inputs[position].text();
}

NodeId External::number(const Call& call, std::size_t position) const {
  return call.inputs[position].scalar();
}

const ExternalObject& External::object(const Call& call, std::size_t position) const {
  const Value& value = call.inputs[position];
  if (value.object == nullptr)
    throw WrongValue(fmt::format("a table is needed here, not {}", type_text(value)));
  return *value.object;
}

std::int64_t External::integer(const Call& call, std::size_t position) {
  const NodeId known = session_.folding->fold(number(call, position), call.range,
                                              "the argument of an external function");
  return std::llround(session_.folding->number(known));
}

bool External::boolean(const Call& call, std::size_t position) {
  return integer(call, position) != 0;
}

// ---- tables ----

std::vector<Value> External::table_1d_value(const Call& call) {
  const Table1D table(session_, object(call, 0), call.range);
  return {table.value(static_cast<int>(integer(call, 1)), number(call, 2))};
}

std::vector<Value> External::table_1d_minimum(const Call& call) {
  return {session_.evaluator->real(Table1D(session_, object(call, 0), call.range).minimum())};
}

std::vector<Value> External::table_1d_maximum(const Call& call) {
  return {session_.evaluator->real(Table1D(session_, object(call, 0), call.range).maximum())};
}

std::vector<Value> External::table_2d_value(const Call& call) {
  const Table2D table(session_, object(call, 0), call.range);
  return {table.value(number(call, 1), number(call, 2))};
}

std::vector<Value> External::table_2d_minimum(const Call& call) {
  return {Table2D(session_, object(call, 0), call.range).minimum()};
}

std::vector<Value> External::table_2d_maximum(const Call& call) {
  return {Table2D(session_, object(call, 0), call.range).maximum()};
}

std::vector<Value> External::time_table_value(const Call& call) {
  const TimeTable table(session_, object(call, 0), call.range);
  return {table.value(static_cast<int>(integer(call, 1)), number(call, 2))};
}

std::vector<Value> External::time_table_minimum(const Call& call) {
  const TimeTable table(session_, object(call, 0), call.range);
  return {session_.evaluator->real(table.minimum())};
}

std::vector<Value> External::time_table_maximum(const Call& call) {
  const TimeTable table(session_, object(call, 0), call.range);
  return {session_.evaluator->real(table.maximum())};
}

std::vector<Value> External::time_table_next_event(const Call& call) {
  const TimeTable table(session_, object(call, 0), call.range);
  return {table.next_event(number(call, 1))};
}

}  // namespace hydae::modelica
