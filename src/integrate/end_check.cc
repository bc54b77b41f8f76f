#include "integrate/end_check.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hydae::integrate {
namespace {

constexpr double kPart = 0.1;     // of a derivative
constexpr double kLonger = 2;     // than the longest step that was looked at
constexpr double kMostOff = 1;    // tolerances of a step; iterations leave a third at most
constexpr unsigned kPeriod = 64;  // steps, within which the looks become rarer

}  // namespace

void EndCheck::start(bool is_again) {
  num_steps_ = 0;
  longest_ = 0;
  if (!is_again) num_missed_ = 0, num_wary_ = 0;
}

bool EndCheck::is_due(double step) {
  if (num_wary_ > 0) {
    if (--num_wary_ == 0) num_missed_ = 0;
    return true;
  }
  const unsigned age = ++num_steps_ % kPeriod;
  if (std::abs(step) > kLonger * longest_ || age == 0 || std::has_single_bit(age)) {
    longest_ = std::abs(step);
    return true;
  }
  return false;
}

bool EndCheck::holds(const End& end) {
  if (!is_plainly_missed(end) || is_near(end)) return true;
  ++num_missed_;
  num_wary_ = kPeriod;
  return false;
}

// Of the solution of the equations at this place, by a matrix that is made there.
bool EndCheck::is_near(const End& end) {
  if (!matrix_) matrix_.emplace(problem_);
  const double cj = 1 / end.step;
  if (!problem_.linearize(end.t, cj, end.y, end.yp) || !matrix_->factorize(cj)) return false;
  correction_.resize(residual_.size());
  if (problem_.is_ode())
    for (double& r : residual_) r /= cj;
  matrix_->solve(residual_.data(), correction_.data());
  double largest = 0;
  for (std::size_t i = 0; i < correction_.size(); ++i)
    largest = std::max(largest, std::abs(correction_[i]) * end.weight[i]);
  return largest <= kMostOff * std::sqrt(static_cast<double>(correction_.size()));
}

// Against what a tenth of the derivatives makes of the equations.
bool EndCheck::is_plainly_missed(const End& end) {
  const auto n = static_cast<std::size_t>(problem_.size);
  residual_.resize(n);
  moved_.assign(end.yp, end.yp + n);
  if (!fill_residual(end)) return false;
  if (problem_.is_ode()) {
    for (std::size_t i = 0; i < n; ++i)
      if (std::abs(residual_[i]) > kPart * std::abs(end.yp[i]) &&
          std::abs(residual_[i] * end.step) * end.weight[i] > kMostOff)
        return true;
    return false;
  }
  correction_.resize(n);
  for (double& rate : moved_) rate *= 1 + kPart;
  if (!problem_.residual(end.t, end.y, moved_.data(), correction_.data())) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const double part = std::abs(correction_[i] - residual_[i]);
    if (part > 0 && std::abs(residual_[i]) > part) return true;
  }
  return false;
}

bool EndCheck::fill_residual(const End& end) {
  if (!problem_.is_ode()) return problem_.residual(end.t, end.y, end.yp, residual_.data());
  if (!problem_.derivative(end.t, end.y, residual_.data())) return false;
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] -= end.yp[i];
  return true;
}

}  // namespace hydae::integrate
