#include "sim/taylor_leaves.h"

#include <algorithm>
#include <cmath>

#include "poly/polynomial.h"

namespace hydae {

// x = sum a_n ((t - t0) / scale)^n, differentiated, in parts of the step.
void TaylorLeaves::read(std::size_t leaf, LeafOverStep& over_step) {
  const codegen::JetEntry entry = leaves_[leaf];
  const double scale = stepper_.expansion().scale();
  const double ratio = (stepper_.reach() - stepper_.time()) / scale;
  const auto series = stepper_.expansion().series(entry.variable);
  std::vector<double>& c = over_step.coefficients;
  c.assign(series.begin(), series.end());
  c.resize(poly::differentiate(c, entry.order).size());
  double power = std::pow(scale, -entry.order);
  for (double& coefficient : c) {
    coefficient *= power;
    power *= ratio;
  }
  if (c.empty()) c.push_back(0);
  const auto variable = static_cast<std::size_t>(entry.variable);
  over_step.is_carried = entry.order < stepper_.program().structure().d[variable];
}

void TaylorLeaves::measure(std::size_t, LeafOverStep& over_step) {
  const std::vector<double>& c = over_step.coefficients;
  const std::size_t n = c.size();
  if (n < 3) return;
  over_step.error = std::max(std::abs(c[n - 1]), std::abs(c[n - 2]));
  over_step.error_order = static_cast<int>(n) - 1;
}

double TaylorLeaves::value(std::size_t leaf, double place) {
  const codegen::JetEntry entry = leaves_[leaf];
  const double t = stepper_.time() + place * (stepper_.reach() - stepper_.time());
  return stepper_.value(entry.variable, entry.order, t);
}

}  // namespace hydae
