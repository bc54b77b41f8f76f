#include "poly/polynomial.h"

#include <cmath>
#include <cstddef>
#include <limits>

namespace hydae::poly {

double evaluate(std::span<const double> p, double x) {
  double value = 0;
  for (std::size_t k = p.size(); k-- > 0;) value = value * x + p[k];
  return value;
}

ValueAndSlope evaluate_with_slope(std::span<const double> p, double x) {
  ValueAndSlope at;
  for (std::size_t k = p.size(); k-- > 0;) {
    at.slope = at.slope * x + at.value;
    at.value = at.value * x + p[k];
  }
  return at;
}

void recentre(std::span<double> p, double centre, double width) {
  const std::size_t size = p.size();
  for (std::size_t k = 0; k + 1 < size; ++k) {
    for (std::size_t j = size - 1; j-- > k;) p[j] += centre * p[j + 1];
  }
  double power = 1;
  for (double& coefficient : p) {
    coefficient *= power;
    power *= width;
  }
}

std::span<double> differentiate(std::span<double> p, int order) {
  for (int pass = 0; pass < order && !p.empty(); ++pass) {
    for (std::size_t k = 1; k < p.size(); ++k) p[k - 1] = static_cast<double>(k) * p[k];
    p = p.first(p.size() - 1);
  }
  return p;
}

double solve_in_bracket(std::span<const double> p, double target, Bracket bracket) {
  constexpr int kMaxIterations =
      200;  // bisection alone needs fewer than 64 from any bracket in [-1, 1]
  double lower = bracket.lower, upper = bracket.upper;
  double x = lower + 0.5 * (upper - lower);
  double last_step = upper - lower;
  for (int i = 0; i < kMaxIterations && lower < x && x < upper; ++i) {
    const ValueAndSlope at = evaluate_with_slope(p, x);
    const double f = at.value - target;
    if (f == 0) return x;
    ((f < 0) == bracket.is_increasing ? lower : upper) = x;

    double next = x - f / at.slope;
    const bool is_good = next > lower && next < upper && std::abs(next - x) <= 0.5 * last_step;
    if (!is_good) next = lower + 0.5 * (upper - lower);
    last_step = std::abs(next - x);
    if (last_step <= std::numeric_limits<double>::epsilon() * std::abs(next)) return next;
    x = next;
  }
  return x;
}

}  // namespace hydae::poly
