// Calls in expressions: which function is meant, and its arguments.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

class Calls {
 public:
  explicit Calls(Session& session) : session_(session) {}

  Value call(const syntax::CallExpr& call, const Env& env);
  // The function or record that a call names; null if it is a predefined function.
  Element* find_function(const syntax::ReferenceExpr& name, const Env& env);

 private:
  Value call_class(Element& cls, const syntax::CallExpr& call, const Env& env);
  Value convert_enumeration(Instance& type, const syntax::CallExpr& call, const Env& env);
  Value ask_graph(const syntax::CallExpr& call, const Env& env);
  Value construct_object(Element& cls, const syntax::CallExpr& call, const Env& env);
  std::vector<Given> arguments(Element& function, const syntax::CallExpr& call, const Env& env);
  Value function_argument(const syntax::Expr& expr, const Env& env);

  Session& session_;
};

}  // namespace hydae::modelica
