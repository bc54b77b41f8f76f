// The predefined functions and operators of the language, by name (Modelica 3.6, 3.7 and 10.3).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include <hydae/text_format.h>

#include "modelica/expressions/array_functions.h"
#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

class BuiltinFunctions {
 public:
  explicit BuiltinFunctions(Session& session) : session_(session) {}

  static bool is_builtin(const std::string& name);
  static std::vector<std::string> names();
  Value call(const std::string& name, const syntax::CallExpr& call, const Env& env);
  // A function of numbers given as values: for external "builtin".
  Value apply(const std::string& name, const std::vector<Value>& arguments, bool is_silent,
              SourceRange range);

 private:
  struct Call {
    const std::string& name;
    const syntax::CallExpr& syntax;
    const Env& env;
    SourceRange range() const { return syntax.range; }
  };
  using Handler = Value (BuiltinFunctions::*)(const Call&);
  static const std::unordered_map<std::string, Handler>& handlers();

  // The argument at a position or with that name; null if it is not given.
  const syntax::Expr* find_argument(const Call& call, std::size_t position, const char* name);
  const syntax::Expr& argument(const Call& call, std::size_t position, const char* name = "");
  Value value(const Call& call, std::size_t position, const char* name = "");
  NodeId real(const Call& call, std::size_t position, const char* name = "");
  int known_integer(const Call& call, std::size_t position, const char* name = "");
  int known_size(const Call& call, std::size_t position, const char* name = "");
  Sizes known_sizes(const Call& call, std::size_t first);
  void expect_arguments(const Call& call, std::size_t least, std::size_t most);

  // events
  Value der(const Call& call);
  Value pre(const Call& call);
  Value edge(const Call& call);
  Value change(const Call& call);
  Value initial(const Call& call);
  Value terminal(const Call& call);
  Value sample(const Call& call);
  Value no_event(const Call& call);
  Value smooth(const Call& call);
  Value semi_linear(const Call& call);
  Value homotopy(const Call& call);
  Value delay(const Call& call);
  void require_delay_time(NodeId by, NodeId most, SourceRange range);
  Value cardinality(const Call& call);
  Value rooted(const Call& call);
  Value in_stream(const Call& call);
  Value actual_stream(const Call& call);
  Value get_instance_name(const Call& call);
  Value unsupported(const Call& call);
  // numbers
  Value math(const Call& call);
  Value to_integer(const Call& call);
  Value to_string(const Call& call);
  // arrays
  Value size(const Call& call);
  Value ndims(const Call& call);
  Value zeros(const Call& call);
  Value ones(const Call& call);
  Value fill(const Call& call);
  Value identity(const Call& call);
  Value linspace(const Call& call);
  Value cat(const Call& call);
  Value array(const Call& call);
  Value promote(const Call& call);
  Value reduced_array(const Call& call, ArrayFunctions::Reduction reduction);
  Value reduction(const Call& call);
  Value one_array(const Call& call);
  Value two_arrays(const Call& call);

  Value round_with(Op op, const Value& a, BaseType type, bool is_silent);
  Value divide(const std::string& name, const Value& a, const Value& b, bool is_silent,
               SourceRange range);
  void require_divisor(const std::string& name, const Value& divisor, SourceRange range);
  void check_interval(NodeId start, NodeId interval, SourceRange range);
  NodeId pre_of(NodeId id, SourceRange range);
  TextFormat text_format(const Call& call, const Value& value);
  std::string c_format(const std::string& given, TextFormat::Kind kind, SourceRange range);

  Session& session_;
};

}  // namespace hydae::modelica
