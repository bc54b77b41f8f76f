#include "poly/interval.h"

#include <numbers>

namespace hydae::poly {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The largest errors that the GNU library states for the functions used here are two units; twice
// that is trusted.
constexpr int kUlps = 4;

// One place down, at least, whatever `value` is.
double below(double value) {
  constexpr double kStep = 0x1p-53 * (1 + 0x1p-52);
  constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
  if (std::isnan(value)) return -kInfinity;
  if (value == kInfinity) return std::numeric_limits<double>::max();
  return value - (kStep * std::abs(value) + kSmallest);
}
double above(double value) { return -below(-value); }

// Ends may be infinite, numbers are not: nothing times anything is nothing.
double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Interval of_increasing(double (*f)(double), Interval a) {
  return outward(f(a.lower()), f(a.upper()), kUlps);
}

// Inside what the function takes, or the whole line.
Interval within(Interval result, double least, double most) {
  return Interval::hull(std::max(result.lower(), least), std::min(result.upper(), most));
}

// Whether `place + k period` may lie in a for some whole k.
bool may_contain(Interval a, double place, double period) {
  const double from = (a.lower() - place) / period, to = (a.upper() - place) / period;
  const double error = 0x1p-50 * (1 + std::abs(from) + std::abs(to));
  return std::floor(to + error) != std::floor(from - error);
}

// A sine, or a cosine, with its highest places at `top`.
Interval wave(double (*f)(double), Interval a, double top) {
  if (!a.is_finite()) return Interval::hull(-1, 1);
  const double left = f(a.lower()), right = f(a.upper());
  const Interval ends = outward(std::min(left, right), std::max(left, right), kUlps);
  const bool has_top = may_contain(a, top, 2 * std::numbers::pi);
  const bool has_bottom = may_contain(a, top + std::numbers::pi, 2 * std::numbers::pi);
  return within(Interval::hull(has_bottom ? -1 : ends.lower(), has_top ? 1 : ends.upper()), -1, 1);
}

Interval whole_power(Interval a, double exponent) {
  if (exponent == 0) return 1;
  const bool is_even = std::fmod(exponent, 2) == 0;
  const double left = std::pow(a.lower(), exponent), right = std::pow(a.upper(), exponent);
  const Interval ends = outward(std::min(left, right), std::max(left, right), kUlps);
  if (!is_even) return ends;
  return Interval::hull(a.contains(0) ? 0 : std::max(0.0, ends.lower()), ends.upper());
}

}  // namespace

Interval outward(double lower, double upper, int places) {
  for (int k = 0; k < places; ++k) lower = below(lower), upper = above(upper);
  return {lower, upper};
}

Interval Interval::hull(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return whole();
  return {std::min(a, b), std::max(a, b)};
}

double Interval::mignitude() const {
  return contains(0) ? 0 : std::min(std::abs(lower_), std::abs(upper_));
}

Interval operator+(Interval a, Interval b) {
  if (a.lower_ == 0 && a.upper_ == 0) return b;
  if (b.lower_ == 0 && b.upper_ == 0) return a;
  return outward(a.lower_ + b.lower_, a.upper_ + b.upper_);
}

Interval operator*(Interval a, Interval b) {
  // What is zero exactly stays so: structure is not lost.
  if ((a.lower_ == 0 && a.upper_ == 0) || (b.lower_ == 0 && b.upper_ == 0)) return 0;
  const auto [least, most] =
      std::minmax({product(a.lower_, b.lower_), product(a.lower_, b.upper_),
                   product(a.upper_, b.lower_), product(a.upper_, b.upper_)});
  return outward(least, most);
}

Interval operator/(Interval a, Interval b) {
  if (b.contains(0)) return Interval::whole();
  return a * outward(1 / b.upper_, 1 / b.lower_);
}

Interval sqr(Interval a) {
  const double most = a.magnitude(), least = a.mignitude();
  const Interval square = outward(least * least, most * most);
  return Interval::hull(std::max(0.0, square.lower()), square.upper());
}

Interval sqrt(Interval a) {
  if (!(a.upper() >= 0)) return Interval::whole();
  return within(of_increasing(std::sqrt, Interval::hull(std::max(0.0, a.lower()), a.upper())), 0,
                kInfinity);
}

Interval exp(Interval a) { return within(of_increasing(std::exp, a), 0, kInfinity); }

Interval log(Interval a) {
  return a.is_positive() ? of_increasing(std::log, a) : Interval::whole();
}
Interval log10(Interval a) {
  return a.is_positive() ? of_increasing(std::log10, a) : Interval::whole();
}

Interval sin(Interval a) { return wave(std::sin, a, std::numbers::pi / 2); }
Interval cos(Interval a) { return wave(std::cos, a, 0); }

Interval tan(Interval a) {
  if (!a.is_finite() || may_contain(a, std::numbers::pi / 2, std::numbers::pi))
    return Interval::whole();
  return of_increasing(std::tan, a);
}

Interval asin(Interval a) {
  return a.lower() >= -1 && a.upper() <= 1 ? of_increasing(std::asin, a) : Interval::whole();
}
Interval acos(Interval a) {
  if (!(a.lower() >= -1 && a.upper() <= 1)) return Interval::whole();
  return outward(std::acos(a.upper()), std::acos(a.lower()), kUlps);
}
Interval atan(Interval a) { return of_increasing(std::atan, a); }

// Away from the cut, the angle is largest and smallest in corners of the rectangle.
Interval atan2(Interval y, Interval x) {
  const bool meets_cut = x.lower() <= 0 && y.contains(0);
  if (meets_cut) return outward(-std::numbers::pi, std::numbers::pi, kUlps);
  double least = kInfinity, most = -kInfinity;
  for (double b : {y.lower(), y.upper()})
    for (double a : {x.lower(), x.upper()}) {
      const double angle = std::atan2(b, a);
      if (std::isnan(angle)) return Interval::whole();
      least = std::min(least, angle);
      most = std::max(most, angle);
    }
  return outward(least, most, kUlps);
}

Interval sinh(Interval a) { return of_increasing(std::sinh, a); }
Interval cosh(Interval a) {
  const Interval value = outward(std::cosh(a.mignitude()), std::cosh(a.magnitude()), kUlps);
  return within(value, 1, kInfinity);
}
Interval tanh(Interval a) { return within(of_increasing(std::tanh, a), -1, 1); }

Interval pow(Interval a, double exponent) {
  const bool is_whole = exponent == std::floor(exponent);
  if (is_whole && exponent >= 0) return whole_power(a, exponent);
  if (is_whole && !a.contains(0)) return 1 / whole_power(a, -exponent);
  if (!a.is_positive()) return Interval::whole();
  const double left = std::pow(a.lower(), exponent), right = std::pow(a.upper(), exponent);
  const Interval ends = outward(std::min(left, right), std::max(left, right), kUlps);
  return within(ends, 0, kInfinity);
}

}  // namespace hydae::poly
