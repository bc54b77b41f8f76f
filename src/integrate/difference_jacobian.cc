#include "integrate/difference_jacobian.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hydae::integrate {
namespace {

class Differences {
 public:
  Differences(const BdfProblem& problem, const BdfOptions& options)
      : size_(static_cast<std::size_t>(problem.size)),
        column_start_(problem.column_start),
        row_(problem.row),
        residual_(problem.residual),
        rtol_(options.margin * options.rtol),
        atol_(options.atol),
        here_(size_),
        moved_(size_),
        values_(row_.size()) {
    for (double& atol : atol_) atol *= options.margin;
  }

  bool linearize(double t, double cj, const double* y, const double* yp) {
    y_.assign(y, y + size_);
    yp_.assign(yp, yp + size_);
    if (!residual_(t, y, yp, here_.data())) return false;
    for (std::size_t j = 0; j < size_; ++j)
      if (!write_column(j, t, cj)) return false;
    return true;
  }

  const std::vector<double>& values() const { return values_; }

 private:
  // y_j moves by delta and, as in a step of BDF, y'_j by cj * delta.
  bool write_column(std::size_t j, double t, double cj) {
    const double y = y_[j], yp = yp_[j], progress = yp / cj;
    const double weight = rtol_ * std::abs(y) + atol_[j];
    const double size = std::max({std::abs(y), std::abs(progress), weight});
    volatile double moved =
        y + std::copysign(std::sqrt(std::numeric_limits<double>::epsilon()) * size, progress);
    const double delta = moved - y;
    y_[j] = moved;
    yp_[j] = yp + cj * delta;
    const bool is_defined = residual_(t, y_.data(), yp_.data(), moved_.data());
    y_[j] = y;
    yp_[j] = yp;
    for (auto k = static_cast<std::size_t>(column_start_[j]);
         k < static_cast<std::size_t>(column_start_[j + 1]); ++k) {
      const auto i = static_cast<std::size_t>(row_[k]);
      values_[k] = (moved_[i] - here_[i]) / delta;
    }
    return is_defined;
  }

  std::size_t size_;
  std::vector<int> column_start_, row_;
  BdfProblem::Residual residual_;
  double rtol_;
  std::vector<double> atol_, here_, moved_, values_, y_, yp_;
};

}  // namespace

void use_differences(BdfProblem& problem, const BdfOptions& options) {
  const auto differences = std::make_shared<Differences>(problem, options);
  problem.linearize = [differences](double t, double cj, const double* y, const double* yp) {
    return differences->linearize(t, cj, y, yp);
  };
  problem.matrix = [differences](double, double* values) {
    std::ranges::copy(differences->values(), values);
  };
}

}  // namespace hydae::integrate
