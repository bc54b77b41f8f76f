// External functions: those of the language ("builtin") and the ones that are done natively.
#pragma once

#include "modelica/functions.h"

namespace hydae::modelica {

class External {
 public:
  explicit External(Session& session) : session_(session) {}

  // The result of an external function whose inputs are in `frame`.
  Value call(const FunctionInfo& function, Frame& frame, const Env& env, SourceRange range);

 private:
  Session& session_;
};

}  // namespace hydae::modelica
