// Whether equations that were left out since they follow from the others do so along the run. The
// unit of a residual is what the tolerances of its variables let it be.
#pragma once

#include <functional>
#include <vector>

#include "sim/evaluation_context.h"
#include "sim/outcome.h"

namespace hydae {

class ImpliedCheck {
 public:
  explicit ImpliedCheck(const HybridModel& model);

  bool empty() const { return residuals_.size() == 0; }
  // `error` of a variable or derivative, as tolerances allow it; NaN where it has no value.
  Outcome<Done> check(const EvaluationContext& now, const std::function<double(Leaf)>& error);
  double largest() const { return largest_; }

 private:
  const HybridModel& model_;
  CompiledExpressions residuals_;  // each with side and slopes behind it
  double largest_ = 0;
};

}  // namespace hydae
