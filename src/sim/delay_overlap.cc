#include "sim/delay_overlap.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/expansion_failure.h"

namespace hydae {
namespace {

constexpr int kMostAgreementRounds =
    80;  // two for each coefficient of the longest series, and some
constexpr int kMostStepHalvings = 30;
// Of the tolerance: what step and piece may differ by.
constexpr double kAgreement = 0.01;
// Tolerances: what a signal that goes on as it was may differ by from its past.
constexpr double kContinued = 10;
// Parts of a step at which the past is looked at.
constexpr double kLooks[] = {1.0 / 64, 1.0 / 8, 1.0 / 2, 1.0};
// Relative: a past that is the present but for rounding.
constexpr double kSameTime = 1e-14;

bool is_ahead(const HybridState& state) {
  return std::any_of(state.pieces.begin(), state.pieces.end(),
                     [](const PastPiece& piece) { return piece.is_ahead; });
}

// Of a step before t.
bool is_ahead_of(const HybridState& state, double t) {
  return std::any_of(state.pieces.begin(), state.pieces.end(),
                     [t](const PastPiece& piece) { return piece.is_ahead && piece.origin != t; });
}

// Of two series about one time, over the step `h`: difference and size.
std::pair<double, double> compare(const PastPiece& a, const PastPiece& b, double h) {
  double difference = 0, size = 0, power_a = 1, power_b = 1;
  for (std::size_t n = 0; n < a.coefficients.size(); ++n) {
    const double term = a.coefficients[n] * power_a;
    const double other = n < b.coefficients.size() ? b.coefficients[n] * power_b : 0.0;
    difference += std::abs(term - other);
    size = std::max(size, std::abs(term));
    power_a *= h / a.scale;
    power_b *= h / b.scale;
  }
  return {difference, size};
}

}  // namespace

DelayOverlap::DelayOverlap(const HybridModel& model, DelayMemory& memory, double rtol)
    : model_(model), memory_(memory), rtol_(rtol) {
  for (std::size_t k = 0; k < model.delays().size(); ++k)
    if (model.delays()[k].varies) varying_.push_back(k);
}

bool DelayOverlap::is_near(Committed& run, double limit) {
  if (varying_.empty()) return false;
  if (is_ahead(run.state) || !expand_plainly(run, limit)) return true;
  const double t = run.solution->time();
  const auto past = memory_.past_times(run.view().at(t));
  return std::any_of(varying_.begin(), varying_.end(),
                     [&](std::size_t k) { return t - past[k] <= run.state.last_step; });
}

// Delays that the step at hand outruns.
std::vector<std::size_t> DelayOverlap::find_near(const Committed& run) {
  const double t = run.solution->time(), reach = run.solution->stepper().reach();
  const auto at_start = memory_.past_times(run.view().at(t));
  const std::vector<double> first(at_start.begin(), at_start.end());
  // The past may get ahead of the start of the step and come back until its end.
  std::vector<double> last = first;
  for (double part : kLooks) {
    const auto past = memory_.past_times(run.view().at(t + part * (reach - t)));
    for (std::size_t k = 0; k < last.size(); ++k) last[k] = std::max(last[k], past[k]);
  }
  std::vector<std::size_t> near;
  for (std::size_t k : varying_)
    if (last[k] > t && t - first[k] <= reach - t) near.push_back(k);
  return near;
}

// What was known of the ends of the pieces before is not known of these.
void DelayOverlap::load(Committed& run) const {
  std::vector<int>& zeros = run.state.guards.known_zeros;
  for (std::size_t k : varying_)
    for (std::size_t end : {model_.delays()[k].lower, model_.delays()[k].upper})
      if (end < zeros.size()) zeros[end] = 0;
  run.fill_table();
  run.solution->load(run.table.numbers());
}

Outcome<Done> DelayOverlap::expand_plainly(Committed& run, double limit) const {
  integrate::TaylorStepper& stepper = run.solution->stepper();
  if (stepper.expand(limit)) return Done{};
  if (!stepper.is_step_too_small() && stepper.depart(limit)) return Done{};
  return expansion_failure(model_.model(), *run.solution);
}

// Good on both sides of the step: it is made anew for each.
PastPiece DelayOverlap::piece_ahead(const TaylorSolution& solution, std::size_t delay) const {
  const auto series = solution.output(solution.mode().layout.delayed(delay));
  const double t = solution.time(), h = solution.stepper().reach() - t;
  PastPiece piece{t - h, t + 2 * h, t, solution.stepper().expansion().scale(), {}};
  const std::size_t count = std::min(series.size(), model_.delays()[delay].num_coefficients);
  piece.coefficients.assign(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(count));
  piece.is_ahead = true;
  return piece;
}

bool DelayOverlap::read_present(Committed& run, double t) const {
  bool has_changed = false;
  const auto past = memory_.past_times(run.view().at(t));
  for (std::size_t k : varying_) {
    if (std::abs(t - past[k]) > kSameTime * std::max(1.0, std::abs(t))) continue;
    PastPiece& piece = run.state.pieces[k];
    const double value = run.solution->delayed(k), known = value_in(piece, past[k]);
    const double size = std::max(std::abs(value), std::abs(known));
    if (!(std::abs(value - known) > kAgreement * rtol_ * size)) continue;
    piece = piece_ahead(*run.solution, k);
    has_changed = true;
  }
  if (has_changed) run.fill_table();
  return has_changed;
}

// False if step and pieces do not come together.
Outcome<bool> DelayOverlap::agree(Committed& run, const std::vector<std::size_t>& near,
                                  double limit) const {
  for (int round = 0; round < kMostAgreementRounds; ++round) {
    bool agrees = true;
    for (std::size_t k : near) {
      PastPiece piece = piece_ahead(*run.solution, k);
      PastPiece& last = run.state.pieces[k];
      const double h = run.solution->stepper().reach() - run.solution->time();
      const auto [difference, size] = compare(piece, last, h);
      if (!std::isfinite(difference)) return false;
      agrees = agrees && last.is_ahead && difference <= kAgreement * rtol_ * size;
      last = std::move(piece);
    }
    if (agrees) return true;
    load(run);
    if (auto expanded = expand_plainly(run, limit); !expanded) return expanded.failure();
  }
  return false;
}

// Whether the series of the signals go on from what they were since `past`: a series is as good
// before its centre as behind it, but not across a jump.
bool DelayOverlap::continues_past(const Committed& run, const std::vector<std::size_t>& near) {
  const double t = run.solution->time();
  const auto past = memory_.past_times(run.view().at(t));
  for (std::size_t k : near) {
    // With no delay at all there is nothing between, whatever has jumped just now.
    if (std::abs(t - past[k]) <= kSameTime * std::max(1.0, std::abs(t))) continue;
    const PastPiece& piece = run.state.pieces[k];
    const auto [none, size] = compare(piece, piece, run.solution->stepper().reach() - t);
    for (double part : {0.0, 0.5, 1.0}) {
      const double s = past[k] + part * (t - past[k]);
      const double difference = value_in(piece, s) - run.state.histories[k].value(s);
      if (!(std::abs(difference) <= kContinued * rtol_ * size)) return false;
    }
  }
  return true;
}

Outcome<Done> DelayOverlap::read_past(Committed& run, double limit) {
  memory_.choose_pieces(run.view().at(run.solution->time()), {}, run.state);
  load(run);
  return expand_plainly(run, limit);
}

Outcome<Done> DelayOverlap::expand(Committed& run, double limit) {
  if (auto expanded = expand_plainly(run, limit); !expanded || varying_.empty()) return expanded;
  const double t = run.solution->time();
  if (is_ahead_of(run.state, t)) {  // that was the last step, which is past now
    if (auto expanded = read_past(run, limit); !expanded) return expanded;
  }
  const std::vector<std::size_t> near = find_near(run);
  if (near.empty()) return Done{};
  for (int halving = 0; halving < kMostStepHalvings; ++halving) {
    const Outcome<bool> agrees = agree(run, near, limit);
    if (!agrees) return agrees.failure();
    if (*agrees) return continues_past(run, near) ? Done{} : read_past(run, limit);
    const double half = t + (run.solution->stepper().reach() - t) / 2;
    if (auto expanded = read_past(run, half); !expanded) return expanded;
    limit = half;
  }
  return Failure{Status::kNotConverged,
                 fmt::format("simulation stopped at t = {:.10g}: the delay time of `{}` is zero, "
                             "and the signal depends on its own delayed value",
                             t, model_.relations()[model_.delays()[near[0]].upper].text)};
}

}  // namespace hydae
