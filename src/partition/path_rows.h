// Path constraints of a model, lhs <= rhs or lhs = rhs, as rows behind its equations: (2c), (2d) of
// Raha & Petzold 2000. An inequality counts as an equation where it is active.
#pragma once

#include <vector>

#include <hydae/model.h>

#include "compile/system.h"
#include "partition/point_rates.h"

namespace hydae::partition {

class PathRows {
 public:
  // Appends the rows lhs - rhs = 0 to `system`, which holds the equations of the model. ModelError
  // [path-constraint] for one with derivatives or branches.
  PathRows(const Model& model, System& system);

  std::size_t size() const { return model_.path_constraints().size(); }
  EqId row(std::size_t k) const { return EqId(first_ + k); }
  // Evaluates both sides at all points.
  void measure(const FirstOrderSystem& system, const std::vector<PointRates>& motions);
  // An equality always is; an inequality if it holds with equality, to rounding, at some point.
  bool is_active(std::size_t k) const { return is_active_[k]; }
  // Of an inequality: lhs - rhs, by point; empty for any other row.
  std::vector<double> excess_of(EqId row) const;

 private:
  void judge(std::size_t k, double lhs, double rhs);

  const Model& model_;
  std::size_t first_;                        // row of the first one
  std::vector<std::vector<double>> excess_;  // by constraint, by point
  std::vector<bool> is_active_;
};

}  // namespace hydae::partition
