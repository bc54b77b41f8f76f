// Units of measurement: unit expressions of Modelica 3.6 (19.1) as products of powers of the SI
// base units and a factor. Addition is multiplication of units, scaling is taking powers: a unit is
// a vector of exponents, with the decimal logarithm of its factor as one more. Angles are numbers.
// The offset of degC and degF is not part of a unit.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace hydae::modelica {

class Unit {
 public:
  static constexpr std::size_t kNumBase = 7;  // m kg s A K mol cd

  Unit() = default;  // a number
  static Unit base(std::size_t index);
  static Unit factor(double value);

  Unit& operator+=(const Unit& other) { return add(other, 1); }
  Unit& operator-=(const Unit& other) { return add(other, -1); }
  Unit& operator*=(double power);
  Unit& add(const Unit& other, double power);  // times other^power

  bool is_number() const;  // no dimension and factor 1, up to rounding
  bool operator==(const Unit& other) const;

  // "V", "m/s", "kg/(m2.s)", "1": a name of its own if it has one.
  std::string text() const;

 private:
  std::array<double, kNumBase + 1> exponents_{};
};

inline Unit operator+(Unit a, const Unit& b) { return a += b; }
inline Unit operator-(Unit a, const Unit& b) { return a -= b; }
inline Unit operator*(double power, Unit a) { return a *= power; }

// Nothing if the text is not a unit expression of known symbols.
std::optional<Unit> parse_unit(std::string_view text);

}  // namespace hydae::modelica
