// The predefined functions and operators of the language, by name (Modelica 3.6, 3.7 and 10.3).
#pragma once

#include <string>
#include <vector>

#include "modelica/expressions/evaluate.h"

namespace hydae::modelica {

bool is_builtin(const std::string& name);
std::vector<std::string> builtin_names();
Value call_builtin(Session& session, const std::string& name, const syntax::CallExpr& call,
                   const Env& env);
// A function of numbers given as values: for external "builtin" (builtin_math.cc).
Value apply_builtin(Session& session, const std::string& name, const std::vector<Value>& arguments,
                    bool is_silent, SourceRange range);

}  // namespace hydae::modelica
