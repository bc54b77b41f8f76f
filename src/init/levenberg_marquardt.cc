#include "init/levenberg_marquardt.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hydae::init {
namespace {

constexpr double kLargestDamping = 1e15;  // its step is below rounding
constexpr double kFirstDamping = 1e-2;  // of equations in units of their size: near to Gauss-Newton
constexpr int kIterationsPerScale = 8;  // then equations are measured anew

class LevenbergMarquardt : public Descent {
 public:
  using Descent::Descent;

 private:
  void iterate(Outcome& outcome) override {
    bool has_fresh_sizes = false;
    while (outcome.iterations < options_.max_iterations) {
      if (outcome.iterations % kIterationsPerScale == 0) size_.resize(0);
      if (size_.size() == 0) has_fresh_sizes = true;
      if (!linearize()) {
        outcome.detail = "derivatives not defined";
        return;
      }
      ++outcome.iterations;
      if (find_smaller_residual()) {
        has_fresh_sizes = false;
      } else if (has_fresh_sizes) {
        outcome.status = Status::kSolved;  // at rest: judge() looks at the residual
        return;
      } else {
        size_.resize(0);
        damping_ = kFirstDamping;
        growth_ = 2;
      }
    }
    outcome.detail = fmt::format("no convergence in {} iterations", options_.max_iterations);
  }

  bool linearize() {
    if (!system_.differentiate(y_, J_)) return false;
    size_ = size_.size() == 0 ? system_.equation_size() : size_.cwiseMax(system_.equation_size());
    weight_ = size_.cwiseInverse();
    scale_rows(weight_, J_);
    scaled_f_ = weight_.cwiseProduct(f_);
    return true;
  }

  // Raises the damping until the sum of squares falls as promised. False: at rest.
  bool find_smaller_residual() {
    const double current = scaled_f_.squaredNorm();
    for (; damping_ <= kLargestDamping; damping_ *= growth_, growth_ *= 2) {
      const Vector& s = solver_.compute(J_, scaled_f_, system_.space().lower() - y_,
                                        system_.space().upper() - y_, damping_);
      if (relative_size(s, y_) <= options_.step_tolerance) return false;
      const Vector trial = system_.space().into_bounds(y_ + s);
      if (!system_.evaluate(trial, trial_f_)) continue;
      const double promised = current - (J_ * s + scaled_f_).squaredNorm();
      const double gained = current - weight_.cwiseProduct(trial_f_).squaredNorm();
      if (!(gained > 1e-4 * promised) || !(promised > 0)) continue;
      y_ = trial;
      f_ = trial_f_;
      const double ratio = std::min(gained / promised, 1.0);
      damping_ *= std::max(0.1, 1 - std::pow(2 * ratio - 1, 3));
      damping_ = std::max(damping_, 1e-15);
      growth_ = 2;
      return true;
    }
    return false;
  }

  Vector size_, scaled_f_;
  double damping_ = kFirstDamping;
  double growth_ = 2;
};

}  // namespace

Outcome levenberg_marquardt(System& system, const Vector& start, const Options& options) {
  return LevenbergMarquardt(system, start, options).run();
}

}  // namespace hydae::init
