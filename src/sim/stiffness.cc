#include "sim/stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hydae {
namespace {

// Points of the window that carry the polynomial, and the one where it is tried.
constexpr std::array<std::size_t, 6> kNodes = {0, 5, 9, 15, 19, 24};
constexpr std::size_t kTried = 12;

}  // namespace

void StiffnessWatch::forget() {
  size_ = first_ = since_look_ = 0;
  num_smooth_ = 0;
}

double StiffnessWatch::mean_step() const {
  if (size_ < 2) return 0;
  return std::abs(times_[slot(size_ - 1)] - times_[slot(0)]) / static_cast<double>(size_ - 1);
}

void StiffnessWatch::observe(double t, std::span<const double> state_now,
                             std::span<const double> tolerance) {
  if (state_now.size() != num_entries_) {
    forget();
    num_entries_ = state_now.size();
    states_.resize(kWindow * num_entries_);
  }
  if (size_ == kWindow)
    first_ = (first_ + 1) % kWindow;
  else
    ++size_;
  const std::size_t last = slot(size_ - 1);
  std::copy(state_now.begin(), state_now.end(), state(last).begin());
  times_[last] = t;
  if (size_ < kWindow || ++since_look_ < kStride) return;
  since_look_ = 0;
  num_smooth_ = is_smooth(tolerance) ? num_smooth_ + 1 : 0;
}

bool StiffnessWatch::is_smooth(std::span<const double> tolerance) {
  std::array<double, kNodes.size()> weight{};
  const double t = times_[slot(kTried)];
  for (std::size_t i = 0; i < kNodes.size(); ++i) {
    weight[i] = 1;
    const double ti = times_[slot(kNodes[i])];
    for (std::size_t j = 0; j < kNodes.size(); ++j) {
      const double tj = times_[slot(kNodes[j])];
      if (j != i) weight[i] *= (t - tj) / (ti - tj);
    }
  }
  const std::span<const double> tried = state(slot(kTried));
  for (std::size_t e = 0; e < tried.size(); ++e) {
    double predicted = 0;
    for (std::size_t i = 0; i < kNodes.size(); ++i)
      predicted += weight[i] * state(slot(kNodes[i]))[e];
    if (!(std::abs(predicted - tried[e]) <= kAllowed * tolerance[e])) return false;
  }
  return true;
}

}  // namespace hydae
