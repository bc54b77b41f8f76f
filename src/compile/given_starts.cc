#include "compile/given_starts.h"

#include <algorithm>
#include <fmt/format.h>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "compile/start_values.h"

namespace hydae {
namespace {

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

NamedLeaf require_named_leaf(const Model& model, const std::string& text) {
  if (const auto found = find_named_leaf(model, text)) return *found;
  if (model.find_parameter(parse_derivative_name(text).first))
    throw UsageError(fmt::format("`{}` is a parameter of model `{}`: it has no start value", text,
                                 model.name()));
  throw UsageError(fmt::format("model `{}` has no variable `{}`", model.name(),
                               parse_derivative_name(text).first));
}

GivenStarts collect_given_starts(const Model& model, const std::vector<double>& parameters,
                                 std::span<const StartOverride> overrides) {
  std::vector<GivenStart> all;
  add_starts_of_model(model, parameters, all);
  std::erase_if(all, [&](const GivenStart& start) { return is_input(model, start.name); });
  for (const StartOverride& start : overrides) {
    const auto [leaf, factor] = require_named_leaf(model, start.variable);
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
