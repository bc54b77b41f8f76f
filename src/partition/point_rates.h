// Where and in which direction a system is linearized: values of all columns at one time, and their
// rates along the motion. Rates of differential variables solve the equations that hold them; rates
// of algebraic variables, and of what the equations leave open, are the smallest that agree with
// the equations differentiated once.
#pragma once

#include <map>
#include <vector>

#include <hydae/partition.h>

#include "expr/evaluate.h"
#include "partition/first_order.h"
#include "partition/matrices.h"

namespace hydae::partition {

struct PointRates {
  double t = 0;
  std::vector<double> parameters;
  std::vector<double> values, rates, second_rates;  // by column
  std::map<Leaf, double> held;                      // variables that events determine
};

// Numbers of expressions over the columns of a system at a Motion.
class MotionEvaluator {
 public:
  MotionEvaluator(const FirstOrderSystem& system, std::vector<NodeId> roots);

  std::vector<double> evaluate(const PointRates& motion);
  // Derivatives of the roots by values and by rates of the columns, at the same point.
  struct Derivatives {
    std::vector<double> values;
    SparseMatrix by_value, by_rate;
  };
  Derivatives differentiate(const PointRates& motion);

 private:
  void set_point(const PointRates& motion);
  Point point(const PointRates& motion) const;
  // Throws ModelError [undefined-point] if a root is not finite.
  void check_defined(std::span<const double> values, const PointRates& motion) const;

  const FirstOrderSystem& system_;
  std::vector<NodeId> roots_;
  Evaluator evaluator_;
  std::vector<double> slots_, pre_slots_, given_;
};

// Start values of the model, with the values of `point` over them.
// `assumed_zero` gets the names of variables for which there is nothing.
PointRates make_motion(const FirstOrderSystem& system, const TimePoint& point,
                       std::vector<std::string>& assumed_zero);

// Values of columns that were added since: what they are the derivative of is known.
void extend_motion(const FirstOrderSystem& system, PointRates& motion);

// Rates from the equations; `rates` holds guesses.
void find_rates(const FirstOrderSystem& system, PointRates& motion);

}  // namespace hydae::partition
