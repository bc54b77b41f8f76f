// External functions: those of the language ("builtin") and the ones of the standard library that
// are done natively, known by their C names. Others are loaded from shared libraries, if that is
// allowed.
#pragma once

#include <iosfwd>
#include <string>
#include <unordered_map>
#include <vector>

#include "modelica/functions/functions.h"

namespace hydae::modelica {

class SharedLibrary;

class External {
 public:
  explicit External(Session& session) : session_(session) {}

  // The result of an external function whose inputs are in the frame of `env`.
  Value call(const FunctionInfo& function, const Env& env, SourceRange range);

 private:
  // What the C function is given, in its own order -> what it gives back: its result, then what it
  // writes through its arguments. LAPACK and the Fourier transform, whose arguments are sizes and
  // work arrays for the most part, are told by the inputs of the Modelica function instead.
  struct Call {
    CheckedList<Value> inputs;
    SourceRange range;
  };
  using Code = std::vector<Value> (External::*)(const Call&);
  struct Handler {
    Code code;
    bool is_by_declaration = false;
  };
  static const std::unordered_map<std::string, Handler>& handlers();
  std::vector<Value> call_known(const Handler& handler, const FunctionInfo& function,
                                const Env& env, SourceRange range);
  Value converted(Element& output, Value value, const Env& env, SourceRange range);

  Value builtin(const FunctionInfo& function, const std::string& name, const Env& env,
                SourceRange range);

  // shared libraries (external_library.cc)
  class LibraryCall;
  std::vector<Value> call_library(const FunctionInfo& function, const Env& env, SourceRange range);
  SharedLibrary open_library(const FunctionInfo& function, SourceRange range);
  std::string c_name(const FunctionInfo& function) const;

  // strings (external_strings.cc)
  std::vector<Value> string_length(const Call& call);
  std::vector<Value> substring(const Call& call);
  std::vector<Value> compare(const Call& call);
  std::vector<Value> skip_white_space(const Call& call);
  std::vector<Value> scan_identifier(const Call& call);
  std::vector<Value> scan_integer(const Call& call);
  std::vector<Value> scan_real(const Call& call);
  std::vector<Value> scan_string(const Call& call);
  std::vector<Value> hash_string(const Call& call);
  // random numbers (external_random.cc)
  std::vector<Value> random(const Call& call, const std::string& name);
  std::vector<Value> random_64(const Call& call);
  std::vector<Value> random_128(const Call& call);
  std::vector<Value> random_1024(const Call& call);
  // external_linear.cc, external_fourier.cc
  std::vector<Value> linear_solve(const Call& call);
  std::vector<Value> least_squares(const Call& call);
  std::vector<Value> fourier(const Call& call);
  std::vector<NodeId> call_native(const Function& function, const std::vector<NodeId>& arguments);
  // files (external_files.cc)
  std::string resolve_path(const std::string& name, SourceRange range);
  std::vector<Value> full_path_name(const Call& call);
  std::ifstream open_file(const Call& call);
  std::vector<Value> read_line(const Call& call);
  std::vector<Value> count_lines(const Call& call);
  std::vector<Value> ignore(const Call& call);
  std::vector<Value> print(const Call& call);
  std::vector<Value> write_nothing(const Call& call);
  // tables
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

  // Arguments of the expected kind, or an error.
  const std::string& text(const Call& call, std::size_t position) const;
  NodeId number(const Call& call, std::size_t position) const;
  const ExternalObject& object(const Call& call, std::size_t position) const;
  std::int64_t integer(const Call& call, std::size_t position);
  bool boolean(const Call& call, std::size_t position);

  Session& session_;
};

}  // namespace hydae::modelica
