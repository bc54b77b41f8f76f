#include "modelica/models_testing.h"

#include <cmath>

#include "expr/evaluate.h"

namespace hydae {

Model load_ok(const std::string& text, const std::string& class_name) {
  LoadResult result = load_text(text, class_name);
  if (!result.model) {
    ADD_FAILURE() << render(result.diagnostics, result.sources.get());
    return Model("none");
  }
  return std::move(*result.model);
}

namespace {

std::string codes(const LoadResult& result, Severity severity) {
  std::string out;
  for (const Diagnostic& diagnostic : result.diagnostics.items())
    if (diagnostic.severity == severity) out += (out.empty() ? "" : " ") + diagnostic.code;
  return out;
}

}  // namespace

std::string error_codes(const LoadResult& result) { return codes(result, Severity::kError); }
std::string error_codes(const std::string& text) { return error_codes(load_text(text)); }
std::string warning_codes(const LoadResult& result) { return codes(result, Severity::kWarning); }

std::string definition(const Model& model, const std::string& name) {
  if (const Alias* alias = model.find_alias(name))
    return (alias->factor < 0 ? "-" : "") + model.all_variables()[alias->target].name;
  if (const auto parameter = model.find_parameter(name)) {
    const Parameter& found = model.parameters()[*parameter];
    if (found.binding) return model.to_string(*found.binding);
    if (found.kind == VariableKind::kBoolean) return found.value != 0 ? "true" : "false";
    return number_to_string(found.value);
  }
  const auto variable = model.find_variable(name);
  if (!variable) return "no " + name;
  Graph& graph = model.graph();
  const NodeId id = graph.variable(*variable);
  for (const Equation& equation : model.equations()) {
    if (equation.lhs.in(graph) == id) return model.to_string(equation.rhs);
    if (equation.rhs.in(graph) == id) return model.to_string(equation.lhs);
  }
  return "?";
}

double value_at(const Model& model, const std::string& name, double time) {
  Graph& graph = model.graph();
  const VarId variable = *model.find_variable(name);
  for (const Equation& equation : model.equations()) {
    if (equation.lhs.in(graph) != graph.variable(variable)) continue;
    const NodeId root = equation.rhs.in(graph);
    Evaluator evaluator(graph, std::span(&root, 1), &model.functions());
    const std::vector<double> parameters = model.parameter_values();
    return evaluator.evaluate({.time = time, .parameters = parameters})[0];
  }
  return NAN;
}

}  // namespace hydae
