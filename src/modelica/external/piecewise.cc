// Interpolation in one dimension: slopes at the knots, then one polynomial for each interval.
//
// Slopes from divided differences d[i] = (y[i+1] - y[i])/h[i], h[i] = x[i+1] - x[i]:
//   Akima 1970: weights |d[i+1] - d[i]| and |d[i-1] - d[i-2]|, ends extended linearly;
//   modified Akima: the weights plus half of |d + d|;
//   Fritsch and Butland 1984, Steffen 1990: monotone.
#include <algorithm>
#include <cmath>

#include "modelica/external/table_blocks.h"

namespace hydae::modelica {

namespace {

using Numbers = std::vector<double>;

// d[i] for i = -2 .. n, extended at both ends as Akima does.
class Differences {
 public:
  explicit Differences(const Numbers& inner) : d_(inner) {
    const std::size_t n = d_.size();
    const double before = n > 1 ? 2 * d_[0] - d_[1] : d_[0];
    const double before2 = n > 1 ? 2 * before - d_[0] : d_[0];
    const double after = n > 1 ? 2 * d_[n - 1] - d_[n - 2] : d_[n - 1];
    const double after2 = n > 1 ? 2 * after - d_[n - 1] : d_[n - 1];
    d_.insert(d_.begin(), {before2, before});
    d_.insert(d_.end(), {after, after2});
  }
  double operator[](int i) const { return d_[static_cast<std::size_t>(i + 2)]; }

 private:
  Numbers d_;
};

double akima_slope(const Differences& d, int i, bool is_modified) {
  double right = std::abs(d[i + 1] - d[i]), left = std::abs(d[i - 1] - d[i - 2]);
  if (is_modified) {
    right += std::abs(d[i + 1] + d[i]) / 2;
    left += std::abs(d[i - 1] + d[i - 2]) / 2;
  }
  if (right + left == 0) return is_modified ? 0 : (d[i - 1] + d[i]) / 2;
  return (right * d[i - 1] + left * d[i]) / (right + left);
}

double fritsch_butland_slope(double before, double after, double h, double h_next) {
  if (before * after <= 0) return 0;
  return 3 * (h + h_next) / ((h + 2 * h_next) / before + (h_next + 2 * h) / after);
}

double steffen_slope(double before, double after, double h, double h_next) {
  if (before * after <= 0) return 0;
  const double mean = (before * h_next + after * h) / (h + h_next);
  const double limit = 2 * std::min(std::abs(before), std::abs(after));
  return std::copysign(std::min(std::abs(mean), limit), mean);
}

Numbers slopes(const Numbers& h, const Numbers& inner, Smoothness smoothness) {
  const int n = static_cast<int>(inner.size());
  const auto at = [](const Numbers& v, int i) { return v[static_cast<std::size_t>(i)]; };
  Numbers out(static_cast<std::size_t>(n) + 1);
  const Differences extended(inner);
  for (int i = 0; i <= n; ++i) {
    double& slope = out[static_cast<std::size_t>(i)];
    const bool is_end = i == 0 || i == n;
    switch (smoothness) {
      case Smoothness::kAkima: slope = akima_slope(extended, i, false); break;
      case Smoothness::kModifiedAkima: slope = akima_slope(extended, i, true); break;
      case Smoothness::kFritschButland:
        slope = is_end
                    ? at(inner, i == 0 ? 0 : n - 1)
                    : fritsch_butland_slope(at(inner, i - 1), at(inner, i), at(h, i - 1), at(h, i));
        break;
      case Smoothness::kSteffen:
        slope = is_end ? at(inner, i == 0 ? 0 : n - 1)
                       : steffen_slope(at(inner, i - 1), at(inner, i), at(h, i - 1), at(h, i));
        break;
      default: break;
    }
  }
  return out;
}

Piece line(double origin, double value, double slope) { return {origin, {value, slope, 0, 0}}; }

}  // namespace

double Piece::value(double x) const {
  const double d = x - origin;
  return c[0] + d * (c[1] + d * (c[2] + d * c[3]));
}

double PiecewiseFunction::value(double x) const {
  std::size_t i = 0;
  while (i + 1 < pieces.size() && x >= knots[i + 1]) ++i;
  return pieces[i].value(x);
}

PiecewiseFunction PiecewiseFunction::make(const Numbers& x, const Numbers& y, Smoothness smoothness,
                                          Extrapolation extrapolation) {
  PiecewiseFunction out;
  const std::size_t n = x.size();
  const bool is_line = extrapolation == Extrapolation::kLastTwoPoints;
  const auto add = [&](double knot, Piece piece, bool is_jump) {
    out.knots.push_back(knot);
    out.pieces.push_back(piece);
    out.is_jump.push_back(is_jump);
  };
  if (n == 1) {
    add(x[0], line(x[0], y[0], 0), false);
    return out;
  }
  const bool is_constant = smoothness == Smoothness::kConstant;
  const bool is_spline = smoothness != Smoothness::kLinear && !is_constant && n > 2;
  Numbers h, d;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h.push_back(x[i + 1] - x[i]);
    d.push_back(h[i] > 0 ? (y[i + 1] - y[i]) / h[i] : 0);
  }
  const Numbers m = is_spline ? slopes(h, d, smoothness) : Numbers();
  // The straight line outside goes through the last two different points, or has the end's slope.
  const double first_slope = is_spline ? m.front() : h.front() > 0 ? d.front() : 0;
  const double last_slope = is_spline ? m.back() : h.back() > 0 ? d.back() : 0;
  if (extrapolation != Extrapolation::kPeriodic)
    add(x[0], line(x[0], y[0], is_line ? first_slope : 0), false);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    if (h[i] <= 0) continue;
    const bool is_jump = is_constant || (i > 0 && h[i - 1] <= 0);
    Piece piece = line(x[i], y[i], is_constant ? 0 : d[i]);
    if (is_spline)
      piece = {x[i],
               {y[i], m[i], (3 * d[i] - 2 * m[i] - m[i + 1]) / h[i],
                (m[i] + m[i + 1] - 2 * d[i]) / (h[i] * h[i])}};
    add(x[i], piece, is_jump);
  }
  if (extrapolation != Extrapolation::kPeriodic)
    add(x[n - 1], line(x[n - 1], y[n - 1], is_line ? last_slope : 0), is_constant || h.back() <= 0);
  return out;
}

}  // namespace hydae::modelica
