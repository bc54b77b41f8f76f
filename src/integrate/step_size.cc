#include "integrate/step_size.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::integrate {
namespace {

constexpr double kSafety = 1.0;          // logarithm of how far the error stays below its bound
constexpr double kResolved = 1e4;        // times the rounding error: a term that means something
constexpr double kInsideRadius = 0.1;    // logarithm of how far a step ends before the radius
constexpr double kMostGrowth = 4;        // of the step from one to the next
constexpr double kPolynomialGrowth = 5;  // all of the last coefficients vanish
constexpr double kShortTailGrowth = 3;   // the last four vanish; more than the scale is held by
constexpr std::size_t kWindow = 4;

struct Peak {
  double size = 0;
  std::size_t order = 0;
};

Peak largest(std::span<const double> sizes, std::size_t first, std::size_t last) {
  Peak peak;
  for (std::size_t n = first; n <= last; ++n)
    if (sizes[n] >= peak.size) peak = {sizes[n], n};
  return peak;
}

}  // namespace

StepChoice choose_step(std::span<const double> sizes, double rounding, bool is_first) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::size_t p = sizes.size() - 1;
  const std::size_t last_window = p + 1 - std::min(kWindow, p);
  const std::size_t first_window = last_window - std::min(kWindow, last_window - 1);
  const Peak late = largest(sizes, last_window, p);
  const Peak early = largest(sizes, first_window, last_window - 1);
  if (late.size == 0)
    return {early.size == 0 ? kPolynomialGrowth : kShortTailGrowth, kInfinity, false};

  // Decay per order between the two peaks; 0 (no extrapolation) where there is nothing to compare.
  const double decay = early.size > 0 && late.order > early.order
                           ? (std::log(early.size) - std::log(late.size)) /
                                 static_cast<double>(late.order - early.order)
                           : 0.0;
  const double at_p = std::log(late.size) - decay * static_cast<double>(p - late.order);
  double log_tau = (-at_p - kSafety) / static_cast<double>(p);
  // Beyond the radius of convergence the last terms say nothing about the error, however small they
  // are. Terms at the level of rounding errors, though, say nothing about the radius.
  const double before_radius = decay - kInsideRadius;
  bool is_earned = true;
  if (early.size > 0 && log_tau > before_radius) {
    is_earned = at_p + decay * static_cast<double>(p) > std::log(kResolved * rounding);
    if (is_earned) log_tau = before_radius;
  }
  double tau = std::exp(log_tau);
  if (!is_first) tau = std::min(tau, kMostGrowth);
  return {tau, early.size > 0 ? decay : kInfinity, is_earned};
}

int order_for_tolerance(double tolerance) {
  const double digits = std::log(1.0 / std::clamp(tolerance, 1e-17, 1.0));
  return static_cast<int>(std::min(32L, std::lround(9.0 + 0.77 * digits)));
}

}  // namespace hydae::integrate
