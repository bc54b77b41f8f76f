#include "init/gauss_newton.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hydae::init {
namespace {

constexpr double kSmallestDamping = 1e-8;  // below, another method has its turn
constexpr double kRoundingStep = 1e-6;     // relative: a smaller one may be what rounding makes
// Of a first correction whose end is the solution next to its start: |sbar| / |s|, which is half of
// Kantorovich's h <= 1/2.
constexpr double kContraction = 0.25;
constexpr double kLinear = 1e-8;  // the same, of equations that are linear
// Where it is looked at besides, in units of the correction: spaced unevenly.
constexpr double kSamples[] = {-1, -0.6, -0.3, 0.3, 0.6};

// One run. Notation of Deuflhard: s = ordinary correction at y, sbar = simplified correction at the
// trial point with the same Jacobian, damping in (0, 1].
class GaussNewton : public Descent {
 public:
  using Descent::Descent;

 private:
  void iterate(Outcome& outcome) override {
    while (outcome.iterations < options_.max_iterations) {
      if (!compute_step(outcome.iterations == 1)) {
        outcome.detail = "derivatives not defined";
        return;
      }
      ++outcome.iterations;
      if (relative_size(s_, y_) <= options_.step_tolerance) {
        finish();
        come_to_rest(outcome);
        return;
      }
      if (outcome.iterations > 1) predict_damping();
      if (!take_step()) {
        if (is_rounding()) return come_to_rest(outcome);
        outcome.detail =
            fmt::format("no progress with steps of {:.1g} of the correction", damping_);
        return;
      }
      if (outcome.iterations == 1) is_next_ = has_contracted();
    }
    outcome.detail = fmt::format("no convergence in {} iterations", options_.max_iterations);
  }

  // Whether the residual is zero here is for judge() to say.
  void come_to_rest(Outcome& outcome) {
    outcome.status = Status::kSolved;
    outcome.is_unique = solver_.rank() == s_.size();
    outcome.is_next = is_next_ || outcome.iterations == 1;
    outcome.is_nearest = outcome.is_next && (s_.size() == 1 || !is_bent_);
  }

  // A small correction that cannot be made smaller is the rounding error of an ill-conditioned
  // system.
  bool is_rounding() const {
    return relative_size(s_, y_) <= kRoundingStep &&
           system_.residual_norm(f_) <= options_.residual_tolerance;
  }

  bool compute_step(bool is_second) {
    if (!system_.differentiate(y_, J_)) return false;
    if (is_second) is_next_ = is_next_ && is_straight();
    weight_ = system_.equation_size().cwiseInverse();
    scale_rows(weight_, J_);
    last_s_ = s_;
    s_ = solver_.compute(J_, weight_.cwiseProduct(f_), system_.space().lower() - y_,
                         system_.space().upper() - y_);
    return s_.allFinite();
  }

  // Whether that holds along the first correction and behind the start. By chance the residual may
  // be small at its end; the Jacobian is another one there, or the way was crooked.
  bool is_straight() {
    const double bending = change_of_jacobian(), size = s_.norm();
    if (bending > 2 * kContraction) return false;
    is_bent_ = !(bending <= kLinear && sbar_.norm() <= kLinear * size);
    if (!is_bent_) return true;
    for (const double share : kSamples) {
      const Vector at = y_ + (share - 1) * s_;
      if (!system_.space().contains(at) || !system_.evaluate(at, trial_f_)) continue;
      const Vector left = solver_.correct(weight_.cwiseProduct(trial_f_));
      if ((left - (1 - share) * s_).norm() > 2 * kContraction * size) return false;
    }
    return true;
  }

  // |J^+ (J(y) - J) s| / |s| with the last Jacobian J and correction s.
  double change_of_jacobian() const {
    const Vector turned = solver_.correct(weight_.cwiseProduct(J_ * s_));
    return (turned + s_).norm() / s_.norm();
  }

  // Whether the first correction, just made, was short compared with how far the equations are
  // straight: it then leads to the solution next to the start.
  bool has_contracted() const {
    for (int k = 0; k < s_.size(); ++k)
      if (solver_.is_at_bound(k)) return false;
    return damping_ == 1 && sbar_.norm() <= kContraction * s_.norm();
  }

  // From the change between the last simplified and the new ordinary correction.
  void predict_damping() {
    const double change = (sbar_ - s_).norm() * s_.norm();
    const double trusted = damping_ * last_s_.norm() * sbar_.norm() / change;
    damping_ = std::clamp(std::isfinite(trusted) ? trusted : 1.0, 10 * kSmallestDamping, 1.0);
  }

  // Finds a damping that passes the test and moves there; at most one increase per step.
  bool take_step() {
    bool may_increase = true;
    while (damping_ >= kSmallestDamping) {
      const Vector trial = system_.space().into_bounds(y_ + damping_ * s_);
      if (!system_.evaluate(trial, trial_f_)) {
        damping_ *= 0.25;
        may_increase = false;
        continue;
      }
      sbar_ = solver_.correct(weight_.cwiseProduct(trial_f_));
      const double nonlinearity = (sbar_ - (1 - damping_) * s_).norm();
      const double trusted = 0.5 * s_.norm() * damping_ * damping_ / nonlinearity;
      if (!(sbar_.norm() <= (1 - 0.25 * damping_) * s_.norm())) {
        damping_ = std::min(trusted, 0.5 * damping_);
        may_increase = false;
        continue;
      }
      const double better = std::min(1.0, trusted);
      if (may_increase && better >= 4 * damping_) {
        damping_ = better;
        may_increase = false;
        continue;
      }
      y_ = trial;
      f_ = trial_f_;
      return true;
    }
    return false;
  }

  // The last correction is below the tolerance: apply it if it does not make the residual worse.
  void finish() {
    const Vector trial = system_.space().into_bounds(y_ + s_);
    if (!system_.evaluate(trial, trial_f_)) return;
    if (system_.residual_norm(trial_f_) > system_.residual_norm(f_)) return;
    y_ = trial;
    f_ = trial_f_;
  }

  Vector s_, last_s_, sbar_;
  double damping_ = 1;
  bool is_next_ = false;  // see has_contracted()
  bool is_bent_ = false;  // see is_straight()
};

}  // namespace

Outcome gauss_newton(System& system, const Vector& start, const Options& options) {
  return GaussNewton(system, start, options).run();
}

}  // namespace hydae::init
