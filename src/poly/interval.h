// Intervals with outward rounding: every result contains all values of the operation on the
// operands. Nothing is set in the processor: a result that was rounded to nearest is moved outward
// by one place (S. M. Rump et al., Computing predecessor and successor in rounding to nearest, BIT
// 49, 2009). Functions of the mathematical library are trusted to kUlps units in the last place.
//
// Ends may be infinite: then nothing is known on that side. Where an operation is undefined for
// some of the operands, the result is the whole line; a root is that of the numbers that have one,
// since rounding makes what cannot be negative so.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::poly {

class Interval {
 public:
  constexpr Interval() = default;
  constexpr Interval(double value) : lower_(value), upper_(value) {}  // NOLINT: numbers are ones
  // The smallest that contains both, NaN being anything.
  static Interval hull(double a, double b);
  static constexpr Interval whole() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {-kInfinity, kInfinity};
  }

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  bool contains(double value) const { return lower_ <= value && value <= upper_; }
  bool is_positive() const { return lower_ > 0; }
  bool is_negative() const { return upper_ < 0; }
  bool is_finite() const { return std::isfinite(lower_) && std::isfinite(upper_); }
  // Largest and smallest distance from zero of its numbers.
  double magnitude() const { return std::max(std::abs(lower_), std::abs(upper_)); }
  double mignitude() const;

  Interval operator-() const { return {-upper_, -lower_}; }
  friend Interval operator+(Interval a, Interval b);
  friend Interval operator-(Interval a, Interval b) { return a + -b; }
  friend Interval operator*(Interval a, Interval b);
  friend Interval operator/(Interval a, Interval b);
  Interval& operator+=(Interval b) { return *this = *this + b; }

 private:
  constexpr Interval(double lower, double upper) : lower_(lower), upper_(upper) {}
  friend Interval outward(double lower, double upper, int places);

  double lower_ = 0, upper_ = 0;
};

// Ends moved outward by so many places; NaN becomes infinite.
Interval outward(double lower, double upper, int places = 1);

Interval sqr(Interval a);
Interval sqrt(Interval a);
Interval exp(Interval a);
Interval log(Interval a);
Interval log10(Interval a);
Interval sin(Interval a);
Interval cos(Interval a);
Interval tan(Interval a);
Interval asin(Interval a);
Interval acos(Interval a);
Interval atan(Interval a);
Interval atan2(Interval y, Interval x);
Interval sinh(Interval a);
Interval cosh(Interval a);
Interval tanh(Interval a);
Interval pow(Interval a, double exponent);

}  // namespace hydae::poly
