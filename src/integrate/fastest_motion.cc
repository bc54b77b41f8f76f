#include "integrate/fastest_motion.h"

#include <algorithm>
#include <cmath>

namespace hydae::integrate {
namespace {

constexpr int kWarmUp = 1, kProducts = 2;  // with the Jacobian

// Scales to 1 and returns the largest.
double normalize(std::vector<double>& direction) {
  double largest = 0;
  for (double d : direction) largest = std::max(largest, std::abs(d));
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  for (double& d : direction) d /= largest;
  return largest;
}

// The last coefficients of the state, of the order at which they are largest: gaps of even and odd
// functions are passed over.
std::vector<double> last_coefficients(const TaylorStepper& stepper,
                                      std::span<const double> tolerance) {
  constexpr int kOrders = 4;
  std::vector<double> direction(tolerance.size());
  double largest = 0;
  for (int n = std::max(1, stepper.order() - kOrders + 1); n <= stepper.order(); ++n) {
    std::vector<double> candidate;
    for (std::size_t e = 0; e < tolerance.size(); ++e) {
      const codegen::JetEntry entry = stepper.program().entries()[e];
      const auto series = stepper.expansion().series(entry.variable);
      const auto place = static_cast<std::size_t>(n + entry.order);
      double value = place < series.size() ? series[place] : 0;
      for (int k = 0; k < entry.order; ++k)
        value *= (n + entry.order - k) / stepper.expansion().scale();
      candidate.push_back(value / tolerance[e]);
    }
    const double size = normalize(candidate);
    if (size > largest) direction = candidate;
    largest = std::max(largest, size);
  }
  return direction;
}

}  // namespace

double FastestMotion::rate(const TaylorStepper& stepper, std::span<const double> parameters,
                           std::span<const double> tolerance) {
  if (!expansion_ || &expansion_->program() != &stepper.program())
    expansion_.emplace(stepper.expansion().shared_program(), 1);
  expansion_->set_parameters(
      parameters.first(static_cast<std::size_t>(stepper.program().num_parameters())));
  t_ = stepper.time();
  step_ = stepper.reach() - stepper.time();
  tolerance_ = tolerance;
  state_.assign(stepper.state().begin(), stepper.state().end());
  direction_ = last_coefficients(stepper, tolerance);
  if (!find_rates(state_, rates_)) return 0;
  double product = 1;
  for (int k = 0; k < kWarmUp + kProducts; ++k) {
    const double growth = apply_jacobian();
    if (k >= kWarmUp) product *= growth;
  }
  return std::pow(product, 1.0 / kProducts);
}

bool FastestMotion::find_rates(std::span<const double> state, std::vector<double>& rates) {
  const codegen::ExpandResult result = expansion_->expand(
      {.time = t_, .step = step_, .order = 1, .state = state, .weights = {}, .wants_values = true});
  rates.clear();
  for (std::size_t e = 0; e < tolerance_.size() && result.ok(); ++e) {
    const codegen::JetEntry entry = expansion_->program().entries()[e];
    double rate = expansion_->series(entry.variable)[static_cast<std::size_t>(entry.order) + 1];
    for (int k = 1; k <= entry.order + 1; ++k) rate *= k / expansion_->scale();
    rates.push_back(rate);
  }
  return result.ok();
}

// The state moves by a tolerance.
double FastestMotion::apply_jacobian() {
  moved_ = state_;
  for (std::size_t e = 0; e < tolerance_.size(); ++e) moved_[e] += direction_[e] * tolerance_[e];
  if (!find_rates(moved_, moved_rates_)) {
    for (std::size_t e = 0; e < tolerance_.size(); ++e)
      moved_[e] -= 2 * direction_[e] * tolerance_[e];
    if (!find_rates(moved_, moved_rates_)) return 0;
  }
  for (std::size_t e = 0; e < tolerance_.size(); ++e)
    direction_[e] = (moved_rates_[e] - rates_[e]) / tolerance_[e];
  return normalize(direction_);
}

}  // namespace hydae::integrate
