#include "compile/start_relations.h"

#include <algorithm>

#include "compile/given_point.h"
#include "compile/system.h"

namespace hydae {

std::vector<bool> mode_of(const Model& model, const AnalyzeOptions& options) {
  const std::vector<NodeId> relations = system_relations(model);
  if (relations.empty()) return {};
  std::vector<bool> mode;
  for (double truth : GivenPoint(model, options.point).evaluate(relations))
    mode.push_back(truth == 1.0);
  std::copy_n(options.mode.begin(), std::min(options.mode.size(), mode.size()), mode.begin());
  return mode;
}

std::vector<bool> start_mode(const Model& model) { return mode_of(model, {}); }

std::vector<std::string> relation_texts(const Model& model) {
  std::vector<std::string> texts;
  for (NodeId relation : system_relations(model))
    texts.push_back(to_string(model.graph(), relation, model.names(), 10'000));
  return texts;
}

}  // namespace hydae
