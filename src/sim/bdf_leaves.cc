#include "sim/bdf_leaves.h"

#include <cmath>
#include <limits>

#include "poly/polynomial.h"

namespace hydae {
namespace {

// Of what is known of a leaf: nothing where it is undefined.
double distance(double a, double b) {
  const double result = std::abs(a - b);
  return std::isfinite(result) ? result : 0;
}

}  // namespace

BdfLeaves::BdfLeaves(ReducedProgram& program, const integrate::BdfStepper* stepper,
                     const std::vector<codegen::JetEntry>& leaves)
    : program_(program),
      stepper_(stepper),
      leaves_(leaves),
      errors_(static_cast<std::size_t>(program.num_iterated()), 0.0),
      y_(static_cast<std::size_t>(program.size())),
      yp_(static_cast<std::size_t>(program.size())) {}

void BdfLeaves::begin(double from, double to) {
  from_ = from;
  to_ = to;
  has_derivatives_ = has_measured_ = is_loaded_ = false;
}

LeafPlace BdfLeaves::place_of(std::size_t leaf) const {
  const codegen::JetEntry entry = leaves_[leaf];
  return program_.reduced().place(VarId(static_cast<std::size_t>(entry.variable)), entry.order);
}

// The derivative of an ordinary differential equation is its right-hand side.
bool BdfLeaves::is_polynomial(LeafPlace place) const {
  if (stepper_ == nullptr || place.index >= program_.reduced().num_iterated) return false;
  return place.kind == LeafPlace::Kind::kValue ||
         (place.kind == LeafPlace::Kind::kDerivative && !program_.reduced().is_ode);
}

void BdfLeaves::read_derivatives() {
  if (has_derivatives_) return;
  has_derivatives_ = true;
  derivatives_.resize(static_cast<std::size_t>(stepper_->last_order()) + 1);
  for (std::size_t k = 0; k < derivatives_.size(); ++k) {
    derivatives_[k].resize(errors_.size());
    stepper_->interpolate(to_, static_cast<int>(k), derivatives_[k]);
  }
  stepper_->local_errors(errors_);
}

// What linear equations give beside the polynomials has no error estimate of its own: it is how far
// it moves when that which is integrated moves by its estimated errors, and by its last digits. The
// signs of the latter follow no pattern that a difference of two unknowns could hide behind.
void BdfLeaves::measure_errors() {
  if (has_measured_) return;
  has_measured_ = true;
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  if (stepper_ != nullptr) read_derivatives();
  const double step = to_ - from_;
  const auto move = [&](Point& point, double time, const auto& shift) {
    point.y = y_;
    point.yp = yp_;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
      point.y[i] += shift(i);
      point.yp[i] += shift(i) / step;
    }
    program_.complete(time, point.y, point.yp);
    for (std::size_t i = 0; i < y_.size(); ++i) {
      point.y[i] = distance(point.y[i], y_[i]);
      point.yp[i] = distance(point.yp[i], yp_[i]);
    }
  };
  load(to_);
  move(moved_by_errors_, to_, [&](std::size_t i) { return errors_[i]; });
  const auto sign = [](std::size_t i) { return (i * 0x9E3779B97F4A7C15ull) >> 63 ? 1.0 : -1.0; };
  move(moved_by_rounding_, to_ * (1 + kRounding),
       [&](std::size_t i) { return sign(i + 1) * kRounding * std::abs(y_[i]); });
  is_loaded_ = false;  // the program is at another point
}

void BdfLeaves::read(std::size_t leaf, LeafOverStep& over_step) {
  const LeafPlace place = place_of(leaf);
  if (!is_polynomial(place)) return;
  read_derivatives();
  const double step = to_ - from_;
  double power = 1;
  std::vector<double>& c = over_step.coefficients;
  for (std::size_t k = 0; k < derivatives_.size(); ++k) {
    c.push_back(derivatives_[k][place.index] * power);
    power *= step / static_cast<double>(k + 1);
  }
  if (place.kind == LeafPlace::Kind::kDerivative) {
    c.resize(poly::differentiate(c, 1).size());
    for (double& coefficient : c) coefficient /= step;
  }
  poly::recentre(c, -1, 1);  // from the end of the step to its start
}

void BdfLeaves::measure(std::size_t leaf, LeafOverStep& over_step) {
  const LeafPlace place = place_of(leaf);
  const bool is_derivative = place.kind == LeafPlace::Kind::kDerivative;
  if (is_polynomial(place)) {
    over_step.error = std::abs(errors_[place.index]);
    if (is_derivative) over_step.error /= std::abs(to_ - from_);
    return;
  }
  measure_errors();
  const auto of = [&](const Point& point) {
    return is_derivative ? point.yp[place.index] : point.y[place.index];
  };
  over_step.error = of(moved_by_errors_);
  over_step.rounding = of(moved_by_rounding_);
}

void BdfLeaves::load(double t) {
  if (is_loaded_ && loaded_ == t) return;
  if (stepper_ != nullptr) {
    const std::size_t n = errors_.size();
    stepper_->interpolate(t, 0, std::span(y_).first(n));
    stepper_->interpolate(t, 1, std::span(yp_).first(n));
  }
  program_.complete(t, y_, yp_);
  loaded_ = t;
  is_loaded_ = true;
}

double BdfLeaves::value(std::size_t leaf, double place) {
  load(place >= 1 ? to_ : from_ + place * (to_ - from_));
  const LeafPlace at = place_of(leaf);
  return at.kind == LeafPlace::Kind::kDerivative ? yp_[at.index] : y_[at.index];
}

}  // namespace hydae
