#include "compile/given_point.h"

#include "compile/given_starts.h"
#include "compile/start_values.h"
#include "expr/evaluate.h"

namespace hydae {

GivenPoint::GivenPoint(const Model& model, const std::vector<StartOverride>& values,
                       std::optional<double> time)
    : model_(model),
      time_(time.value_or(model.experiment.start_time.value_or(0.0))),
      parameters_(model.parameter_values()) {
  for (const StartOverride& given : values) {
    const auto [leaf, factor] = require_named_leaf(model, given.variable);
    values_[leaf] = factor * given.value;
  }
}

double GivenPoint::value(Leaf leaf) const {
  const auto at = values_.find(leaf);
  return at != values_.end() ? at->second : pre(leaf);
}

double GivenPoint::pre(Leaf leaf) const {
  if (leaf.variable.index() >= model_.num_variables()) return 0;
  return start_value(model_, leaf, parameters_).value_or(0);
}

std::vector<double> GivenPoint::evaluate(std::span<const NodeId> roots) const {
  Evaluator evaluator(model_.graph(), roots, &model_.functions());
  std::vector<double> values, pre_values;
  for (Leaf leaf : evaluator.leaves()) values.push_back(value(leaf));
  for (Leaf leaf : evaluator.pre_leaves()) pre_values.push_back(pre(leaf));
  const std::vector<double> given(evaluator.given().size(), 0.0);
  const auto found = evaluator.evaluate({.time = time_,
                                         .parameters = parameters_,
                                         .values = values,
                                         .pre_values = pre_values,
                                         .given = given,
                                         .is_initial = true});
  return {found.begin(), found.end()};
}

}  // namespace hydae
