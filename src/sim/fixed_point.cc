#include "sim/fixed_point.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/dense_factors.h"

namespace hydae {
namespace {

constexpr int kMostSteps = 40;
// Difference quotients balance rounding and curvature; the iteration ends where a step is rounding,
// both relative to the sizes of the values.
constexpr double kDifference = 1e-6, kConverged = 1e-12;

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// v - map(v), and as its size the largest values that v and map(v) have had.
class FixedPointSearch {
 public:
  FixedPointSearch(const ValueMap& map, std::vector<double> start)
      : map_(map), v_(std::move(start)), size_(v_.size(), 0.0) {}

  Outcome<std::vector<double>> run() {
    for (int step = 0; step < kMostSteps; ++step) {
      Outcome<Eigen::VectorXd> r = residual(v_);
      if (!r) return std::move(r).failure();
      const Outcome<Eigen::MatrixXd> J = jacobian(*r);
      if (!J) return J.failure();
      const Eigen::VectorXd change = linalg::FullPivotLu(*J).solve(*r);
      if (!change.allFinite()) break;
      if (take(change)) return v_;
    }
    return Failure{Status::kDiscreteCycle, "no values found that agree with the solution"};
  }

 private:
  Outcome<Eigen::VectorXd> residual(const std::vector<double>& v) {
    Outcome<std::vector<double>> image = map_(v);
    if (!image) return std::move(image).failure();
    for (std::size_t k = 0; k < v.size(); ++k)
      size_[k] = std::max({size_[k], std::abs(v[k]), std::abs((*image)[k])});
    return Eigen::VectorXd(vector_of(v) - vector_of(*image));
  }

  Outcome<Eigen::MatrixXd> jacobian(const Eigen::VectorXd& r) {
    Eigen::MatrixXd J(r.size(), r.size());
    const std::vector<double> sizes = size_;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      std::vector<double> moved = v_;
      moved[k] += kDifference * (sizes[k] > 0 ? sizes[k] : 1.0);
      const Outcome<Eigen::VectorXd> there = residual(moved);
      if (!there) return there.failure();
      J.col(static_cast<Eigen::Index>(k)) = (*there - r) / (moved[k] - v_[k]);
    }
    size_ = sizes;
    return J;
  }

  // Whether the step was rounding.
  bool take(const Eigen::VectorXd& change) {
    bool is_small = true;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const double step = change[static_cast<Eigen::Index>(k)];
      is_small = is_small && std::abs(step) <= kConverged * size_[k];
      v_[k] -= step;
    }
    return is_small;
  }

  const ValueMap& map_;
  std::vector<double> v_, size_;
};

}  // namespace

Outcome<std::vector<double>> find_fixed_point(const ValueMap& map, std::vector<double> start) {
  return FixedPointSearch(map, std::move(start)).run();
}

}  // namespace hydae
