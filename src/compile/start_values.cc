#include "compile/start_values.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

#include <hydae/error.h>

#include "expr/evaluate.h"

namespace hydae {

std::optional<double> number_of(const Model& model, const Expr& expr,
                                const std::vector<double>& parameters) {
  double value = 0;
  if (expr.is_number()) {
    value = expr.value();
  } else if (model.graph().is_constant(expr.id())) {
    value = model.graph().constant_value(expr.id());
  } else {
    const NodeId root = expr.id();
    Evaluator evaluator(model.graph(), std::span(&root, 1), &model.functions());
    if (!evaluator.leaves().empty() || !evaluator.pre_leaves().empty()) return std::nullopt;
    value = evaluator.evaluate({.parameters = parameters}).front();
  }
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

void require_ranges(const Model& model) {
  std::set<VarId> has_aliases;
  for (const Alias& alias : model.aliases()) has_aliases.insert(alias.target);
  const std::vector<double> parameters = model.parameter_values();
  Diagnostics diagnostics;
  for (VarId id : ids<VarId>(model.num_variables())) {
    const Variable& variable = model.all_variables()[id];
    if (!variable.min || !variable.max || has_aliases.contains(id)) continue;
    const auto low = number_of(model, *variable.min, parameters);
    const auto high = number_of(model, *variable.max, parameters);
    if (low && high && *low > *high)
      diagnostics.error(
          "empty-range",
          fmt::format("`{}`: min = {} is larger than max = {}", variable.name, *low, *high),
          variable.source);
  }
  if (diagnostics.has_errors()) throw ModelError(std::move(diagnostics));
}

std::optional<double> start_value(const Model& model, Leaf leaf,
                                  const std::vector<double>& parameters) {
  if (leaf.variable.index() >= model.num_variables()) return std::nullopt;
  for (const StartValue& start : model.all_variables()[leaf.variable].starts)
    if (start.order == leaf.order) return number_of(model, start.value, parameters);
  return std::nullopt;
}

}  // namespace hydae
