#include "sim/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hydae {
namespace {

// Differences below this part of the numbers are rounding errors: the curve is drawn as constant.
constexpr double kSmallestRelativeRange = 1e-12;
// Larger numbers are drawn at this limit, so that differences of two of them are finite.
constexpr double kLargestDrawn = 1e300;
constexpr double kRoundingOfMark = 1e-6;  // relative to their distance, far below what is seen
constexpr double kMargin = 0.04;          // of the range, above and below the curves

double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

}  // namespace

void RangeFinder::add(double value) {
  if (!std::isfinite(value)) return;
  value = std::clamp(value, -kLargestDrawn, kLargestDrawn);
  low_ = is_empty_ ? value : std::min(low_, value);
  high_ = is_empty_ ? value : std::max(high_, value);
  is_empty_ = false;
}

Range RangeFinder::range() const {
  if (is_empty_) return {0, 1};
  const double size = std::max(std::abs(low_), std::abs(high_));
  if (size == 0) return {-1, 1};
  if (high_ - low_ <= kSmallestRelativeRange * size) return {low_ - 0.1 * size, high_ + 0.1 * size};
  return {low_, high_};
}

Range RangeFinder::range_with_margin() const {
  const Range plain = range();
  const double margin = kMargin * (plain.high - plain.low);
  return {plain.low - margin, plain.high + margin};
}

std::vector<AxisMark> marks_of(const Range& range, int most) {
  const double step = round_step((range.high - range.low) / most);
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  const int digits = std::max(1, static_cast<int>(std::ceil(std::log10(size / step))) + 1);
  std::vector<AxisMark> marks;
  const double first = std::ceil(range.low / step - kRoundingOfMark);
  for (double k = first; k * step <= range.high + kRoundingOfMark * step; ++k)
    marks.push_back({k * step, k == 0 ? "0" : fmt::format("{:.{}g}", k * step, digits)});
  return marks;
}

}  // namespace hydae
