#include "sim/step_guards.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "poly/convergence.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

constexpr double kLargeAtPole = 100;         // in sizes that the guard has had
constexpr int kMostDoublings = 20;           // of what the series take over, without an event
constexpr double kSmallestSuspicion = 1e-3;  // of a step: less costs more to hand over than to take

// The size that the start has given to a guard, or else the largest that it has had.
double scale_of(std::size_t relation, const GuardMemory& memory) {
  const std::vector<double>& sizes = memory.sizes[relation];
  const double given = memory.scales[relation];
  return given > 0 || sizes.empty() ? given : sizes[0];
}

}  // namespace

// Outputs whose roots matter: guards, exits of sliding, square roots.
void StepGuards::choose_guards(StepOutputs& outputs, const CompiledMode& mode, HybridState& state) {
  GuardMemory& memory = state.guards;
  const std::size_t n = model_.relations().size();
  memory.noise.resize(n, 0.0);
  memory.lengths.resize(n, 0.0);
  for (std::size_t k = memory.scales.size(); k < n; ++k) note_first_size(outputs, k, memory);
  guards_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const Relation& relation = model_.relations()[k];
    if (relation.is_time_only || !relation.is_watched ||
        is_pinned_in(mode.pins, model_.surface_of(k)))
      continue;
    watch_output(mode, k, memory);
    WatchedGuard& guard = guards_.back();
    guard.held_sign = relation.held_sign(state.switches.bits[k]);
    if (memory.is_given[k] || !signs_.is_dormant(memory, k, outputs.value(k, 0))) continue;
    guard.noise += 2 * signs_.smallest(k);
    guard.num_known_zeros = 0;
  }
  for (std::size_t k = 0; k < mode.layout.num_exits; ++k)
    watch_output(mode, mode.layout.exit(k), memory);
  for (std::size_t k = 0; k < mode.layout.num_roots; ++k)
    watch_output(mode, mode.layout.root(k), memory);
}

// Where the run begins.
void StepGuards::note_first_size(StepOutputs& outputs, std::size_t relation,
                                 GuardMemory& memory) const {
  constexpr std::size_t kFirst = 3;  // coefficients: a force moves a position by the third
  const auto series = outputs.series(relation, 0, 1);
  bool is_given = series.empty();
  for (std::size_t n = 0; n < std::min(kFirst, series.size()); ++n)
    is_given = is_given || series[n] != 0;
  memory.is_given.push_back(is_given);
  memory.scales.push_back(std::abs(outputs.value(relation, 0)));
}

void StepGuards::watch_output(const CompiledMode& mode, std::size_t output,
                              const GuardMemory& memory) {
  WatchedGuard guard;
  guard.output = output;
  guard.num_known_zeros = output < memory.known_zeros.size() ? memory.known_zeros[output] : 0;
  guard.is_continued = mode.layout.is_root(output);
  if (is_share(mode, output)) guard.noise = kShareNoise;
  if (mode.layout.is_guard(output)) {
    guard.noise = memory.noise[output] + 2 * memory.residues[output];
    guard.length = memory.lengths[output];
    guard.allowed = rtol_ * scale_of(output, memory);
    guard.size = memory.sizes[output].empty() ? 0 : memory.sizes[output][0];
  }
  guards_.push_back(guard);
}

// The series that came with the solution, in parts of the step.
void StepGuards::add_series(const integrate::TaylorStepper& stepper) {
  const double ratio = (stepper.reach() - stepper.time()) / stepper.expansion().scale();
  if (series_.size() < guards_.size()) series_.resize(guards_.size());
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    const auto series = stepper.output_series(static_cast<int>(guards_[i].output));
    series_[i].assign(series.begin(), series.end());
    double power = 1;
    for (double& coefficient : series_[i]) {
      coefficient *= power;
      power *= ratio;
    }
    guards_[i].series = series_[i];
  }
}

Outcome<std::optional<Crossing>> StepGuards::find_crossing(TaylorSolution& solution,
                                                           const std::vector<double>& table,
                                                           HybridState& state, bool is_best) {
  integrate::TaylorStepper& stepper = solution.stepper();
  const CompiledMode& mode = solution.mode();
  const double t = solution.time();
  if (model_.relations().empty() && mode.layout.num_exits + mode.layout.num_roots == 0)
    return std::optional<Crossing>();
  for (bool is_accurate = is_best;; is_accurate = true) {
    StepOutputs& outputs = outputs_.over_step(solution, table);
    choose_guards(outputs, mode, state);
    add_series(stepper);
    if (is_accurate)
      for (WatchedGuard& guard : guards_) guard.allowed = 0;
    if (is_best) forget_past_errors(outputs);
    const GuardEvent& event = watch_.find(outputs, guards_);
    double until = event.accurate_until;
    if (event.undefined) until = std::min(until, event.undefined->lower);
    const double end = t + until * (stepper.reach() - t);
    if (event.undefined && is_same_time(end, t)) {
      const std::size_t k = event.undefined->output;
      const std::string what = mode.layout.is_guard(k) ? model_.relations()[k].text : "an output";
      return Failure{Status::kUndefinedFunction,
                     fmt::format("simulation stopped at t = {:.10g}: `{}` is undefined or changes "
                                 "too fast",
                                 t, what)};
    }
    if (until < 1) {
      stepper.shorten(end);
      continue;
    }
    const double step = stepper.reach() - t;
    remember_derivatives(stepper, state.guards);
    remember(outputs, event.at, state.guards);
    note_grades(outputs, event.at);
    for (const GuardRoot& touch : event.touches)
      if (mode.layout.is_guard(touch.output)) note_grazing(touch.output, t + touch.at * step);
    if (!event.has_event()) return std::optional<Crossing>();
    return std::optional(Crossing{event.at >= 1 ? stepper.reach() : t + event.at * step,
                                  cause_of(event, mode, std::abs(step), state.guards)});
  }
}

// A guard that goes to its other side within `time`.
bool StepGuards::vanishes_within(double time, double scale, const TaylorSolution& solution,
                                 const WatchedGuard& guard) {
  const auto series = solution.output(guard.output);
  if (series.size() < 2) return false;
  const double away = -guard.held_sign * series[1] * time / scale;
  return away > 0 && std::abs(series[0]) <= away;
}

std::optional<Crossing> StepGuards::crossing_within(double time, TaylorSolution& solution,
                                                    const std::vector<double>& table,
                                                    HybridState& state) {
  GuardEvent event;
  event.at = 0;
  choose_guards(outputs_.over_step(solution, table), solution.mode(), state);
  const double scale = std::abs(solution.stepper().expansion().scale());
  for (std::size_t k = 0; k < guards_.size(); ++k) {
    if (guards_[k].is_continued || !vanishes_within(time, scale, solution, guards_[k])) continue;
    GuardRoot root{k, guards_[k].output};
    root.remainder = std::abs(solution.output(root.output)[0]);
    root.slope = solution.output(root.output)[1];
    event.roots.push_back(root);
  }
  if (!event.has_event()) return std::nullopt;
  Crossing crossing{solution.time(), cause_of(event, solution.mode(), scale, state.guards)};
  crossing.cause.uncertainty = std::max(crossing.cause.uncertainty, time);
  return crossing;
}

// At a branch point that a step has led to.
std::optional<Crossing> StepGuards::crossing_at_end(TaylorSolution& solution,
                                                    const std::vector<double>& table,
                                                    HybridState& state) {
  constexpr double kVanished = 0.1;  // of what it was a step before
  GuardEvent event;
  StepOutputs& outputs = outputs_.over_step(solution, table);
  choose_guards(outputs, solution.mode(), state);
  for (std::size_t k = 0; k < guards_.size(); ++k) {
    const std::size_t output = guards_[k].output;
    const double before = std::abs(outputs.value(output, 0));
    const double value = std::abs(outputs.value(output, 1));
    if (guards_[k].is_continued || !(value < kVanished * before)) continue;
    GuardRoot root{k, output, 1, 1, 1};
    root.remainder = value;
    event.roots.push_back(root);
  }
  if (!event.has_event()) return std::nullopt;
  const double step = std::abs(outputs.to() - outputs.from());
  return Crossing{outputs.to(), cause_of(event, solution.mode(), step, state.guards)};
}

// Errors of the past have moved the time of a root; where a step leads to just behind it, and its
// sign is certain where the step begins, they do not decide whether there is one.
void StepGuards::forget_past_errors(StepOutputs& outputs) {
  constexpr double kCertain = 100;  // in rounding errors of the value
  for (WatchedGuard& guard : guards_) {
    const double value = std::abs(outputs.value(guard.output, 0));
    if (value > kCertain * outputs.rounding(guard.output)) guard.noise = 0;
  }
}

Cause StepGuards::cause_of(const GuardEvent& event, const CompiledMode& mode, double step,
                           GuardMemory& memory) const {
  Cause cause;
  bool has_root_of_square = false;
  for (const GuardRoot& root : event.roots) {
    add_root(root, step, memory, cause);
    has_root_of_square = has_root_of_square || mode.layout.is_root(root.output);
    if (mode.layout.is_exit(root.output))
      cause.exits.push_back(surface_and_side(mode.pins, mode.layout.exit_of(root.output)));
  }
  // Where a square root vanishes, what touches zero with it switches.
  if (has_root_of_square)
    for (const GuardRoot& touch : event.touches)
      if (touch.upper >= event.at) add_root(touch, step, memory, cause);
  cause.is_silent = are_silent(model_, cause.relations) && cause.exits.empty();
  cause.is_root_alone = has_root_of_square && cause.relations.empty() && cause.exits.empty();
  return cause;
}

void StepGuards::add_root(const GuardRoot& root, double step, GuardMemory& memory,
                          Cause& cause) const {
  if (root.output >= model_.relations().size()) return;
  cause.relations.insert(root.output);
  if (!root.is_pole) cause.left_guards[root.output] = root.remainder;  // it is no zero
  const double uncertainty = std::max(root.at - root.lower, root.upper - root.at);
  if (!root.is_pole) cause.uncertainty = std::max(cause.uncertainty, uncertainty * step);
  const std::vector<double>& sizes = memory.sizes[root.output];
  const double size = sizes.empty() ? 0 : sizes[0], speed = std::abs(root.slope / step);
  if (speed > 0) cause.time_error = std::max(cause.time_error, rtol_ * size / speed);
  // It is zero here: errors have moved the time. Where it is infinite they say nothing.
  if (root.is_located || root.is_pole) memory.noise[root.output] = 0;
}

// What the step up to `place` has added to the errors of the guards, and their sizes.
void StepGuards::remember(StepOutputs& outputs, double place, GuardMemory& memory) const {
  for (const WatchedGuard& guard : guards_) {
    if (guard.output >= model_.relations().size()) continue;
    memory.lengths[guard.output] = guard.length;
    const double value = std::abs(outputs.value(guard.output, place));
    const double error = outputs.inherited_error(guard.output, place, rtol_);
    // At a pole values and errors say nothing.
    if (!std::isfinite(error) || !std::isfinite(value) || guard.is_at_pole) continue;
    // Nor do they next to one, where the step has ended for another reason.
    if (error > value && value > kLargeAtPole * guard.size && guard.size > 0) continue;
    // Errors of the past stay, as far as the tolerance of the guard admits them: what a steep place
    // has magnified is over behind it.
    double& noise = memory.noise[guard.output];
    noise = std::max(error, std::min(noise, rtol_ * scale_of(guard.output, memory)));
    std::vector<double>& sizes = memory.sizes[guard.output];
    if (sizes.empty()) sizes.push_back(0);
    sizes[0] = std::max(sizes[0], value);
  }
}

// Where a series does not converge over the step, a pole is near: its derivatives are no measure
// for those elsewhere.
void StepGuards::remember_derivatives(const integrate::TaylorStepper& stepper,
                                      GuardMemory& memory) const {
  const double step = std::abs(stepper.reach() - stepper.time());
  for (const WatchedGuard& guard : guards_) {
    if (guard.output >= model_.relations().size() || !poly::estimate_tail(guard.series)) continue;
    std::vector<double>& sizes = memory.sizes[guard.output];
    sizes.resize(std::max(sizes.size(), guard.series.size()), 0.0);
    double power = 1;
    for (std::size_t n = 0; n < guard.series.size(); ++n, power /= step)
      sizes[n] = std::max(sizes[n], std::abs(guard.series[n]) * power);
  }
}

// Over the part of the step that counts.
void StepGuards::note_grades(const StepOutputs& outputs, double until) {
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    if (guards_[i].output >= model_.relations().size()) continue;
    GuardRecord::Step step{watch_.grade(i), std::nullopt};
    const auto place = watch_.unproved(i);
    if (place && *place <= until)
      step.unproved = outputs.from() + *place * (outputs.to() - outputs.from());
    else if (place && step.grade == EventGrade::kEstimated)
      step.grade = EventGrade::kCertified;  // as far as it counts
    record_.note(guards_[i].output, step);
  }
}

// A guard that touches zero and turns back: whether it has crossed is not known.
void StepGuards::note_grazing(std::size_t relation, double t) {
  if (model_.relations()[relation].is_silent || !grazed_.insert(relation).second) return;
  report_.warn(fmt::format("grazing at t = {:.10g}: `{}` touches its limit and was not switched", t,
                           model_.relations()[relation].text));
}

std::optional<Suspicion> StepGuards::find_suspicion(StepOutputs& outputs, const CompiledMode& mode,
                                                    HybridState& state) {
  choose_guards(outputs, mode, state);
  for (WatchedGuard& guard : guards_) guard.allowed = 0;  // BDF knows its own tolerances only
  if (guards_.empty()) return std::nullopt;
  const GuardEvent& event = watch_.find(outputs, guards_);
  std::vector<GuardRoot> roots = event.roots;
  roots.insert(roots.end(), event.touches.begin(), event.touches.end());
  if (event.undefined) roots.push_back(*event.undefined);
  if (roots.empty()) {
    num_fruitless_ = 0;
    remember(outputs, 1, state.guards);
    note_grades(outputs, 1);
    return std::nullopt;
  }
  const GuardRoot& first =
      *std::min_element(roots.begin(), roots.end(),
                        [](const GuardRoot& a, const GuardRoot& b) { return a.lower < b.lower; });
  const double before = place_before(outputs, first);
  remember(outputs, before, state.guards);
  note_grades(outputs, before);
  // What the series find to be nothing again and again is left to them for longer each time.
  const double more = std::ldexp(1.0, std::min(num_fruitless_++, kMostDoublings)) - 1;
  const double until = first.upper + (first.lower - before);
  return Suspicion{before, until + more * std::max(until - before, kSmallestSuspicion)};
}

std::optional<Crossing> StepGuards::crossing_by_bdf(StepOutputs& outputs, const CompiledMode& mode,
                                                    HybridState& state) {
  const GuardEvent& event = watch_.last();
  remember(outputs, event.at, state.guards);
  note_grades(outputs, event.at);
  if (!event.has_event()) return std::nullopt;
  const double step = outputs.to() - outputs.from();
  return Crossing{event.at >= 1 ? outputs.to() : outputs.from() + event.at * step,
                  cause_of(event, mode, std::abs(step), state.guards)};
}

// A place before the root of a guard by more than what the errors of BDF may move it.
double StepGuards::place_before(StepOutputs& outputs, const GuardRoot& root) const {
  constexpr double kClear = 100;  // tolerances
  double size = 0;
  for (double place : {0.0, 0.25, 0.5, 0.75, 1.0})
    size = std::max(size, std::abs(outputs.value(root.output, place * root.upper)));
  for (double distance : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const double place = root.lower - distance;
    if (place <= 0) break;
    if (std::abs(outputs.value(root.output, place)) > kClear * rtol_ * size) return place;
  }
  return 0;
}

}  // namespace hydae
