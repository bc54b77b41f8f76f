// External functions of the standard library that are done here, by their C names.
#pragma once

#include <string>
#include <vector>

#include "modelica/functions/functions.h"

namespace hydae::modelica::native {

// What the C function is given, in its own order -> what it gives back: its result, then what it
// writes through its arguments. LAPACK and the Fourier transform, whose arguments are sizes and
// work arrays for the most part, are told by the inputs of the Modelica function instead.
struct Call {
  Session& session;
  CheckedList<Value> inputs;
  SourceRange range;

  // Arguments of the expected kind, or an error.
  const std::string& text(std::size_t position) const;
  NodeId number(std::size_t position) const;
  const ExternalObject& object(std::size_t position) const;
  std::int64_t integer(std::size_t position) const;
  bool boolean(std::size_t position) const;
};

using Code = std::vector<Value> (*)(const Call&);
struct Handler {
  Code code;
  bool is_by_declaration = false;
};
const Handler* find_handler(const std::string& name);  // null: not known here

// The outputs of a function that exists as code: numbers if the arguments are, else calls.
std::vector<NodeId> call_native(Session& session, const Function& function,
                                const std::vector<NodeId>& arguments);
// Also `modelica://Package.Name/path`, from the folder of that package.
std::string resolve_path(Session& session, const std::string& name, SourceRange range);

// strings: external_strings.cc
std::vector<Value> string_length(const Call& call);
std::vector<Value> substring(const Call& call);
std::vector<Value> compare(const Call& call);
std::vector<Value> skip_white_space(const Call& call);
std::vector<Value> scan_identifier(const Call& call);
std::vector<Value> scan_integer(const Call& call);
std::vector<Value> scan_real(const Call& call);
std::vector<Value> scan_string(const Call& call);
std::vector<Value> hash_string(const Call& call);
// random numbers: external_random.cc
std::vector<Value> random_64(const Call& call);
std::vector<Value> random_128(const Call& call);
std::vector<Value> random_1024(const Call& call);
// linear algebra and the Fourier transform: external_linear.cc, external_fourier.cc
std::vector<Value> linear_solve(const Call& call);
std::vector<Value> least_squares(const Call& call);
std::vector<Value> fourier(const Call& call);
// files: external_files.cc
std::vector<Value> full_path_name(const Call& call);
std::vector<Value> read_line(const Call& call);
std::vector<Value> count_lines(const Call& call);
std::vector<Value> ignore(const Call& call);
std::vector<Value> print(const Call& call);
std::vector<Value> write_nothing(const Call& call);
// tables: external_tables.cc
std::vector<Value> table_1d_value(const Call& call);
std::vector<Value> table_1d_minimum(const Call& call);
std::vector<Value> table_1d_maximum(const Call& call);
std::vector<Value> table_2d_value(const Call& call);
std::vector<Value> table_2d_minimum(const Call& call);
std::vector<Value> table_2d_maximum(const Call& call);
std::vector<Value> time_table_value(const Call& call);
std::vector<Value> time_table_minimum(const Call& call);
std::vector<Value> time_table_maximum(const Call& call);
std::vector<Value> time_table_next_event(const Call& call);

}  // namespace hydae::modelica::native
