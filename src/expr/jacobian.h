// Exact sparse Jacobians in numbers, row by row (ops/adjoints.h). External functions come in
// through their own derivatives. A delay is given: it counts as constant even if its delay time
// varies.
#pragma once

#include <span>

#include <hydae/expr.h>

#include "expr/evaluate.h"
#include "ops/adjoints.h"

namespace hydae {

using JacobianEntry = ops::DerivativeEntry;  // column: position in the list of leaves asked for

class Jacobian {
 public:
  // Derivatives of the evaluator's roots by `columns`, each leaf at most once; a leaf that does not
  // occur is an empty column. The evaluator must outlive the Jacobian and stay where it is.
  Jacobian(Evaluator& evaluator, std::span<const Leaf> columns);

  // Evaluates values and derivatives; returns the values of the roots.
  std::span<const double> evaluate(const Point& point);

  // Row at the last point: ascending columns, each column that the root may depend on once, zeros
  // included: the pattern is the same at every point. Valid until the next call.
  std::span<const JacobianEntry> row(std::size_t root) { return adjoints_.row(root); }

 private:
  Evaluator& evaluator_;
  ops::Adjoints adjoints_;
};

}  // namespace hydae
