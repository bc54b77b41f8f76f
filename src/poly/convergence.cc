#include "poly/convergence.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace hydae::poly {
namespace {

constexpr std::size_t kLast = 4;    // terms looked at: even, odd and other sparse series
constexpr std::size_t kFewest = 8;  // coefficients of which something can be concluded
constexpr double kDecrease = 0.1;   // of the last terms against the others, at least
constexpr double kGrowth = 10;      // of terms that are rounding errors, at most
constexpr double kSafety = 4;       // the terms left out, as a geometric series
// Terms below this, relative to all, are rounding errors if they do not grow.
constexpr double kRoundingOfTerms = 64 * std::numeric_limits<double>::epsilon();

double largest(std::span<const double> values) {
  double result = 0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace

std::optional<double> estimate_tail(std::span<const double> series) {
  if (series.size() < kFewest) return std::nullopt;
  const double constant = std::abs(series[0]);
  const double early = largest(series.subspan(1, series.size() - 1 - kLast));
  const double last = largest(series.last(kLast));
  if (!std::isfinite(constant + early + last)) return std::nullopt;
  if (last <= kDecrease * early) return kSafety * last;
  const bool is_rounding = last <= kRoundingOfTerms * constant && last <= kGrowth * early;
  return is_rounding || last == 0 ? std::optional(kSafety * last) : std::nullopt;
}

}  // namespace hydae::poly
