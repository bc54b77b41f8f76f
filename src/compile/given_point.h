// One point of a model: its start values, and values that somebody has found in their place.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include <hydae/expr.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace hydae {

class GivenPoint {
 public:
  // Names that are no variables of the model are a UsageError.
  // Time: the model's start, if none is given.
  GivenPoint(const Model& model, const std::vector<StartOverride>& values,
             std::optional<double> time = std::nullopt);

  double time() const { return time_; }
  const std::vector<double>& parameters() const { return parameters_; }
  double value(Leaf leaf) const;  // 0 for what has none
  double pre(Leaf leaf) const;    // the start value, 0 for what has none
  // Of expressions at this point.
  std::vector<double> evaluate(std::span<const NodeId> roots) const;

 private:
  const Model& model_;
  double time_;
  std::vector<double> parameters_;
  std::map<Leaf, double> values_;
};

}  // namespace hydae
