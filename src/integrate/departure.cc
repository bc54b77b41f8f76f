// The first step from a point at which the equations have values and no series: the root of zero, a
// power of zero. A little behind it there are series, of a radius of convergence that reaches back
// to the point. Looked for is the state there whose series lead back to the state at the point: a
// fixed point, since over so short a time the one moves as the other. docs/math/taylor.md,
// section 9.
#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/taylor_stepper.h"

namespace hydae::integrate {
namespace {

// Distances of the first series from the point, in parts of what is left of the run: the longest
// from which they lead back. Near a root series miss the state by less than the power 3/2 of the
// distance, and each step that doubles it costs two steps of the method: some fifty to the scale of
// the run. What is much shorter is beyond what series are scaled to.
constexpr double kDistances[] = {1e-8, 1e-11, 1e-14};
// At least so many distances of neighbouring times.
constexpr double kTimes = 1e4;
constexpr int kMostRounds = 12;
constexpr double kSettled = 0.01;    // of the tolerance: what the series miss the point by
constexpr double kResidue = 1e-6;    // of the tolerance: what rounding leaves in the place of zero
constexpr double kLostDigits = 1e3;  // rounding errors of the state that are as good
// The same for implicit steps, of which one moves the state by next to nothing.
constexpr double kImplicitDistances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
constexpr double kClose = 1e-3;   // of an implicit step: what it may miss its equation by
constexpr std::size_t kTail = 4;  // last terms, which must be below the tolerance as well

}  // namespace

double TaylorStepper::shortest_departure() const {
  return kTimes * std::numeric_limits<double>::epsilon() * std::abs(t_);
}

bool TaylorStepper::is_without_reach() const {
  return is_step_too_small_ || (reach_ != limit_ && std::abs(reach_ - t_) < shortest_departure());
}

bool TaylorStepper::depart(double limit, std::span<const double> rates) {
  const bool has_no_series = last_.status == codegen::ExpandStatus::kUndefinedFunction ||
                             last_.status == codegen::ExpandStatus::kNotFinite;
  if (is_expanded_ ? !is_without_reach() : !has_no_series) return false;
  const codegen::ExpandResult why = last_;
  const std::vector<double> origin = state_;
  const double step = last_step_;
  Departure point{t_, find_jets_near(origin, rates)};
  std::vector<double> own;
  if (!point.jets.empty()) rates = own = rates_of(point.jets);
  if (depart_along(rates, origin, limit) || depart_implicitly(point.t, origin, limit)) {
    departure_ = std::move(point);
    return true;
  }
  start(point.t, origin, direction_, step);
  last_ = why;
  is_step_too_small_ = !has_no_series;
  return false;
}

// What the equations give at the point itself. Where rounding has left a negative number in the
// place of zero (of a tank that has run empty), they give it at zero, or as soon as the state has
// moved on by as much.
TaylorStepper::Jets TaylorStepper::find_jets_near(std::span<const double> origin,
                                                  std::span<const double> rates) {
  constexpr int kTenths = 12;
  Jets jets = find_jets(t_, origin);
  if (jets.empty()) jets = find_jets(t_, without_residues(origin));
  if (!jets.empty() || rates.size() < weights_.size()) return jets;
  double time = direction_ * shortest_departure() * std::pow(10.0, -kTenths);
  for (int k = 0; k < kTenths && jets.empty(); ++k, time *= 10)
    jets = find_jets(t_, moved(origin, rates, time));
  return jets;
}

std::vector<double> TaylorStepper::without_residues(std::span<const double> origin) const {
  std::vector<double> state(origin.begin(), origin.end());
  for (std::size_t e = 0; e < weights_.size(); ++e)
    if (std::abs(state[e]) * weights_[e] <= kResidue) state[e] = 0;
  return state;
}

// Values and leading derivatives, by variable; nothing where they are undefined.
TaylorStepper::Jets TaylorStepper::find_jets(double t, std::span<const double> state) {
  last_ = expansion_.expand({.time = t,
                             .step = direction_ * (guess_ > 0 ? guess_ : 1),
                             .order = 1,
                             .state = state,
                             .weights = {},
                             .wants_values = true});
  Jets jets;
  for (int j = 0; last_.ok() && j < program().num_variables(); ++j) {
    double factor = 1;
    std::vector<double>& jet = jets.emplace_back();
    for (double coefficient : expansion_.series(j)) {
      jet.push_back(coefficient * factor);
      factor *= static_cast<double>(jet.size()) / expansion_.scale();
    }
  }
  return jets;
}

std::vector<double> TaylorStepper::rates_of(const Jets& jets) const {
  std::vector<double> rates;
  for (const codegen::JetEntry& entry : program().entries().first(weights_.size()))
    rates.push_back(
        jets[static_cast<std::size_t>(entry.variable)][static_cast<std::size_t>(entry.order) + 1]);
  return rates;
}

std::vector<double> TaylorStepper::moved(std::span<const double> origin,
                                         std::span<const double> rates, double time) const {
  std::vector<double> state(origin.begin(), origin.end());
  for (std::size_t e = 0; e < weights_.size(); ++e) state[e] += time * rates[e];
  return state;
}

bool TaylorStepper::depart_along(std::span<const double> rates, std::span<const double> origin,
                                 double limit) {
  const double t = t_, left = std::abs(limit - t), least = shortest_departure();
  for (double part : kDistances) {
    const double length = std::max(part * left, least);
    if (rates.size() < weights_.size() || length >= left) return false;
    if (find_series_behind(t, length, origin, moved(origin, rates, direction_ * length)))
      return true;
  }
  return false;
}

// Where the rates are zero and do not stay so (an inflow that begins as a ramp): the state behind
// the point by Euler's implicit formula. It has a relative error; so the step is the longest one
// that moves the state by less than the tolerance.
bool TaylorStepper::depart_implicitly(double t, std::span<const double> origin, double limit) {
  for (double part : kImplicitDistances) {
    const double length = part * std::abs(limit - t);
    if (length < kTimes * std::numeric_limits<double>::epsilon() * std::abs(t)) return false;
    const std::vector<double> behind = implicit_step(t + direction_ * length, length, origin);
    double largest = 0;
    for (std::size_t e = 0; e < weights_.size() && !behind.empty(); ++e)
      largest = std::max(largest, std::abs(behind[e] - origin[e]) * weights_[e]);
    if (!(largest > 0 && largest <= kSettled)) continue;
    start(t + direction_ * length, behind, direction_, length);
    if (expand(limit) && !is_without_reach()) return true;
  }
  return false;
}

// x = origin + length * rates(t, x) by secants, each component by itself: one of them is the root
// that has no derivative at the origin.
std::vector<double> TaylorStepper::implicit_step(double t, double length,
                                                 std::span<const double> origin) {
  std::vector<double> last(origin.begin(), origin.end()), x = last;
  std::vector<double> last_miss(weights_.size(), 0.0);
  for (int round = 0; round < kMostRounds; ++round) {
    const Jets jets = find_jets(t, x);
    if (jets.empty()) return {};
    const std::vector<double> next = moved(origin, rates_of(jets), direction_ * length);
    bool is_settled = round > 1;
    for (std::size_t e = 0; e < weights_.size(); ++e) {
      const double miss = next[e] - x[e], change = x[e] - last[e];
      const double slope = round == 0 || change == 0 ? -1 : (miss - last_miss[e]) / change;
      is_settled = is_settled && std::abs(miss) <= kClose * std::abs(x[e] - origin[e]);
      last[e] = x[e];
      last_miss[e] = miss;
      x[e] -= slope < 0 ? miss / slope : -miss;
    }
    if (is_settled) return last;
  }
  return {};
}

bool TaylorStepper::find_series_behind(double t, double length, std::span<const double> origin,
                                       std::vector<double> behind) {
  const double limit = limit_;
  for (int round = 0; round < kMostRounds; ++round) {
    start(t + direction_ * length, behind, direction_, length);
    if (!expand(limit)) return false;
    const double change = lead_back(t, origin, behind);
    if (change <= std::max(kSettled, kLostDigits * rounding_)) return size_of_tail() <= 1;
  }
  return false;
}

// By how much the series miss the origin, in tolerances; and the state that would not.
double TaylorStepper::lead_back(double t, std::span<const double> origin,
                                std::vector<double>& behind) {
  predict(t);
  double largest = 0;
  for (std::size_t e = 0; e < weights_.size(); ++e) {
    const double miss = next_state_[e] - origin[e];
    behind[e] = expansion_.state()[e] - miss;
    largest = std::max(largest, std::abs(miss) * weights_[e]);
  }
  return std::isfinite(largest) ? largest : std::numeric_limits<double>::infinity();
}

// Behind predict(): the last terms of the series there, in tolerances.
double TaylorStepper::size_of_tail() const {
  double largest = 0;
  for (std::size_t e = 0; e < weights_.size(); ++e) {
    const codegen::JetEntry entry = program().entries()[e];
    const std::span<const double> series = expansion_.series(entry.variable);
    const auto q = static_cast<std::size_t>(entry.order);
    for (std::size_t n = series.size() - kTail; n < series.size(); ++n)
      largest = std::max(largest, std::abs(series[n] * terms_[q][n - q]) * weights_[e]);
  }
  return largest;
}

}  // namespace hydae::integrate
