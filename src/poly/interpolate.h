// A smooth function over [0, 1] as a polynomial in power form, from its values at Chebyshev points:
// close to the best polynomial of its degree, with its own estimate of what is left.
#pragma once

#include <array>
#include <span>

namespace hydae::poly {

class Interpolation {
 public:
  static constexpr int kDegree = 8;
  static constexpr std::size_t kNumPoints = kDegree + 1;

  // Where values are needed: ascending, both ends among them.
  static const std::array<double, kNumPoints>& points();

  explicit Interpolation(std::span<const double, kNumPoints> values);

  // Ascending powers of tau in [0, 1].
  std::span<const double> coefficients() const { return coefficients_; }
  // Size of the last Chebyshev coefficients, which fall geometrically for an analytic function, and
  // of rounding in the change to powers. NaN if a value is not finite.
  double remainder() const { return remainder_; }

 private:
  std::array<double, kNumPoints> coefficients_{};
  double remainder_ = 0;
};

}  // namespace hydae::poly
