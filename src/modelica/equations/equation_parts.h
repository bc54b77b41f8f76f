// What equations, when-equations and algorithm sections have in common: where equations go, the
// sides of an equality, the turns of a loop, assertions.
#pragma once

#include <functional>
#include <vector>

#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica {

// Where equations go: those of one branch of an if-equation are collected, then joined.
struct EquationSink {
  std::vector<FlatEquation> equations;
  std::vector<FlatAssertion> assertions;
  bool is_initial = false;
  bool allows_when = true;
};

struct EquationOrigin {
  const Instance* instance;
  SourceRange range;
};

using EquationList = syntax::List<const syntax::Equation*>;

// lhs = rhs, array by array and field by field.
void add_equality(Session& session, const Value& lhs, const Value& rhs,
                  const EquationOrigin& origin, std::vector<FlatEquation>& out);
// All results of a call that stands alone, else a value.
Value side_of(Session& session, const syntax::Expr& expr, const Env& env);
// Calls `body` for each turn of a loop.
void for_each_turn(Session& session, const syntax::ForEquation& equation, const Env& env,
                   const std::function<void(const Env&)>& body);
// The arguments of a call of `assert`.
FlatAssertion read_assertion(Session& session, const syntax::CallExpr& call, const Env& env);

}  // namespace hydae::modelica
