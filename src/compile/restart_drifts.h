// Time derivatives of coefficients that are not constant: A delta^(s) is the sum over r of
// (-1)^r (s over r) A^(r) delta^(s-r). Made when the first derivative of delta is met.
// docs/math/restart.md.
#pragma once

#include <optional>
#include <vector>

#include "compile/restart.h"
#include "expr/evaluate.h"

namespace hydae {

class RestartDrifts {
 public:
  struct Drift {
    EqId eq;
    Leaf leaf;
    int order;  // of the time derivative
    bool is_known = true;
    double value = 0;  // of this restart; NaN where it is not known
  };

  bool are_made() const { return are_made_; }
  void make(const AnalyzedSystem& prepared, int max_c);
  // Takes them at the left limits.
  void load(const System& system, const RestartInput& input);
  const std::vector<Drift>& list() const { return list_; }

 private:
  bool are_made_ = false;
  std::vector<Drift> list_;
  std::optional<Evaluator> values_;
};

}  // namespace hydae
