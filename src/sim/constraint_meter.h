// How well a solution by series keeps its constraints: the largest residual, where steps begin, of
// equations that the structure differentiates. As they are written, and as large as they are.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "expr/evaluate.h"
#include "sim/taylor_solution.h"

namespace hydae {

class ConstraintMeter {
 public:
  // At time(), where the series must have been made. `table`: the numbers that equations read.
  void measure(const TaylorSolution& solution, const std::vector<double>& table);
  double largest() const { return largest_; }

 private:
  struct Constraints {
    std::optional<Evaluator> residuals;  // none: no equation is differentiated
    std::vector<VarId> columns;          // of the leaves
    std::vector<double> values;
  };
  Constraints& constraints_of(const CompiledMode& mode);

  std::map<const CompiledMode*, Constraints> by_mode_;
  double largest_ = 0;
};

}  // namespace hydae
