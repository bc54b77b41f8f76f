#include "codegen/time_scale.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hydae::codegen {
namespace {

// (m+1) (m+2) ... (m+q)
double rising(int m, int q) {
  double product = 1;
  for (int i = 1; i <= q; ++i) product *= m + i;
  return product;
}

}  // namespace

TimeScale::TimeScale(const ScaleExtent& extent) : extent_(extent), num_c_(extent.first_kappa + 1) {
  max_exponent_ = static_cast<int>(200.0 / extent.num_orders * std::log2(10.0));
  make_unit_tables();
  power_.resize(extent.num_orders);
  inverse_power_.resize(extent.num_orders);
}

// A power of two: scaling is then exact. Never so far from one that scale^(number of coefficients)
// leaves the range.
void TimeScale::choose(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(step), &exponent);  // in [1/2, 1)
  if (mantissa < std::numbers::sqrt2 / 2) --exponent;             // rounded logarithm
  exponent = std::clamp(exponent, -max_exponent_, max_exponent_);
  const int most = is_held_ ? 1 : 0;
  const bool is_near =
      scale_ != 0 && (scale_ < 0) == (step < 0) && std::abs(exponent_ - exponent) <= most;
  is_held_ = true;
  if (is_near) return;
  exponent_ = exponent;
  scale_ = std::copysign(std::ldexp(1.0, exponent), step);
  fill_tables();
}

// The factors of a solve for scale 1; those of a row multiply h^-c, those of a fill h^e:
//   kappa >= 0: J U = -(c+kappa)!/kappa! h^-c r,  (x_j^(q))_m = kappa!/m! h^e U,  e = d_j - q,
//   kappa < 0:  the same without kappa!           m = kappa + e.  Zero where an order is negative.
void TimeScale::make_unit_tables() {
  const int first_kappa = extent_.first_kappa, first_fill = extent_.first_fill;
  for (int kappa = -first_kappa; kappa < extent_.num_kappa - first_kappa; ++kappa) {
    for (int c = 0; c < num_c_; ++c) {
      const double product =
          kappa >= 0 ? rising(kappa, c) : (c + kappa >= 0 ? rising(0, c + kappa) : 0);
      unit_row_factor_.push_back(-product);
    }
    for (int e = first_fill; e < first_fill + extent_.num_fill; ++e) {
      const int m = kappa + e;
      double factor = 0;
      if (m >= 0 && kappa < 0) factor = 1 / rising(0, m);
      if (m >= 0 && kappa >= 0) factor = e >= 0 ? 1 / rising(kappa, e) : rising(m, -e);
      unit_fill_factor_.push_back(factor);
    }
  }
  row_factor_.resize(unit_row_factor_.size());
  fill_factor_.resize(unit_fill_factor_.size());
  column_power_.resize(std::max(num_c_, extent_.num_fill));
}

// table(kappa, i) = unit(kappa, i) * column_power_[i]
void TimeScale::scale_columns(const std::vector<double>& unit, int width,
                              std::vector<double>& table) {
  for (std::size_t first = 0; first < unit.size(); first += width) {
    for (int i = 0; i < width; ++i) table[first + i] = unit[first + i] * column_power_[i];
  }
}

void TimeScale::fill_tables() {
  double factorial = 1, h_m = 1;
  for (int m = 0; m < extent_.num_orders; ++m, h_m *= scale_) {
    if (m > 0) factorial *= m;
    power_[m] = h_m / factorial;
    inverse_power_[m] = factorial / h_m;
  }
  column_power_[0] = 1;
  for (int c = 1; c < num_c_; ++c) column_power_[c] = column_power_[c - 1] / scale_;
  scale_columns(unit_row_factor_, num_c_, row_factor_);
  column_power_[0] = std::pow(scale_, extent_.first_fill);
  for (int i = 1; i < extent_.num_fill; ++i) column_power_[i] = column_power_[i - 1] * scale_;
  scale_columns(unit_fill_factor_, extent_.num_fill, fill_factor_);
}

}  // namespace hydae::codegen
