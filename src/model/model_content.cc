#include <fmt/format.h>

#include <hydae/model_content.h>

#include "model/ownership.h"

namespace hydae {

ModelContent::ModelContent(std::string name)
    : name_(std::move(name)), graph_(std::make_shared<Graph>()) {}

std::optional<VarId> ModelContent::find_variable(const std::string& name) const {
  const std::optional<NameTable::Named> named = names_.find(*this, name);
  if (!named || named->kind != NameTable::Named::Kind::kVariable) return {};
  return VarId(named->index);
}

std::optional<ParamId> ModelContent::find_parameter(const std::string& name) const {
  const std::optional<NameTable::Named> named = names_.find(*this, name);
  if (!named || named->kind != NameTable::Named::Kind::kParameter) return {};
  return ParamId(named->index);
}

const Alias* ModelContent::find_alias(const std::string& name) const {
  const std::optional<NameTable::Named> named = names_.find(*this, name);
  return named && named->kind == NameTable::Named::Kind::kAlias ? &aliases_[named->index] : nullptr;
}

VarId ModelContent::variable_of(const ModelInput& input) const {
  if (const auto variable = find_variable(input.name)) return *variable;
  return find_alias(input.name)->target;
}

Names ModelContent::names() const {
  return {[this](VarId id) { return variables_[id].name; },
          [this](ParamId id) {  // behind them: numbers that change at events
            return id.index() < parameters_.size() ? parameters_[id].name
                                                   : fmt::format("number {}", id.index());
          },
          [this](FunctionId id) { return functions_[id].name; }};
}

std::string ModelContent::to_string(const Expr& expr) const {
  constexpr std::size_t kLongestText = 10'000;
  if (expr.is_boolean_number()) return expr.value() != 0 ? "true" : "false";
  if (expr.is_number()) return number_to_string(expr.value());
  return hydae::to_string(*graph_, own(*this, expr, "to_string").id(), names(), kLongestText);
}

std::string ModelContent::variable_name(VarId variable, int order) const {
  const std::string& name = variables_[variable].name;
  if (order == 0) return name;
  return order == 1 ? fmt::format("der({})", name) : fmt::format("der({}, {})", name, order);
}

}  // namespace hydae
