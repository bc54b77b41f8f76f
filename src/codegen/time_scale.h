// The scale of time of an expansion: a power of two near its step, and the factors that depend on
// it. Coefficients are x^(m) h^m / m!.
#pragma once

#include <vector>

namespace hydae::codegen {

// Which factors there are. Local stages kappa begin at -first_kappa; fills have exponents e = d_j -
// q from first_fill on.
struct ScaleExtent {
  int first_kappa = 0, num_kappa = 0;
  int first_fill = 0, num_fill = 0;
  int num_orders = 1;
};

class TimeScale {
 public:
  explicit TimeScale(const ScaleExtent& extent);

  // Held while it is near enough to the step, so that the tables stay.
  void choose(double step);
  // The next one is the nearest, whatever was before.
  void let_go() { is_held_ = false; }
  double value() const { return scale_; }

  double power(int m) const { return power_[static_cast<std::size_t>(m)]; }  // h^m / m!
  double inverse_power(int m) const { return inverse_power_[static_cast<std::size_t>(m)]; }
  // Of a row, indexed by its local c.
  const double* row_factors(int kappa) const {
    return row_factor_.data() + (kappa + extent_.first_kappa) * num_c_;
  }
  // Indexed by local d_j - q, which may be negative.
  const double* fill_factors(int kappa) const {
    return fill_factor_.data() + (kappa + extent_.first_kappa) * extent_.num_fill -
           extent_.first_fill;
  }

 private:
  void make_unit_tables();
  void scale_columns(const std::vector<double>& unit, int width, std::vector<double>& table);
  void fill_tables();

  ScaleExtent extent_;
  int num_c_ = 0;
  int exponent_ = 0, max_exponent_ = 0;
  double scale_ = 0;
  bool is_held_ = false;
  std::vector<double> unit_row_factor_, unit_fill_factor_, column_power_;
  std::vector<double> row_factor_, fill_factor_, power_, inverse_power_;
};

}  // namespace hydae::codegen
