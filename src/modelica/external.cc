#include "modelica/external.h"

#include <fmt/format.h>

#include "modelica/builtin_functions.h"

namespace hydae::modelica {

Value External::call(const FunctionInfo& function, Frame& frame, const Env& env,
                     SourceRange range) {
  const syntax::External& external = *function.external;
  const std::string language =
      external.language == nullptr ? "C" : syntax::string_value(*external.language);
  std::vector<Value> arguments;
  Env inner = env;
  inner.scope = function.external_scope;
  for (const syntax::Expr* argument : external.arguments)
    arguments.push_back(session_.evaluator->evaluate(*argument, inner));
  const std::string name = external.function.is_valid()
                               ? session_.text(external.function.symbol)
                               : session_.text(function.instance->def->name);
  if (external.arguments.empty())
    for (const Element* input : function.inputs)
      arguments.push_back(*frame.slots[static_cast<std::size_t>(input->slot)]);
  if (language == "builtin")
    return BuiltinFunctions(session_).apply(name, arguments, env.is_silent, range);
  session_.unsupported(fmt::format("the external function `{}` is", name), range);
}

}  // namespace hydae::modelica
