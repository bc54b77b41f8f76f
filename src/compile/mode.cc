#include "compile/mode.h"

#include <hydae/analyze.h>

#include "compile/start_values.h"
#include "compile/system.h"
#include "expr/evaluate.h"

namespace hydae {

std::vector<bool> relations_at_start(const Model& model, const std::vector<NodeId>& relations) {
  if (relations.empty()) return {};
  const std::vector<double> parameters = model.parameter_values();
  Evaluator evaluator(model.graph(), relations, &model.functions());
  std::vector<double> values, pre_values;
  for (Leaf leaf : evaluator.leaves())
    values.push_back(start_value(model, leaf, parameters).value_or(0));
  for (Leaf leaf : evaluator.pre_leaves())
    pre_values.push_back(start_value(model, leaf, parameters).value_or(0));
  const std::vector<double> given(evaluator.given().size(), 0.0);
  const auto truths = evaluator.evaluate({.time = model.experiment.start_time.value_or(0.0),
                                          .parameters = parameters,
                                          .values = values,
                                          .pre_values = pre_values,
                                          .given = given,
                                          .is_initial = true});
  std::vector<bool> mode;
  for (double truth : truths) mode.push_back(truth == 1.0);
  return mode;
}

std::vector<bool> start_mode(const Model& model) {
  return relations_at_start(model, system_relations(model));
}

std::vector<std::string> relation_texts(const Model& model) {
  std::vector<std::string> texts;
  for (NodeId relation : system_relations(model))
    texts.push_back(to_string(model.graph(), relation, model.names(), 10'000));
  return texts;
}

}  // namespace hydae
