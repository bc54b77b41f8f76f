// Simple continuation of a curve in lambda.
#include <algorithm>
#include <cmath>

#include "init/curve.h"
#include "init/curve_corrector.h"

namespace hydae::init {
namespace {

class ParameterFollower {
 public:
  ParameterFollower(const Curve& curve, double target, const PathOptions& options)
      : options_(options),
        corrector_(curve, options.tolerance),
        row_(Vector::Zero(curve.num_equations + 1)),
        target_(target),
        step_(options.initial_step) {
    row_[curve.num_equations] = 1;
  }

  Path run(const Vector& start) {
    point_.z = start;
    path_.end = PathEnd::kBadStart;
    if (corrector_.correct(point_.z, row_)) follow();
    path_.num_corrections = corrector_.num_corrections();
    return std::move(path_);
  }

 private:
  void follow() {
    path_.points.push_back(point_);
    while (point_.lambda() != target_) {
      if (path_.num_steps == options_.max_points) {
        path_.end = PathEnd::kMaxPoints;
        return;
      }
      if (!advance()) {
        path_.end = PathEnd::kStepTooSmall;
        return;
      }
      ++path_.num_steps;
      path_.points.push_back(point_);
    }
    path_.points.back().kind = PointKind::kTarget;
    path_.end = PathEnd::kTarget;
  }

  // Along dz/dlambda, then Newton's method at the new lambda; half the step if that does not
  // converge or lands farther from the prediction than the prediction went.
  bool advance() {
    point_.tangent = corrector_.tangent(point_.z, row_);
    if (point_.tangent.size() == 0) return false;
    const Vector slope = point_.tangent / row_.dot(point_.tangent);
    for (; step_ >= options_.min_step; step_ *= 0.5) {
      const double left = target_ - point_.lambda();
      const double length = std::clamp(left, -step_, step_);
      const Vector predicted = point_.z + length * slope;
      const double lambda = length == left ? target_ : point_.lambda() + length;
      Vector z = predicted;
      if (!corrector_.correct_to(z, row_, lambda)) continue;
      if ((z - predicted).norm() > (predicted - point_.z).norm()) continue;
      z[z.size() - 1] = lambda;
      point_.arclength += (z - point_.z).norm();
      point_.z = z;
      if (corrector_.last_iterations() <= 4) step_ = std::min(2 * step_, options_.max_step);
      return true;
    }
    return false;
  }

  const PathOptions& options_;
  CurveCorrector corrector_;
  Vector row_;
  double target_;
  double step_;
  CurvePoint point_;
  Path path_;
};

}  // namespace

Path follow_parameter(const Curve& curve, const Vector& start, double target,
                      const PathOptions& options) {
  return ParameterFollower(curve, target, options).run(start);
}

}  // namespace hydae::init
