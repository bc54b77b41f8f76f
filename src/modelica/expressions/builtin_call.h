// A call of a predefined function, with its arguments on demand; and these functions.
#pragma once

#include <string>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica::builtin {

struct Call {
  Session& session;
  const std::string& name;
  const syntax::CallExpr& syntax;
  const Env& env;

  SourceRange range() const { return syntax.range; }
  // The argument at a position or with that label; null if it is not given.
  const syntax::Expr* find_argument(std::size_t position, const char* label) const;
  const syntax::Expr& argument(std::size_t position, const char* label = "") const;
  Value value(std::size_t position, const char* label = "") const;
  NodeId real(std::size_t position, const char* label = "") const;
  int known_integer(std::size_t position, const char* label = "") const;
  int known_size(std::size_t position, const char* label = "") const;
  Sizes known_sizes(std::size_t first) const;
  void expect_arguments(std::size_t least, std::size_t most) const;
};

// builtin_events.cc
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
Value unsupported(const Call& call);
// builtin_connections.cc
Value cardinality(const Call& call);
Value rooted(const Call& call);
Value in_stream(const Call& call);
Value actual_stream(const Call& call);
Value get_instance_name(const Call& call);
// builtin_math.cc, builtin_text.cc
Value math(const Call& call);
Value to_integer(const Call& call);
Value to_string(const Call& call);
// builtin_arrays.cc, reductions.cc
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
Value reduction(const Call& call);
Value one_array(const Call& call);
Value two_arrays(const Call& call);

}  // namespace hydae::modelica::builtin
