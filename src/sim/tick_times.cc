#include "sim/tick_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae {
namespace {

constexpr std::int64_t kLargestDenominator = 1'000'000;
constexpr double kLargestNumerator = 1e12;

}  // namespace

// Continued fractions: the convergents are best approximations.
std::optional<Fraction> find_fraction(double x) {
  if (!(std::abs(x) < kLargestNumerator)) return std::nullopt;
  const double size = std::abs(x);
  std::int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0;
  double rest = size;
  for (int k = 0; k < 40; ++k) {
    const double whole = std::floor(rest);
    if (whole > kLargestNumerator) break;
    const auto a = static_cast<std::int64_t>(whole);
    const double p = whole * static_cast<double>(p1) + static_cast<double>(p0);
    const double q = whole * static_cast<double>(q1) + static_cast<double>(q0);
    if (p > kLargestNumerator || q > static_cast<double>(kLargestDenominator)) break;
    const std::int64_t p2 = a * p1 + p0, q2 = a * q1 + q0;
    if (static_cast<double>(p2) / static_cast<double>(q2) == size)
      return Fraction{x < 0 ? -p2 : p2, q2};
    p0 = p1, q0 = q1, p1 = p2, q1 = q2;
    if (rest == whole) break;
    rest = 1 / (rest - whole);
  }
  return std::nullopt;
}

double tick_time(double start, double interval, std::int64_t count) {
  const auto s = find_fraction(start), d = find_fraction(interval);
  if (s && d) {
    // Products stay below 2^127: 10^12 * 10^6 + count * 10^12 * 10^6.
    const auto q = static_cast<__int128>(s->denominator) * d->denominator;
    const auto p = static_cast<__int128>(s->numerator) * d->denominator +
                   static_cast<__int128>(count) * d->numerator * s->denominator;
    // Both are exact in extended precision as long as they are below 2^64.
    return static_cast<double>(static_cast<long double>(p) / static_cast<long double>(q));
  }
  return static_cast<double>(static_cast<long double>(start) +
                             static_cast<long double>(count) * static_cast<long double>(interval));
}

std::optional<double> next_tick(double start, double interval, double now, double direction) {
  if (!(interval > 0)) return std::nullopt;
  const double estimate = (now - start) / interval;
  if (!(std::abs(estimate) < 9e15)) return std::nullopt;
  auto count = static_cast<std::int64_t>(std::floor(estimate)) + (direction > 0 ? -1 : 2);
  if (direction > 0) {
    count = std::max<std::int64_t>(count, 0);
    while (!(tick_time(start, interval, count) > now)) ++count;
  } else {
    while (count >= 0 && !(tick_time(start, interval, count) < now)) --count;
    if (count < 0) return std::nullopt;
  }
  return tick_time(start, interval, count);
}

bool is_tick(double start, double interval, double now) {
  if (!(interval > 0)) return false;
  const double estimate = std::round((now - start) / interval);
  if (!(estimate >= 0) || estimate > 9e15) return false;
  return is_same_time(tick_time(start, interval, static_cast<std::int64_t>(estimate)), now);
}

bool is_same_time(double a, double b) {
  const double size = std::max(std::abs(a), std::abs(b));
  return std::abs(a - b) <= 4 * std::numeric_limits<double>::epsilon() * size;
}

}  // namespace hydae
