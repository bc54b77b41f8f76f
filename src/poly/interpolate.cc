#include "poly/interpolate.h"

#include <cmath>
#include <numbers>

namespace hydae::poly {
namespace {

constexpr auto n = Interpolation::kDegree;
constexpr auto kNumPoints = Interpolation::kNumPoints;
using Row = std::array<double, kNumPoints>;
constexpr double kUnit = 2.3e-16;

double chebyshev_angle(int k) { return std::numbers::pi * k / n; }

// Powers of tau of T_m(2 tau - 1): T_(m+1) = 2 x T_m - T_(m-1).
std::array<Row, kNumPoints> make_powers() {
  std::array<Row, kNumPoints> powers{};
  powers[0][0] = 1;
  powers[1][0] = -1;
  powers[1][1] = 2;
  for (std::size_t m = 1; m + 1 < kNumPoints; ++m)
    for (std::size_t k = 0; k < kNumPoints; ++k)
      powers[m + 1][k] = (k > 0 ? 4 * powers[m][k - 1] : 0.0) - 2 * powers[m][k] - powers[m - 1][k];
  return powers;
}

std::array<Row, kNumPoints> make_cosines() {
  std::array<Row, kNumPoints> cosines{};
  for (int m = 0; m <= n; ++m)
    for (int k = 0; k <= n; ++k)
      cosines[static_cast<std::size_t>(m)][static_cast<std::size_t>(k)] =
          std::cos(m * chebyshev_angle(k));
  return cosines;
}

// Of the powers that make up T_m: how much rounding the change to powers adds.
Row sums_of_magnitudes(const std::array<Row, kNumPoints>& rows) {
  Row sums{};
  for (std::size_t m = 0; m < kNumPoints; ++m)
    for (double entry : rows[m]) sums[m] += std::abs(entry);
  return sums;
}

}  // namespace

const Row& Interpolation::points() {
  static const Row points = [] {
    Row result{};
    for (int k = 0; k <= n; ++k)
      result[static_cast<std::size_t>(k)] = 0.5 * (1 - std::cos(chebyshev_angle(k)));
    result[0] = 0;
    result[kNumPoints - 1] = 1;
    return result;
  }();
  return points;
}

// Discrete cosine transform; x_k = -cos(pi k / n), so odd coefficients change their sign.
Interpolation::Interpolation(std::span<const double, kNumPoints> values) {
  static const auto powers = make_powers(), cosines = make_cosines();
  static const Row growth = sums_of_magnitudes(powers);
  double rounding = 0;
  Row chebyshev{};
  for (int m = 0; m <= n; ++m) {
    const Row& cosine = cosines[static_cast<std::size_t>(m)];
    double sum = 0.5 * (values[0] * cosine[0] + values[kNumPoints - 1] * cosine[kNumPoints - 1]);
    for (std::size_t k = 1; k + 1 < kNumPoints; ++k) sum += values[k] * cosine[k];
    const double weight = m == 0 || m == n ? 1.0 / n : 2.0 / n;
    const double coefficient = (m % 2 == 0 ? weight : -weight) * sum;
    chebyshev[static_cast<std::size_t>(m)] = coefficient;
    rounding += kUnit * growth[static_cast<std::size_t>(m)] * std::abs(coefficient);
    for (std::size_t k = 0; k < kNumPoints; ++k)
      coefficients_[k] += coefficient * powers[static_cast<std::size_t>(m)][k];
  }
  remainder_ = std::abs(chebyshev[kNumPoints - 1]) + std::abs(chebyshev[kNumPoints - 2]) + rounding;
}

}  // namespace hydae::poly
