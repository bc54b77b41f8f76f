#include "compile/given_starts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/start_values.h"

namespace hydae {
namespace {

constexpr std::size_t kMostElements = 3;

// Its start value says what it is, which is an equation.
bool is_input(const Model& model, const std::string& name) {
  return std::ranges::any_of(model.inputs(),
                             [&](const ModelInput& input) { return input.name == name; });
}

void add_starts_of_model(const Model& model, const std::vector<double>& parameters,
                         std::vector<GivenStart>& all) {
  for (VarId id : ids<VarId>(model.num_variables())) {
    const Variable& variable = model.all_variables()[id];
    if (variable.kind != VariableKind::kReal) continue;
    for (const EqualStart& start : variable.equal_starts)
      if (const auto value = number_of(model, start.value, parameters))
        all.push_back({start.name, {id, 0}, start.factor, *value, start.fixed, false});
    for (const StartValue& start : variable.starts) {
      if (start.order == 0 && !variable.equal_starts.empty()) continue;
      if (const auto value = number_of(model, start.value, parameters))
        all.push_back({derivative_name(variable.name, start.order),
                       {id, start.order},
                       1,
                       *value,
                       start.fixed,
                       false});
    }
  }
}

bool counts_more(const GivenStart& a, const GivenStart& b) {
  if (a.is_fixed != b.is_fixed) return a.is_fixed;
  return a.is_of_options;  // the last one, of several
}

}  // namespace

std::optional<NamedLeaf> find_named_leaf(const Model& model, const std::string& text) {
  const auto [name, order] = parse_derivative_name(text);
  if (const auto variable = model.find_variable(name)) return NamedLeaf{{*variable, order}, 1};
  if (const Alias* alias = model.find_alias(name))
    return NamedLeaf{{alias->target, order}, alias->factor};
  return std::nullopt;
}

namespace {

// "; it is an array: `x[1]`, ...", or what the name looks like.
std::string hint_for(const Model& model, const std::string& name) {
  std::vector<std::string> names, elements;
  for (const Variable& variable : model.all_variables()) names.push_back(variable.name);
  for (const Alias& alias : model.aliases()) names.push_back(alias.name);
  for (const std::string& candidate : names)
    if (candidate.starts_with(name + "[")) elements.push_back(candidate);
  if (!elements.empty())
    return fmt::format("; it is an array of {}", quoted_list(elements, kMostElements));
  const std::vector<std::string> near = nearest_names(name, names);
  return near.empty() ? "" : fmt::format("; near: {}", quoted_list(near));
}

bool is_value(double value, const Variable& variable) {
  if (variable.kind == VariableKind::kBoolean) return value == 0 || value == 1;
  if (variable.kind != VariableKind::kInteger) return std::isfinite(value);
  const auto last = static_cast<double>(variable.literals.size());
  return value == std::floor(value) && (last == 0 || (value >= 1 && value <= last));
}

}  // namespace

std::string name_of_values(const Variable& variable) {
  if (variable.kind == VariableKind::kBoolean) return "Boolean";
  if (!variable.literals.empty()) return "one of " + quoted_list(variable.literals);
  return variable.kind == VariableKind::kInteger ? "Integer" : "Real";
}

NamedLeaf require_named_leaf(const Model& model, const std::string& text) {
  const auto [name, order] = parse_derivative_name(text);
  const auto found = find_named_leaf(model, text);
  if (!found && model.find_parameter(name))
    throw UsageError(fmt::format("`{}` is a parameter of model `{}`: it has no start value", text,
                                 model.name()));
  if (!found)
    throw UsageError(fmt::format("model `{}` has no variable `{}`{}", model.name(), name,
                                 hint_for(model, name)));
  if (order > 0 && model.all_variables()[found->leaf.variable].kind != VariableKind::kReal)
    throw UsageError(fmt::format("`{}` changes at events only: it has no derivative", name));
  return *found;
}

NamedLeaf require_start(const Model& model, const StartOverride& start) {
  const NamedLeaf found = require_named_leaf(model, start.variable);
  const Variable& variable = model.all_variables()[found.leaf.variable];
  if (is_value(start.value, variable)) return found;
  throw UsageError(fmt::format("`{}` is no value for `{}`, which is {}", start.value,
                               start.variable, name_of_values(variable)));
}

GivenStarts collect_given_starts(const Model& model, const std::vector<double>& parameters,
                                 std::span<const StartOverride> overrides) {
  std::vector<GivenStart> all;
  add_starts_of_model(model, parameters, all);
  std::erase_if(all, [&](const GivenStart& start) { return is_input(model, start.name); });
  for (const StartOverride& start : overrides) {
    const auto [leaf, factor] = require_start(model, start);
    const auto [name, order] = parse_derivative_name(start.variable);
    GivenStart given{derivative_name(name, order), leaf, factor, start.value, start.fixed, true};
    std::erase_if(all, [&](const GivenStart& old) { return old.name == given.name; });
    all.push_back(std::move(given));
  }
  GivenStarts result;
  for (const GivenStart& start : all) {
    const auto [at, is_new] = result.chosen.emplace(start.leaf, start);
    if (!is_new && counts_more(start, at->second)) at->second = start;
  }
  std::erase_if(all, [&](const GivenStart& start) {
    return result.chosen.at(start.leaf).name == start.name;
  });
  result.others = std::move(all);
  return result;
}

}  // namespace hydae
