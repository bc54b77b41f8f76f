#include "modelica/external/native_calls.h"

#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "modelica/expressions/constant_folding.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica::native {

const Handler* find_handler(const std::string& name) {
  constexpr bool kByDeclaration = true;
  static const std::unordered_map<std::string, Handler> table = {
      {"ModelicaStrings_length", {&string_length}},
      {"ModelicaStrings_substring", {&substring}},
      {"ModelicaStrings_compare", {&compare}},
      {"ModelicaStrings_skipWhiteSpace", {&skip_white_space}},
      {"ModelicaStrings_scanIdentifier", {&scan_identifier}},
      {"ModelicaStrings_scanInteger", {&scan_integer}},
      {"ModelicaStrings_scanReal", {&scan_real}},
      {"ModelicaStrings_scanString", {&scan_string}},
      {"ModelicaStrings_hashString", {&hash_string}},
      {"ModelicaRandom_xorshift64star", {&random_64}},
      {"ModelicaRandom_xorshift128plus", {&random_128}},
      {"ModelicaRandom_xorshift1024star", {&random_1024}},
      {"dgesv", {&linear_solve, kByDeclaration}},
      {"dgelsy", {&least_squares, kByDeclaration}},
      {"ModelicaFFT_kiss_fftr", {&fourier, kByDeclaration}},
      {"ModelicaInternal_fullPathName", {&full_path_name}},
      {"ModelicaInternal_print", {&print}},
      {"ModelicaInternal_readLine", {&read_line}},
      {"ModelicaInternal_countLines", {&count_lines}},
      {"ModelicaStreams_closeFile", {&ignore}},
      {"ModelicaIO_writeRealMatrix", {&write_nothing}},
      {"ModelicaStandardTables_CombiTable1D_getValue", {&table_1d_value}},
      {"ModelicaStandardTables_CombiTable1D_minimumAbscissa", {&table_1d_minimum}},
      {"ModelicaStandardTables_CombiTable1D_maximumAbscissa", {&table_1d_maximum}},
      {"ModelicaStandardTables_CombiTable2D_getValue", {&table_2d_value}},
      {"ModelicaStandardTables_CombiTable2D_minimumAbscissa", {&table_2d_minimum}},
      {"ModelicaStandardTables_CombiTable2D_maximumAbscissa", {&table_2d_maximum}},
      {"ModelicaStandardTables_CombiTimeTable_getValue", {&time_table_value}},
      {"ModelicaStandardTables_CombiTimeTable_minimumTime", {&time_table_minimum}},
      {"ModelicaStandardTables_CombiTimeTable_maximumTime", {&time_table_maximum}},
      {"ModelicaStandardTables_CombiTimeTable_nextTimeEvent", {&time_table_next_event}},
  };
  const auto found = table.find(name);
  return found == table.end() ? nullptr : &found->second;
}

const std::string& Call::text(std::size_t position) const { return inputs[position].text(); }

NodeId Call::number(std::size_t position) const { return inputs[position].scalar(); }

const ExternalObject& Call::object(std::size_t position) const {
  const Value& value = inputs[position];
  if (value.object == nullptr)
    throw WrongValue(fmt::format("a table is needed here, not {}", type_text(value)));
  return *value.object;
}

std::int64_t Call::integer(std::size_t position) const {
  const NodeId known =
      session.folding->fold(number(position), range, "the argument of an external function");
  return std::llround(session.folding->number(known));
}

bool Call::boolean(std::size_t position) const { return integer(position) != 0; }

// The outputs of a function that exists as code: numbers if the arguments are, else calls.
std::vector<NodeId> call_native(Session& session, const Function& function,
                                const std::vector<NodeId>& arguments) {
  Graph& graph = *session.graph;
  const auto num_outputs = static_cast<std::size_t>(function.num_outputs);
  std::vector<NodeId> out;
  bool is_known = true;
  for (const NodeId argument : arguments)
    is_known = is_known && session.folding->is_parameter_expression(argument);
  if (is_known) {
    std::vector<double> in, results(num_outputs);
    for (const NodeId argument : arguments)
      in.push_back(session.folding->number(
          session.folding->fold(argument, SourceRange(), "an argument of an external function")));
    function.evaluate(in, results);
    for (const double result : results) out.push_back(graph.constant(result));
    return out;
  }
  const auto [known, is_new] = session.flat->natives.emplace(function.name, FunctionId());
  if (is_new) known->second = session.flat->functions.push_back(function);
  for (std::size_t i = 0; i < num_outputs; ++i)
    out.push_back(graph.call(known->second, static_cast<int>(i), arguments));
  return out;
}

}  // namespace hydae::modelica::native
