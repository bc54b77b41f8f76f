// Types of expressions that are not evaluated: the body of a comprehension over nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

class ExpressionTypes {
 public:
  explicit ExpressionTypes(Session& session) : session_(session) {}

  // A value of the type of an expression that is not evaluated, without elements
  // (expression_type.cc).
  Value type_of(const syntax::Expr& expr, const Env& env);

  // An error if what was not evaluated is of another type than what was.
  void refuse_other_type(const syntax::Expr& skipped, const Value& taken, const Env& env);

 private:
  std::optional<Value> certain_type(const syntax::Expr& expr, const Env& env);
  Value type_of_reference(const syntax::ReferenceExpr& expr, const Env& env);

  Session& session_;
};

}  // namespace hydae::modelica
