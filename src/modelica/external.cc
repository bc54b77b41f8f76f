#include "modelica/external.h"

#include <cmath>
#include <fmt/format.h>

#include "modelica/builtin_functions.h"
#include "modelica/folding.h"
#include "modelica/table_blocks.h"

namespace hydae::modelica {

const std::unordered_map<std::string, External::Handler>& External::handlers() {
  static const std::unordered_map<std::string, Handler> table = {
      {"ModelicaStrings_length", &External::string_length},
      {"ModelicaStrings_substring", &External::substring},
      {"ModelicaStrings_compare", &External::compare},
      {"ModelicaStrings_skipWhiteSpace", &External::skip_white_space},
      {"ModelicaStrings_scanIdentifier", &External::scan_identifier},
      {"ModelicaStrings_scanInteger", &External::scan_integer},
      {"ModelicaStrings_scanReal", &External::scan_real},
      {"ModelicaStrings_scanString", &External::scan_string},
      {"ModelicaStrings_hashString", &External::hash_string},
      {"ModelicaRandom_xorshift64star", &External::random_64},
      {"ModelicaRandom_xorshift128plus", &External::random_128},
      {"ModelicaRandom_xorshift1024star", &External::random_1024},
      {"dgesv", &External::linear_solve},
      {"dgelsy", &External::least_squares},
      {"ModelicaFFT_kiss_fftr", &External::fourier},
      {"ModelicaInternal_fullPathName", &External::full_path_name},
      {"ModelicaInternal_print", &External::ignore},
      {"ModelicaInternal_readLine", &External::read_line},
      {"ModelicaInternal_countLines", &External::count_lines},
      {"ModelicaStreams_closeFile", &External::ignore},
      {"ModelicaIO_writeRealMatrix", &External::write_nothing},
      {"ModelicaStandardTables_CombiTable1D_getValue", &External::table_1d_value},
      {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", &External::table_1d_minimum},
      {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", &External::table_1d_maximum},
      {"ModelicaStandardTables_CombiTable2D_getValue", &External::table_2d_value},
      {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", &External::table_2d_minimum},
      {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", &External::table_2d_maximum},
      {"ModelicaStandardTables_CombiTimeTable_getValue", &External::time_table_value},
      {"ModelicaStandardTables_CombiTimeTable_minimumTime", &External::time_table_minimum},
      {"ModelicaStandardTables_CombiTimeTable_maximumTime", &External::time_table_maximum},
      {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", &External::time_table_next_event},
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

Value External::call(const FunctionInfo& function, Frame& frame, const Env& env,
                     SourceRange range) {
  const syntax::External& external = *function.external;
  const std::string language =
      external.language == nullptr ? "C" : syntax::string_value(*external.language);
  const std::string name = c_name(function);
  if (language == "builtin") return builtin(function, name, env, range);
  const auto found = handlers().find(name);
  std::vector<Value> outputs;
  if (found != handlers().end()) {
    Call call{{}, range};
    for (const Element* input : function.inputs)
      call.inputs.push_back(*frame.slots[static_cast<std::size_t>(input->slot)]);
    outputs = (this->*found->second)(call);
  } else {
    outputs = call_library(function, env, range);
  }
  for (std::size_t i = 0; i < outputs.size() && i < function.outputs.size(); ++i) {
    const Component& output = *function.outputs[i]->component;
    if (output.base() != BaseType::kEnumeration) continue;
    outputs[i].type = BaseType::kEnumeration;
    outputs[i].enumeration = output.type->enumeration;
  }
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
  return call.inputs[position].strings.front();
}

std::int64_t External::integer(const Call& call, std::size_t position) {
  const NodeId known = session_.folding->fold(call.inputs[position].scalar(), call.range,
                                              "the argument of an external function");
  return std::llround(session_.folding->number(known));
}

bool External::boolean(const Call& call, std::size_t position) {
  return integer(call, position) != 0;
}

// ---- tables ----

std::vector<Value> External::table_1d_value(const Call& call) {
  const Table1D table(session_, *call.inputs[0].object, call.range);
  return {table.value(static_cast<int>(integer(call, 1)), call.inputs[2].scalar())};
}

std::vector<Value> External::table_1d_minimum(const Call& call) {
  return {
      session_.evaluator->real(Table1D(session_, *call.inputs[0].object, call.range).minimum())};
}

std::vector<Value> External::table_1d_maximum(const Call& call) {
  return {
      session_.evaluator->real(Table1D(session_, *call.inputs[0].object, call.range).maximum())};
}

std::vector<Value> External::table_2d_value(const Call& call) {
  const Table2D table(session_, *call.inputs[0].object, call.range);
  return {table.value(call.inputs[1].scalar(), call.inputs[2].scalar())};
}

std::vector<Value> External::table_2d_minimum(const Call& call) {
  return {Table2D(session_, *call.inputs[0].object, call.range).minimum()};
}

std::vector<Value> External::table_2d_maximum(const Call& call) {
  return {Table2D(session_, *call.inputs[0].object, call.range).maximum()};
}

std::vector<Value> External::time_table_value(const Call& call) {
  const TimeTable table(session_, *call.inputs[0].object, call.range);
  return {table.value(static_cast<int>(integer(call, 1)), call.inputs[2].scalar())};
}

std::vector<Value> External::time_table_minimum(const Call& call) {
  const TimeTable table(session_, *call.inputs[0].object, call.range);
  return {session_.evaluator->real(table.minimum())};
}

std::vector<Value> External::time_table_maximum(const Call& call) {
  const TimeTable table(session_, *call.inputs[0].object, call.range);
  return {session_.evaluator->real(table.maximum())};
}

std::vector<Value> External::time_table_next_event(const Call& call) {
  const TimeTable table(session_, *call.inputs[0].object, call.range);
  return {table.next_event(call.inputs[1].scalar())};
}

}  // namespace hydae::modelica
