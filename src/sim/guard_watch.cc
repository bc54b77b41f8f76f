#include "sim/guard_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poly/convergence.h"
#include "poly/polynomial.h"

namespace hydae {
namespace {

// Parts of a step are not divided below this: what has no series there has a singularity, and its
// values decide. A step has 2^52 places; half of the digits are left to the bisection.
constexpr double kSmallestPart = 0x1p-26;
// Parts of one guard in one step, beyond which it is said that the guard is too fast to watch.
constexpr long kMostParts = 1L << 20;
// Singularities are single points. Where so many of the smallest parts of one step have no series,
// the guard has none, and is looked at as code is.
constexpr int kMostSingularities = 64;
// Of guards that are code: places to begin with, how much more than seen they may vary between
// them, and how often a cell that may hold a root is halved.
constexpr int kCells = 16, kMostHalvings = 10;
constexpr double kVariation = 2;
// A guard whose noise is more than this part of it was never far above its noise.
constexpr double kNoisy = 1e-3;
// A series and a value that are the same but for rounding, relative to the terms.
constexpr double kSame = 1e-9;
// A guard that is so much larger where its noise ends than it has been has a pole there.
constexpr double kPole = 100;
// Next to a pole, against a part of the step beside it. Parts are so long that a simple pole grows
// by more, a third root of it by this.
constexpr double kGrowing = 2;
// The smallest part of a step, in distances of neighbouring times: within it values still differ.
constexpr double kSmallestInTimes = 16;
// What interpolation of the solution may leave of a guard, relative to its terms: eight digits
// decide signs as well as states do.
constexpr double kPoorPart = 1e-8;
// A root is located with a truncation of at most this, relative to the terms of the series: far
// below the tolerance, far above rounding.
constexpr double kSharp = 1e-12;

// The distance of neighbouring times, as a part of the step.
double resolution(const StepOutputs& outputs) {
  const double latest = std::max(std::abs(outputs.from()), std::abs(outputs.to()));
  return std::numeric_limits<double>::epsilon() * latest / std::abs(outputs.to() - outputs.from());
}

double sum_of_magnitudes(std::span<const double> values) {
  double sum = 0;
  for (double value : values) sum += std::abs(value);
  return sum;
}

int side_of(double value) { return (value > 0) - (value < 0); }

// Where a guard was on which side nobody knows, the event is where it comes out of its noise: there
// its value has a sign.
void leave_noise(GuardRoot& root) {
  root.at = root.upper;
  root.remainder = 0;
  root.is_located = false;
}

}  // namespace

SignBehind find_sign_behind(StepOutputs& outputs, std::size_t output, double singularity,
                            const SignQuestion& question) {
  // In distances of neighbouring times: more than are taken for one time.
  constexpr double kBehind = 16;
  constexpr double kCertain = 100;  // in rounding errors of the value
  double distance = kBehind * resolution(outputs);
  for (; singularity + distance < 1; distance *= 2) {
    const double value = outputs.value(output, singularity + distance);
    const int sign = side_of(value);
    if (sign != 0 && (question.wanted == 0 || sign == question.wanted) && std::isfinite(value) &&
        std::abs(value) > question.noise + kCertain * outputs.rounding(output))
      return {singularity + distance, sign};
  }
  return {1, question.wanted};
}

namespace {

// A part of this one in which no function begins to change of which the series knows nothing yet.
double until_awake(StepOutputs& outputs, const WatchedGuard& guard, double begin, double width) {
  if (!outputs.can_sleep(guard.output)) return width;
  const bool has_series = !outputs.series(guard.output, begin, width).empty();
  return has_series ? width * outputs.awake_from(guard.output) : width;
}

// On its side by more than half of its size: no error in it that leaves it a sign moves a root into
// the part, and none needs to be known.
bool is_far_from_zero(const WatchedGuard& guard, std::span<const double> series, double left) {
  const double constant = std::abs(series[0]);
  const double others = sum_of_magnitudes(series) - constant + left;
  return side_of(series[0]) == guard.held_sign && constant > 2 * others &&
         constant > 2 * guard.noise && guard.num_known_zeros == 0;
}

// The solution goes on from where the guard is a number again, with a sign that is certain.
double place_behind_pole(StepOutputs& outputs, const WatchedGuard& guard, double pole) {
  return find_sign_behind(outputs, guard.output, pole, {.wanted = -guard.held_sign}).place;
}

}  // namespace

const GuardEvent& GuardWatch::find(StepOutputs& outputs, std::span<WatchedGuard> guards) {
  outputs_ = &outputs;
  event_.at = event_.accurate_until = until_ = 1;
  event_.roots.clear();
  event_.touches.clear();
  event_.undefined.reset();
  candidates_.clear();
  grades_.assign(guards.size(), EventGrade::kEstimated);
  unproved_.assign(is_certified_ ? guards.size() : 0, std::nullopt);
  for (std::size_t k = 0; k < guards.size(); ++k) {
    if (!is_clear_at_once(guards[k])) {
      limit_accuracy(guards[k]);
      search(k, guards[k]);
    }
    if (is_certified_) prove(k, guards[k]);
  }
  choose_simultaneous();
  for (const GuardRoot& root : event_.roots) guards[root.guard].is_at_pole = root.is_pole;
  // Behind an event the equations are others.
  if (event_.has_event() && event_.undefined && event_.at <= event_.undefined->upper)
    event_.undefined.reset();
  return event_;
}

// Out of its noise far from zero: it has been infinite on the way.
void GuardWatch::find_pole(const WatchedGuard& guard, GuardRoot& root) {
  if (root.is_located || root.is_pole) return;
  const double size = std::max(guard.size, std::abs(outputs_->value(guard.output, 0)));
  if (!(std::abs(outputs_->value(guard.output, root.at)) > kPole * size)) return;
  root.is_pole = true;
  root.at = root.upper = place_behind_pole(*outputs_, guard, root.at);
}

// Most guards: the series that came with the solution converges and keeps its side, and so does the
// value at the end.
bool GuardWatch::is_clear_at_once(const WatchedGuard& guard) {
  const auto tail = poly::estimate_tail(guard.series);
  if (!tail || outputs_->can_sleep(guard.output)) return false;
  const poly::RootSearch& found = finder_.find(
      guard.series,
      {.remainder = *tail, .num_known_zeros = guard.num_known_zeros, .stops_at_first = true});
  return found.status == poly::RootStatus::kComplete && !found.start && found.roots.empty() &&
         found.start_sign == guard.held_sign && is_true_at_end(guard, {0, 1, guard.series, *tail});
}

// A series may converge to something else than the function: sqrt(x^2) is -x where x is negative,
// and its series there does not know that it ends at zero.
bool GuardWatch::is_true_at_end(const WatchedGuard& guard, const Part& part) {
  if (guard.is_continued) return true;
  const double value = outputs_->value(guard.output, part.begin + part.width);
  double sum = 0, size = 0;
  for (double coefficient : part.series) {
    sum += coefficient;
    size += std::abs(coefficient);
  }
  const double miss = std::abs(value - sum), allowed = 2 * part.truncation + kSame * size;
  return miss <= allowed || miss <= allowed + 2 * (part.noise + outputs_->rounding(guard.output));
}

// The error that the step makes in the solution must be small for the guard; what is lost in older
// errors already needs no better step.
void GuardWatch::limit_accuracy(const WatchedGuard& guard) {
  constexpr double kShorter = 0.7, kLeast = kSmallestPart;  // of the step
  if (guard.allowed == 0) return;
  outputs_->value(guard.output, 0);
  const double rounding = outputs_->rounding(guard.output);
  const double least = outputs_->error(guard.output, kLeast);  // what no shorter step takes away
  const double allowed = std::max({guard.allowed, guard.noise, 2 * rounding, 2 * least});
  if (!std::isfinite(allowed)) return;
  double& until = event_.accurate_until;
  while (until > kLeast && outputs_->error(guard.output, until) > allowed) until *= kShorter;
}

void GuardWatch::search(std::size_t index, WatchedGuard& guard) {
  const std::size_t before = candidates_.size();
  if (outputs_->has_code(guard.output))
    search_by_values(index, guard, 0);
  else if (!guard.is_continued || !is_decided_by_solution(index, guard))
    search_by_series(index, guard);
  if (candidates_.size() == before) return;
  find_pole(guard, candidates_.back());  // the event may be behind its root
  until_ = std::min(until_, candidates_.back().upper);
}

// Up to the first event so far: behind it the equations are others.
void GuardWatch::prove(std::size_t index, const WatchedGuard& guard) {
  if (guard.is_continued) return;
  const SignProof::Question question{guard.held_sign, guard.num_known_zeros, guard.noise, until_};
  const SignProof::Result result =
      proof_.prove(question, [&](const EnclosedPart& part, OutputEnclosure& enclosure) {
        return outputs_->enclose(guard.output, part, enclosure);
      });
  const bool has_root = !candidates_.empty() && candidates_.back().guard == index;
  const bool is_proved = result.verdict == SignProof::Verdict::kLeft
                             ? is_proved_to_leave(index, guard, result)
                             : result.verdict == SignProof::Verdict::kKept && !has_root;
  if (!is_proved)
    unproved_[index] = result.begin;
  else if (grades_[index] == EventGrade::kEstimated)
    grades_[index] = EventGrade::kCertified;
}

// The root that was found is the one that is proved, or there is an earlier one, which then counts.
// What leaves its side by no more than the errors of the solution is no event, and no proof.
bool GuardWatch::is_proved_to_leave(std::size_t index, const WatchedGuard& guard,
                                    SignProof::Result result) {
  const bool has_root = !candidates_.empty() && candidates_.back().guard == index;
  if (has_root && candidates_.back().lower <= result.end) return result.is_monotone;
  const double value = guard.held_sign * outputs_->value(guard.output, result.end);
  if (!(value < -(guard.noise + outputs_->error(guard.output, result.end)))) return false;
  if (has_root) candidates_.pop_back();
  add_by_values(index, guard, result.begin, result.end);
  grades_[index] = EventGrade::kEstimated;  // not sampled: what comes before it is proved
  until_ = std::min(until_, candidates_.back().upper);
  return result.is_monotone;
}

void GuardWatch::search_by_series(std::size_t index, WatchedGuard& guard) {
  const double step = std::abs(outputs_->to() - outputs_->from());
  double begin = 0, width = guard.length > 0 ? std::min(1.0, guard.length / step) : 1.0;
  const double smallest = std::max(kSmallestPart, kSmallestInTimes * resolution(*outputs_));
  long num_parts = 0;
  int num_singularities = 0;
  band_.reset();
  const std::size_t before = candidates_.size();
  bool is_defined = true;
  while (begin < until_ && candidates_.size() == before && is_defined) {
    width = until_awake(*outputs_, guard, begin, std::min(width, 1 - begin));
    if (++num_parts > kMostParts) {
      add_undefined({index, guard.output, begin, begin, begin + width});
      return;
    }
    if (width <= smallest) {
      if (++num_singularities > kMostSingularities) return search_by_values(index, guard, begin);
      is_defined = inspect_values(index, guard, begin, width);
    } else if (!is_decided(index, guard, begin, width)) {
      width *= 0.5;
      continue;
    }
    guard.length = width * step;
    begin += width;
    width = std::max(width, smallest) * 2;
  }
  if (candidates_.size() == before && until_ == 1 && is_defined && has_left_unseen(guard))
    add_by_values(index, guard, 0, 1);
}

// What counts of a continued function is what the solution was made with. Its series made anew near
// a root of it are rounding, and its values do not change their sign.
bool GuardWatch::is_decided_by_solution(std::size_t index, const WatchedGuard& guard) {
  const auto tail = poly::estimate_tail(guard.series);
  if (!tail) return false;
  outputs_->value(guard.output, 1);
  const double noise = guard.noise + outputs_->error(guard.output, 1);
  return inspect(index, guard, {0, 1, guard.series, *tail, noise}) != Verdict::kDivide;
}

// By the series over a part of the step, if it says anything.
bool GuardWatch::is_decided(std::size_t index, const WatchedGuard& guard, double begin,
                            double width) {
  const auto series = outputs_->series(guard.output, begin, width);
  series_.assign(series.begin(), series.end());  // values are computed in its place
  Part part{begin, width, series_};
  const double sum = sum_of_magnitudes(part.series);
  const double left = outputs_->interpolation_error(guard.output);
  auto tail = poly::estimate_tail(part.series);
  if (tail && left <= kPoorPart * sum && is_far_from_zero(guard, part.series, *tail + left)) {
    part.truncation = *tail + left;
    band_.reset();
    return is_true_at_end(guard, part);
  }
  part.noise = guard.noise + outputs_->error(guard.output, begin + width);
  // Where all terms are errors, no shorter part has others.
  if (!tail && sum <= part.noise && !part.series.empty()) tail = sum;
  if (!tail || !(left <= std::max(part.noise, kPoorPart * sum))) return false;
  part.truncation = *tail + left;
  return is_true_at_end(guard, part) && inspect(index, guard, part) != Verdict::kDivide;
}

// Code has values only. They are taken to vary between places as they do from place to place.
void GuardWatch::search_by_values(std::size_t index, const WatchedGuard& guard, double from) {
  grades_[index] = EventGrade::kSampled;
  const double width = (1 - from) / kCells;
  for (int k = 0; k < kCells; ++k) {
    const double begin = from + k * width;
    if (begin >= until_ || inspect_cell(index, guard, {begin, width}, 0)) return;
  }
}

bool GuardWatch::inspect_cell(std::size_t index, const WatchedGuard& guard, Cell cell, int depth) {
  const double middle = cell.begin + 0.5 * cell.width, end = cell.begin + cell.width;
  const double a = guard.held_sign * outputs_->value(guard.output, cell.begin);
  const double m = guard.held_sign * outputs_->value(guard.output, middle);
  const double b = guard.held_sign * outputs_->value(guard.output, end);
  const double noise = guard.noise + outputs_->error(guard.output, end);
  const double change = kVariation * (std::abs(m - a) + std::abs(b - m));
  if (std::min({a, m, b}) > change) return false;
  if (std::max({std::abs(a), std::abs(m), std::abs(b)}) <= noise) return false;  // all errors
  if (depth < kMostHalvings)
    return inspect_cell(index, guard, {cell.begin, 0.5 * cell.width}, depth + 1) ||
           inspect_cell(index, guard, {middle, 0.5 * cell.width}, depth + 1);
  if (!(b < -noise)) return false;
  add_by_values(index, guard, cell.begin, end);
  return true;
}

// The end of the step is seen from the values, too: a function that is constant to all digits where
// its series is made may be anything elsewhere.
bool GuardWatch::has_left_unseen(const WatchedGuard& guard) {
  if (band_ || guard.is_continued) return false;
  const double value = outputs_->value(guard.output, 1);
  return side_of(value) == -guard.held_sign &&
         std::abs(value) > guard.noise + outputs_->error(guard.output, 1);
}

GuardWatch::Verdict GuardWatch::inspect(std::size_t index, const WatchedGuard& guard,
                                        const Part& part) {
  const poly::RootSearch& found =
      finder_.find(part.series, {.remainder = part.truncation + part.noise,
                                 .num_known_zeros = part.begin == 0 ? guard.num_known_zeros : 0,
                                 .stops_at_first = true});
  const bool is_plain = found.status == poly::RootStatus::kComplete && !found.start &&
                        found.roots.empty() && found.start_sign == guard.held_sign;
  const double sharp = std::max(part.noise, kSharp * sum_of_magnitudes(part.series));
  if (!is_plain && part.truncation > sharp) return Verdict::kDivide;
  switch (found.status) {
    case poly::RootStatus::kNotFinite: return Verdict::kDivide;
    case poly::RootStatus::kIdenticallyZero:
    case poly::RootStatus::kBelowRemainder:  // errors decide: the bit stays what it is
      if (!band_) band_ = part.begin;
      return Verdict::kClear;
    case poly::RootStatus::kComplete: break;
  }
  return inspect_roots(index, guard, part, found);
}

GuardWatch::Verdict GuardWatch::inspect_roots(std::size_t index, const WatchedGuard& guard,
                                              const Part& part, const poly::RootSearch& found) {
  const int first_sign = found.start ? found.start->sign_after : found.start_sign;
  if (first_sign == -guard.held_sign) {
    poly::Root root = found.start.value_or(poly::Root{.sign_after = first_sign});
    add(index, guard, part, root);
    if (band_) candidates_.back().lower = *band_;
    const bool is_noisy = part.noise > kNoisy * guard.size;
    if ((band_ || found.start) && guard.num_known_zeros == 0 && is_noisy)
      leave_noise(candidates_.back());
    return Verdict::kEvent;
  }
  band_.reset();
  for (const poly::Root& root : found.roots) {
    const bool is_at_end = part.begin + part.width >= 1;
    if (root.kind() == poly::RootKind::kTouch) {
      add(index, guard, part, root);
      event_.touches.push_back(candidates_.back());
      candidates_.pop_back();
    } else if (root.kind() == poly::RootKind::kOpen && !is_at_end) {
      band_ = part.begin + root.lower * part.width;  // the next part decides
    } else {
      add(index, guard, part, root);
      return Verdict::kEvent;
    }
  }
  return Verdict::kClear;
}

void GuardWatch::add(std::size_t index, const WatchedGuard& guard, const Part& part,
                     const poly::Root& root) {
  GuardRoot result{index, guard.output};
  result.lower = part.begin + root.lower * part.width;
  result.at = part.begin + root.tau * part.width;
  result.upper = part.begin + root.upper * part.width;
  result.remainder = part.truncation + part.noise;
  result.slope = poly::evaluate_with_slope(part.series, root.tau).slope / part.width;
  result.remainder += std::abs(result.slope) * resolution(*outputs_);  // its time is rounded
  candidates_.push_back(result);
}

// Where no series exists: the ends and the middle of a part that is small already.
bool GuardWatch::inspect_values(std::size_t index, const WatchedGuard& guard, double begin,
                                double width) {
  grades_[index] = EventGrade::kSampled;
  bool is_known = false;  // at some place
  for (double place : {begin + 0.5 * width, begin + width}) {
    const double value = outputs_->value(guard.output, place);
    is_known = is_known || !std::isnan(value);
    if (side_of(value) != -guard.held_sign || std::isnan(value)) continue;
    if (std::abs(value) <= guard.noise + outputs_->error(guard.output, place)) continue;
    add_by_values(index, guard, begin, place);
    return true;
  }
  if (!is_known) add_undefined({index, guard.output, begin, begin, begin + width});
  return is_known;
}

void GuardWatch::add_undefined(const GuardRoot& root) {
  if (!event_.undefined || root.lower < event_.undefined->lower) event_.undefined = root;
}

// At `end` the guard is on the other side; at `begin` it is not, as far as is known.
void GuardWatch::add_by_values(std::size_t index, const WatchedGuard& guard, double begin,
                               double end) {
  grades_[index] = EventGrade::kSampled;
  const auto size_at = [&](double place) { return std::abs(outputs_->value(guard.output, place)); };
  const double width = end - begin;
  const double before = size_at(std::max(0.0, begin - width));
  const double after = size_at(std::min(1.0, end + width));
  while (true) {
    const double middle = 0.5 * (begin + end);
    if (middle <= begin || middle >= end) break;
    (side_of(outputs_->value(guard.output, middle)) == -guard.held_sign ? end : begin) = middle;
  }
  GuardRoot root{index, guard.output, begin, end, end, 0, 0};
  // Towards a root it becomes smaller on both sides, towards a pole larger.
  const auto grows = [](double near, double far) {
    return !std::isfinite(far) || !(near <= kGrowing * far);
  };
  root.is_pole = grows(size_at(begin), before) && grows(size_at(end), after);
  if (root.is_pole) root.at = root.upper = place_behind_pole(*outputs_, guard, end);
  candidates_.push_back(root);
}

void GuardWatch::choose_simultaneous() {
  if (candidates_.empty()) return;
  const GuardRoot first =
      *std::min_element(candidates_.begin(), candidates_.end(),
                        [](const GuardRoot& a, const GuardRoot& b) { return a.upper < b.upper; });
  event_.at = first.at;
  for (const GuardRoot& other : candidates_) {
    if (other.lower > first.upper) continue;
    event_.roots.push_back(other);
    if (other.is_pole) event_.at = std::max(event_.at, other.at);  // where it is a number again
  }
  std::erase_if(event_.touches, [&](const GuardRoot& touch) { return touch.lower > first.upper; });
}

}  // namespace hydae
