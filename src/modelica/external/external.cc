#include "modelica/external/external.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "modelica/expressions/builtin_functions.h"
#include "modelica/functions/function_variables.h"

namespace hydae::modelica {

Value External::builtin(const FunctionInfo& function, const std::string& name, const Env& env,
                        SourceRange range) {
  std::vector<Value> arguments;
  Env inner = env;
  inner.scope = function.external_scope;
  for (const syntax::Expr* argument : function.external->arguments)
    arguments.push_back(session_.evaluator->evaluate(*argument, inner));
  if (arguments.empty())
    for (const Element* input : function.inputs)
      arguments.push_back(*env.frame->slots[static_cast<std::size_t>(input->slot)]);
  return apply_builtin(session_, name, arguments, env.is_silent, range);
}

namespace {

// The output that an argument of the external call names; null if it is something else.
Element* find_output(const FunctionInfo& function, const syntax::Expr& argument) {
  const auto* reference = syntax::find<syntax::ReferenceExpr>(&argument);
  if (reference == nullptr || reference->parts.size() != 1 ||
      !reference->parts.front().subscripts.empty())
    return nullptr;
  for (Element* output : function.outputs)
    if (output->name == reference->parts.front().name.symbol) return output;
  return nullptr;
}

}  // namespace

// The outputs of the Modelica function in their order.
std::vector<Value> External::call_known(const native::Handler& handler,
                                        const FunctionInfo& function, const Env& env,
                                        SourceRange range) {
  const syntax::External& external = *function.external;
  Env inner = env;
  inner.scope = function.external_scope;
  native::Call call{session_, {}, range};
  std::vector<Element*> places;  // of the results of the C function
  const bool is_default = !external.function.is_valid() || handler.is_by_declaration;
  if (is_default) {
    for (const Element* input : function.inputs)
      call.inputs.push_back(*env.frame->slots[static_cast<std::size_t>(input->slot)]);
    places = function.outputs;
  } else {
    if (external.output != nullptr) places.push_back(find_output(function, *external.output));
    for (const syntax::Expr* argument : external.arguments)
      if (Element* output = find_output(function, *argument))
        places.push_back(output);
      else
        call.inputs.push_back(session_.evaluator->evaluate(*argument, inner));
  }
  std::vector<Value> given = handler.code(call);
  if (handler.is_by_declaration && given.size() > places.size()) given.resize(places.size());
  std::vector<Value> outputs;
  for (const Element* output : function.outputs) {
    const auto place = std::find(places.begin(), places.end(), output);
    if (place == places.end() || given.size() != places.size())
      session_.fail(
          "bad-external",
          fmt::format("`{}` has {} results, the external call has {}; it must give `{}` "
                      "its value",
                      c_name(function), given.size(), places.size(), session_.text(output->name)),
          range);
    outputs.push_back(std::move(given[static_cast<std::size_t>(place - places.begin())]));
  }
  return outputs;
}

// The declaration decides what a C integer is: a number, a truth value, a value of an enumeration.
Value External::converted(Element& output, Value value, const Env& env, SourceRange range) {
  const Component& declared = *output.component;
  if (value.type == BaseType::kInteger && declared.base() == BaseType::kEnumeration) {
    value.type = BaseType::kEnumeration;
    value.enumeration = declared.type->enumeration;
  } else if (value.type == BaseType::kInteger && declared.base() == BaseType::kBoolean) {
    Graph& graph = *session_.graph;
    value.type = BaseType::kBoolean;
    for (NodeId& cell : value.cells)
      cell = graph.relation(Op::kNotEqual, cell, graph.constant(0), true);
  }
  return FunctionVariables(session_).fit(output, std::move(value), env, range);
}

Value External::call(const FunctionInfo& function, const Env& env, SourceRange range) {
  const syntax::External& external = *function.external;
  const std::string language =
      external.language == nullptr ? "C" : syntax::string_value(*external.language);
  const std::string name = c_name(function);
  if (language == "builtin") return builtin(function, name, env, range);
  const native::Handler* handler = native::find_handler(name);
  std::vector<Value> outputs = handler != nullptr ? call_known(*handler, function, env, range)
                                                  : call_library(function, env, range);
  for (std::size_t i = 0; i < outputs.size(); ++i)
    outputs[i] = converted(*function.outputs[i], std::move(outputs[i]), env, range);
  if (outputs.size() == 1) return std::move(outputs.front());
  Value tuple;
  tuple.type = BaseType::kTuple;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    tuple.fields.push_back(
        {function.outputs[i]->name, std::make_shared<Value>(std::move(outputs[i]))});
  return tuple;
}

}  // namespace hydae::modelica
