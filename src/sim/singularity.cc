#include "sim/singularity.h"

#include <algorithm>
#include <cmath>

namespace hydae {
namespace {

constexpr std::size_t kTail = 6;           // coefficients that are looked at
constexpr double kScatter = 0.03;          // of 1/R within one series
constexpr double kDisagreement = 0.05;     // of t* from one expansion to the next, in units of R
constexpr double kCloseAgreement = 0.005;  // likewise: counts twice
constexpr int kExpansionsInARow = 3;       // that must agree
// Nothing over nothing makes rounding errors look like a pole. One that has come near, relative to
// where it was seen first, has terms of the size of the value if it is one.
constexpr double kNear = 1e-4, kVisible = 1e-3;
constexpr double kReachedDistance = 1e-9;  // relative to t*, or to the first distance
// The same of one that is passed: a root of the distance that is left is an error of the values.
constexpr double kPassedDistance = 1e-12;

// Singularities of several variables are the same one, in distances.
constexpr double kSamePlace = 0.1;
// A power of the distance that is certainly positive.
constexpr double kPositive = 0.05;

// The highest derivative that the equations give; what is bounded with it is continuous below.
int highest_derivative(const codegen::Program& program, int variable) {
  int highest = 0;
  for (const codegen::JetEntry& entry :
       program.entries().first(static_cast<std::size_t>(program.num_state())))
    if (entry.variable == variable) highest = std::max(highest, entry.order + 1);
  return highest;
}

// Nearer, or at the same place and larger.
bool is_clearer(const RealSingularity& a, const RealSingularity& b) {
  if (std::abs(a.distance - b.distance) > kSamePlace * b.distance) return a.distance < b.distance;
  return a.strength > b.strength;
}

// Whether all that becomes singular at this distance keeps values.
bool is_bounded(const codegen::Expansion& expansion, double distance) {
  for (int j = 0; j < expansion.program().num_variables(); ++j) {
    const auto found = find_real_singularity(expansion.series(j));
    if (!found || found->distance > (1 + kSamePlace) * distance) continue;
    if (!(-found->exponent > highest_derivative(expansion.program(), j) + kPositive)) return false;
  }
  return true;
}

}  // namespace

std::optional<RealSingularity> find_real_singularity(std::span<const double> series) {
  if (series.size() < kTail + 2) return std::nullopt;
  const std::size_t last = series.size() - 1;
  double least = HUGE_VAL, most = -HUGE_VAL, inverse = 0, earlier = 0;
  for (std::size_t n = last - kTail + 2; n <= last; ++n) {
    const double ratio = series[n] / series[n - 1];
    if (!(ratio > 0) || !std::isfinite(ratio)) return std::nullopt;
    const auto m = static_cast<double>(n);
    inverse = m * ratio - earlier;
    if (earlier != 0) {
      least = std::min(least, inverse);
      most = std::max(most, inverse);
    }
    earlier = m * ratio;
  }
  if (!(least > 0) || most - least > kScatter * most) return std::nullopt;
  const double distance = 1 / inverse;
  const double exponent = 1 + earlier * distance - static_cast<double>(last);
  const double strength =
      std::abs(series[last] / series[0]) * std::pow(distance, static_cast<double>(last));
  return RealSingularity{distance, exponent, strength};
}

void SingularityWatch::observe(const codegen::Expansion& expansion) {
  std::optional<RealSingularity> nearest;
  int variable = 0;
  for (int j = 0; j < expansion.program().num_variables(); ++j) {
    const auto found = find_real_singularity(expansion.series(j));
    if (!found || (nearest && !is_clearer(*found, *nearest))) continue;
    nearest = found;
    variable = j;
  }
  if (!nearest) return reset();
  const double distance = nearest->distance * std::abs(expansion.scale());
  const double t = expansion.time() + nearest->distance * expansion.scale();
  const double change = std::abs(t - last_.t);
  const bool agrees = num_agreeing_ > 0 && change < kDisagreement * distance;
  if (!agrees) first_distance_ = distance;
  num_agreeing_ = agrees ? num_agreeing_ + (change < kCloseAgreement * distance ? 2 : 1) : 1;
  last_ = {t, nearest->exponent, variable, nearest->strength};
  distance_ = distance;
  is_visible_ = distance > kNear * first_distance_ || !(nearest->strength < kVisible);
  is_passable_ = is_within(kReachedDistance) && is_bounded(expansion, nearest->distance);
}

std::optional<SingularityWatch::Forecast> SingularityWatch::forecast() const {
  if (num_agreeing_ < kExpansionsInARow || !is_visible_) return std::nullopt;
  return last_;
}

bool SingularityWatch::is_within(double part) const {
  return num_agreeing_ >= kExpansionsInARow && is_visible_ &&
         distance_ < part * std::max(std::abs(last_.t), first_distance_);
}

bool SingularityWatch::is_reached() const {
  return is_within(is_passable_ ? kPassedDistance : kReachedDistance);
}

}  // namespace hydae
