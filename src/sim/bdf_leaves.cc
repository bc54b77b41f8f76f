#include "sim/bdf_leaves.h"

#include <cmath>

#include "poly/polynomial.h"

namespace hydae {

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
  has_derivatives_ = is_loaded_ = false;
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
  over_step.error = std::abs(errors_[place.index]);
  if (place.kind == LeafPlace::Kind::kDerivative) {
    c.resize(poly::differentiate(c, 1).size());
    for (double& coefficient : c) coefficient /= step;
    over_step.error /= std::abs(step);
  }
  poly::recentre(c, -1, 1);  // from the end of the step to its start
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
