// Values of observed variables (compile/observed.h) from those of the solved ones.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "expr/evaluate.h"
#include "sim/hybrid_model.h"

namespace hydae {

class ObservedValues {
 public:
  // Of a solved or discrete variable at the point in question.
  using Values = std::function<double(Leaf)>;
  struct LeafValues {
    std::vector<double> now, before;  // before: under pre()
  };

  // `which`: positions in model.observed().variables.
  ObservedValues(const HybridModel& model, std::vector<std::size_t> which);

  // In the order of `which`, NaN where undefined. Valid until the next call.
  std::span<const double> evaluate(double t, const Values& value);
  // One text for each variable that was undefined somewhere.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  void warn_of_undefined(std::size_t k, double t, const Values& value);

  const HybridModel& model_;
  std::vector<std::size_t> which_;
  std::vector<double> parameters_;
  Evaluator evaluator_;
  LeafValues leaves_;
  std::vector<double> results_;
  std::vector<bool> was_undefined_;
  std::vector<std::string> warnings_;
};

}  // namespace hydae
