#include "poly/cubic_spline.h"

#include <cstddef>

namespace hydae::poly {
namespace {

struct Intervals {
  std::vector<double> h, slope;  // lengths, divided differences
};

Intervals intervals_of(std::span<const double> x, std::span<const double> y) {
  Intervals of;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    of.h.push_back(x[i + 1] - x[i]);
    of.slope.push_back((y[i + 1] - y[i]) / of.h[i]);
  }
  return of;
}

// Second derivatives M at four points or more. Inside
//     h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 (slope_i - slope_i-1);
// the outer ones follow from the third derivative, (M_1 - M_0) / h_0 = (M_2 - M_1) / h_1. With them
// put in, all rows are strictly diagonally dominant: elimination needs no pivots.
std::vector<double> second_derivatives(const Intervals& of) {
  const auto& [h, slope] = of;
  const std::size_t last = h.size();  // of the points
  std::vector<double> diagonal(last + 1), upper(last + 1), M(last + 1);
  const double first_ratio = h[0] / h[1], last_ratio = h[last - 1] / h[last - 2];
  for (std::size_t i = 1; i < last; ++i) {
    double lower = h[i - 1];
    diagonal[i] = 2 * (h[i - 1] + h[i]);
    upper[i] = h[i];
    M[i] = 6 * (slope[i] - slope[i - 1]);
    if (i == 1) {
      diagonal[i] += h[0] * (1 + first_ratio);
      upper[i] -= h[0] * first_ratio;
    }
    if (i == last - 1) {
      diagonal[i] += h[i] * (1 + last_ratio);
      lower -= h[i] * last_ratio;
    }
    if (i == 1) continue;
    const double factor = lower / diagonal[i - 1];
    diagonal[i] -= factor * upper[i - 1];
    M[i] -= factor * M[i - 1];
  }
  M[last - 1] /= diagonal[last - 1];
  for (std::size_t i = last - 1; i-- > 1;) M[i] = (M[i] - upper[i] * M[i + 1]) / diagonal[i];
  M[0] = M[1] - first_ratio * (M[2] - M[1]);
  M[last] = M[last - 1] + last_ratio * (M[last - 1] - M[last - 2]);
  return M;
}

std::vector<double> curvatures(const Intervals& of) {
  const std::size_t num_points = of.h.size() + 1;
  if (num_points == 2) return {0, 0};
  if (num_points > 3) return second_derivatives(of);
  const double M = 2 * (of.slope[1] - of.slope[0]) / (of.h[0] + of.h[1]);
  return {M, M, M};
}

}  // namespace

std::vector<std::array<double, 4>> cubic_spline(std::span<const double> x,
                                                std::span<const double> y) {
  const Intervals of = intervals_of(x, y);
  const std::vector<double> M = curvatures(of);
  std::vector<std::array<double, 4>> pieces;
  for (std::size_t i = 0; i < of.h.size(); ++i) {
    const double square = of.h[i] * of.h[i];
    pieces.push_back({y[i], y[i + 1] - y[i] - square * (2 * M[i] + M[i + 1]) / 6, square * M[i] / 2,
                      square * (M[i + 1] - M[i]) / 6});
  }
  return pieces;
}

}  // namespace hydae::poly
