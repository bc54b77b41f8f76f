#include "problems/notation.h"

#include <cmath>

#include "expr/derivative.h"

namespace hydae::problems {

Numbered::Numbered(Model& model, const std::string& name, int count) {
  for (int i = 1; i <= count; ++i) items_.push_back(model.variable(name + std::to_string(i)));
}

Expr partial(const Expr& f, const Expr& variable) {
  if (f.graph() == nullptr) return 0;
  Graph& graph = *f.graph();
  return {graph, hydae::partial(graph, f.id(), graph.node(variable.id()).variable, 0)};
}

std::vector<ReferenceValue> absolute(double accuracy, const std::vector<NamedValue>& values) {
  std::vector<ReferenceValue> result;
  for (const NamedValue& v : values) result.push_back({v.variable, v.order, v.value, accuracy});
  return result;
}

std::vector<ReferenceValue> relative(double accuracy, const std::vector<NamedValue>& values) {
  std::vector<ReferenceValue> result = absolute(accuracy, values);
  for (ReferenceValue& v : result) v.accuracy *= std::abs(v.value);
  return result;
}

std::vector<ReferenceValue> relative(double accuracy, const std::string& name,
                                     std::initializer_list<double> values) {
  std::vector<NamedValue> named;
  for (double value : values) named.push_back({name + std::to_string(named.size() + 1), value});
  return relative(accuracy, named);
}

}  // namespace hydae::problems
