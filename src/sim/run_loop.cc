// The time loop.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/run.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

constexpr double kBeforeSingularity = 0.9;  // of the way
constexpr double kGuardNoise = 1e-13;       // of a guard, relative to its size so far

double slope(std::span<const double> polynomial, double tau) {
  double sum = 0;
  for (std::size_t n = polynomial.size(); n-- > 1;)
    sum = sum * tau + static_cast<double>(n) * polynomial[n];
  return sum;
}

}  // namespace

void Run::integrate() {
  begin_histories();
  load_table(state_.switches.bits, state_.switches.counts, state_.discrete, state_.discrete);
  record_until(settings_.start);
  if (!process_start()) return;
  while (now() != settings_.stop && !is_terminated_)
    if (!(is_turn_of_bdf() ? step_bdf() : step())) break;
  result_.summary.t_end = now();
  if (result_.summary.succeeded()) process_end();
}

// The first passes after initialization: ticks that are due at the start, and what changes because
// initial() is over.
bool Run::process_start() {
  Cause start;
  start.is_time_event = true;
  start.relations = initial_conflict_;
  for (std::size_t k : start.relations) start.left_guards[k] = 0;
  const auto ticks = tick_data_.evaluate(instant(settings_.start));
  for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k)
    if (is_tick(ticks[2 * k], ticks[2 * k + 1], settings_.start)) start.ticks.insert(k);
  for (std::size_t k : start.ticks) table_[hybrid_.tick_slot(k)] = 1.0;
  const DiscreteOutcome outcome =
      discrete_part_.evaluate(instant(settings_.start), state_.conditions);
  const bool has_event = outcome.values != state_.discrete ||
                         outcome.conditions != state_.conditions || !outcome.reinits.empty() ||
                         has_violated_contact() || !start.relations.empty();
  for (std::size_t k : start.ticks) table_[hybrid_.tick_slot(k)] = 0.0;
  if (has_event) return process_event(settings_.start, start);
  if (!hybrid_.contacts().empty()) warn_of_other_continuations(settings_.start);
  return true;
}

// The pass in which terminal() is true.
void Run::process_end() {
  const double t = now();
  Instant end = instant(t);
  end.is_terminal = true;
  const DiscreteOutcome outcome = discrete_part_.evaluate(end, state_.conditions);
  if (outcome.failed_assertion != nullptr)
    fail(Status::kAssertionFailed,
         fmt::format("assertion at t = {:.10g}: {}", t, outcome.failed_assertion->message));
  if (outcome.values == state_.discrete) return;
  state_.discrete = outcome.values;
  recorder_->record(t, current_values(t));
}

// One step: to the end of the series, to a time event, or to the first root of a guard.
bool Run::step() {
  Cause cause;
  const double limit = next_time_event(settings_.stop, cause);
  if (!stepper_->expand(limit)) {
    report_expand_failure();
    return false;
  }
  watch_.observe(stepper_->expansion());
  if (watch_.is_reached()) {
    fail(
        Status::kSingularity,
        fmt::format("simulation stopped at t = {:.10g}: the solution ends here", stepper_->time()));
    return false;
  }
  keep_before_singularity();
  keep_guards_accurate();
  Cause state_cause;
  auto t = find_event(state_cause);
  // The end of a step may be right where its middle is not: a diode that conducts in between.
  while (t && !stepper_->confirm(*t)) {
    state_cause = {};
    t = find_event(state_cause);
  }
  if (t) {
    // A root that cannot be told apart from a time event happens there.
    const bool meets_time_event =
        cause.is_time_event && stepper_->reach() == limit &&
        (std::abs(*t - limit) <= state_cause.uncertainty || is_same_time(*t, limit));
    if (meets_time_event) {
      t = limit;
      state_cause.relations.insert(cause.relations.begin(), cause.relations.end());
      state_cause.ticks = cause.ticks;
      state_cause.is_time_event = true;
      state_cause.is_silent = state_cause.is_silent && cause.is_silent;
    }
    record_until(*t);
    watch_.reset();
    return process_event(*t, state_cause) && close_accumulation() && are_assertions_met(*t);
  }
  const double reach = stepper_->reach();
  record_until(reach);
  if (!are_assertions_met(reach)) return false;
  if (reach == limit && cause.is_time_event) {
    watch_.reset();
    return process_event(reach, cause);
  }
  extend_histories(reach);
  last_step_ = std::abs(reach - stepper_->time());
  if (reach != limit && is_held_up_by_stiffness()) return true;
  stepper_->advance(reach);
  state_.guards.known_zeros.clear();
  if (options_.progress && !options_.progress(reach)) {
    fail(Status::kCancelled, fmt::format("cancelled at t = {}", reach));
    return false;
  }
  return true;
}

// The next time at which a tick is due or a guard that is affine in time vanishes, exactly.
double Run::next_time_event(double limit, Cause& cause) {
  const double now = this->now(), direction = settings_.direction();
  double next = limit;
  const auto consider = [&](double t) {
    if (!((t - now) * direction > 0) || is_same_time(t, now)) return false;
    if (is_same_time(t, next)) return true;
    if ((t - next) * direction > 0) return false;
    cause = {};
    next = t;
    return true;
  };
  if (!hybrid_.ticks().empty()) {
    const auto values = tick_data_.evaluate(instant(now));
    for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k) {
      const auto t = next_tick(values[2 * k], values[2 * k + 1], now, direction);
      if (t && consider(*t)) cause.ticks.insert(k);
    }
  }
  if (!time_relations_.empty()) {
    Instant at_zero = instant(now);
    at_zero.t = 0;
    const auto values = time_guards_.evaluate(at_zero);
    for (std::size_t k = 0; k < time_relations_.size(); ++k) {
      const Relation& relation = hybrid_.relations()[time_relations_[k]];
      const double slope = values[2 * k + 1];
      if (slope != 0 && relation.is_watched && consider(-values[2 * k] / slope))
        cause.relations.insert(time_relations_[k]);
    }
  }
  cause.is_time_event = !cause.ticks.empty() || !cause.relations.empty();
  cause.is_silent = cause.ticks.empty() && is_silent(cause.relations);
  for (std::size_t k : cause.relations) cause.left_guards[k] = 0;
  return next;
}

bool Run::is_silent(const std::set<std::size_t>& relations) const {
  return std::all_of(relations.begin(), relations.end(),
                     [&](std::size_t k) { return hybrid_.relations()[k].is_silent; });
}

void Run::remember_sizes(std::size_t relation) {
  const auto series = stepper_->output_series(static_cast<int>(relation));
  std::vector<double>& sizes = state_.guards.sizes[relation];
  sizes.resize(std::max(sizes.size(), series.size()), 0.0);
  const double scale = std::abs(stepper_->expansion().scale());
  double power = 1;
  for (std::size_t n = 0; n < series.size(); ++n, power /= scale)
    sizes[n] = std::max(sizes[n], std::abs(series[n]) * power);
}

// Output k of the program as a polynomial over the step.
poly::Guard Run::guard_over_step(std::size_t output) {
  const double ratio = (stepper_->reach() - stepper_->time()) / stepper_->expansion().scale();
  const auto series = stepper_->output_series(static_cast<int>(output));
  std::vector<double>& scaled = guard_series_[output];
  scaled.assign(series.begin(), series.end());
  double power = 1, size = 0;
  for (double& coefficient : scaled) {
    coefficient *= power;
    power *= ratio;
    size += std::abs(coefficient);
  }
  // What is left of the series beyond its last terms, and rounding.
  const double tail =
      scaled.size() > 1 ? std::abs(scaled.back()) + std::abs(scaled[scaled.size() - 2]) : 0;
  if (output < hybrid_.relations().size()) remember_sizes(output);
  return make_guard(output, std::min(tail, 1e-3 * size) + 4e-16 * size);
}

// The guard whose polynomial is in guard_series_.
poly::Guard Run::make_guard(std::size_t output, double remainder) {
  poly::Guard guard;
  guard.coefficients = guard_series_[output];
  guard.remainder = remainder;
  guard.held_sign = 1;
  guard.num_known_zeros =
      output < state_.guards.known_zeros.size() ? state_.guards.known_zeros[output] : 0;
  if (is_share(output)) guard.remainder += kShareNoise;
  if (output >= hybrid_.relations().size()) return guard;
  const double size = state_.guards.sizes[output].empty() ? 0.0 : state_.guards.sizes[output][0];
  guard.remainder += kGuardNoise * size + 2 * state_.guards.residues[output];
  guard.held_sign = hybrid_.relations()[output].held_sign(state_.switches.bits[output]);
  if (is_dormant(output)) {  // it switches when it counts
    guard_series_[output][0] += 2 * guard.held_sign * smallest_guards_[output];
    guard.num_known_zeros = 0;
  }
  return guard;
}

// Outputs whose roots matter: guards, exits of sliding, square roots.
const std::vector<std::size_t>& Run::find_watched_outputs() {
  const std::size_t n = hybrid_.relations().size();
  const std::size_t num_exits = 2 * mode_->holds.size();
  const std::size_t first_root = n + num_exits + hybrid_.delays().size();
  watched_.clear();
  for (std::size_t k = 0; k < n; ++k)
    if (!hybrid_.relations()[k].is_time_only && hybrid_.relations()[k].is_watched && !is_held(k))
      watched_.push_back(k);
  for (std::size_t k = 0; k < num_exits; ++k) watched_.push_back(n + k);
  for (std::size_t k = 0; k < mode_->roots.size(); ++k) watched_.push_back(first_root + k);
  return watched_;
}

// Beyond a singularity a series says nothing, and what is consistent there is another solution.
void Run::keep_before_singularity() {
  const double t = stepper_->time(), step = stepper_->reach() - t;
  const double longest = kBeforeSingularity * watch_.distance();
  if (std::abs(step) > longest) stepper_->shorten(t + std::copysign(longest, step));
}

// A step that is short enough for the solution may be too long for the series of a guard.
void Run::keep_guards_accurate() {
  const double t = stepper_->time(), step = stepper_->reach() - t;
  const double ratio = step / stepper_->expansion().scale();
  double share = 1;
  for (std::size_t k : find_watched_outputs()) {
    const auto series = stepper_->output_series(static_cast<int>(k));
    if (series.size() < 3) continue;
    double power = 1, size = 0, last = 0, tail = 0;
    for (double coefficient : series) {
      const double term = std::abs(coefficient) * power;
      tail = last + term;
      last = term;
      size += term;
      power *= std::abs(ratio);
    }
    const double smallest = k < smallest_guards_.size() ? smallest_guards_[k] : 0;
    const double allowed = std::max(settings_.rtol * size, 1e-3 * smallest);
    if (tail > allowed)
      share =
          std::min(share, std::pow(allowed / tail, 1.0 / (static_cast<double>(series.size()) - 2)));
  }
  if (share < 1) stepper_->shorten(t + share * step);
}

std::optional<double> Run::find_event(Cause& cause) {
  const std::size_t n = hybrid_.relations().size();
  const std::size_t first_root = n + 2 * mode_->holds.size() + hybrid_.delays().size();
  const std::vector<std::size_t>& watched = find_watched_outputs();
  if (watched.empty()) return std::nullopt;
  guard_series_.resize(std::max(guard_series_.size(), watched.back() + 1));
  guards_.clear();
  for (std::size_t k : watched) guards_.push_back(guard_over_step(k));
  const poly::FirstEvent& event = finder_.find(guards_);
  for (const poly::GuardRoot& root : event.grazing)
    if (const std::size_t k = watched[static_cast<std::size_t>(root.guard)]; k < n)
      note_grazing(k, root.root.tau);
  if (!event.has_event()) return std::nullopt;
  const double t = stepper_->time(), reach = stepper_->reach();
  const auto add = [&](const poly::GuardRoot& root) {
    const std::size_t output = watched[static_cast<std::size_t>(root.guard)];
    if (output >= n) return;
    cause.relations.insert(output);
    if (is_dormant(output)) cause.woken.insert(output);
    cause.left_guards[output] = guards_[static_cast<std::size_t>(root.guard)].remainder;
    cause.uncertainty = std::max(cause.uncertainty, root.root.uncertainty() * std::abs(reach - t));
    const double speed = std::abs(slope(guard_series_[output], root.root.tau) / (reach - t));
    cause.time_error =
        std::max(cause.time_error, settings_.rtol * state_.guards.sizes[output][0] / speed);
  };
  bool has_root_of_square = false;
  for (const poly::GuardRoot& root : event.guards) {
    const std::size_t output = watched[static_cast<std::size_t>(root.guard)];
    add(root);
    has_root_of_square = has_root_of_square || output >= first_root;
    if (output >= n && output < first_root) add_exit(output - n, cause);
  }
  // Where a square root vanishes, what touches zero with it switches.
  if (has_root_of_square)
    for (const poly::GuardRoot& touch : event.grazing)
      if (touch.root.upper >= event.tau) add(touch);
  cause.is_silent = is_silent(cause.relations) && cause.exits.empty();
  return event.tau >= 1 ? reach : t + event.tau * (reach - t);
}

// A guard that touches zero and turns back: whether it has crossed is not known.
void Run::note_grazing(std::size_t relation, double tau) {
  if (hybrid_.relations()[relation].is_silent || !grazed_.insert(relation).second) return;
  const double t = stepper_->time() + tau * (stepper_->reach() - stepper_->time());
  result_.summary.warnings.push_back(
      fmt::format("grazing at t = {:.10g}: `{}` touches its limit and was not switched", t,
                  hybrid_.relations()[relation].text));
}

void Run::record_until(double t) {
  while (const auto time = grid_->next_until(t)) recorder_->record(*time, current_values(*time));
}

bool Run::are_assertions_met(double t) {
  if (hybrid_.assertions().empty()) return true;
  const auto truths = assertions_.evaluate(instant(t));
  for (std::size_t k = 0; k < truths.size(); ++k) {
    if (truths[k] == 1.0) continue;
    const Assertion& assertion = *hybrid_.assertions()[k].second;
    const std::string text = fmt::format("assertion at t = {:.10g}: {}", t, assertion.message);
    if (!assertion.is_warning) {
      fail(Status::kAssertionFailed, text);
      return false;
    }
    warn_once(text);
  }
  return true;
}

}  // namespace hydae
