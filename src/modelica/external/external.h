// External functions: those of the language ("builtin") and the ones of the standard library that
// are done natively, known by their C names. Others are loaded from shared libraries, if that is
// allowed.
#pragma once

#include <string>
#include <vector>

#include "modelica/external/native_calls.h"

namespace hydae::modelica {

class SharedLibrary;

class External {
 public:
  explicit External(Session& session) : session_(session) {}

  // The result of an external function whose inputs are in the frame of `env`.
  Value call(const FunctionInfo& function, const Env& env, SourceRange range);

 private:
  std::vector<Value> call_known(const native::Handler& handler, const FunctionInfo& function,
                                const Env& env, SourceRange range);
  Value converted(Element& output, Value value, const Env& env, SourceRange range);

  Value builtin(const FunctionInfo& function, const std::string& name, const Env& env,
                SourceRange range);

  // shared libraries (external_library.cc)
  class LibraryCall;
  std::vector<Value> call_library(const FunctionInfo& function, const Env& env, SourceRange range);
  SharedLibrary open_library(const FunctionInfo& function, SourceRange range);
  std::string c_name(const FunctionInfo& function) const;

  Session& session_;
};

}  // namespace hydae::modelica
