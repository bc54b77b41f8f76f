// The time loop.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/activity.h"
#include "sim/expansion_failure.h"
#include "sim/message.h"
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
  parts_.rows.record_until(view(), settings_.start);
  Outcome<Done> outcome = process_start();
  if (outcome) outcome = check_assertions(settings_.start);
  show(parts_.options, "integrating");
  while (outcome && now() != settings_.stop && !run_.state.is_terminated) {
    outcome = is_turn_of_bdf() ? step_bdf() : step();
    if (outcome) outcome = report_progress(now());
  }
  // An event that could not be dealt with is ahead of the solution.
  const double ahead = (parts_.report.summary().t_end - now()) * settings_.direction();
  if (outcome || ahead < 0) parts_.report.reach(now());
  if (now() != settings_.stop) record_end();
  if (outcome) outcome = process_end();
  if (!outcome) parts_.report.fail(outcome.failure());
}

// The point at which a run has ended early, where there are values.
void Run::record_end() {
  if (bdf_ != nullptr || stepper().is_expanded())
    parts_.rows.recorder().record_end(now(), view().values(now()));
}

// The first passes after initialization: ticks that are due at the start, and what changes because
// initial() is over.
Outcome<Done> Run::process_start() {
  const double t = settings_.start;
  const HybridState& state = run_.state;
  Cause start;
  start.is_time_event = true;
  start.relations = start_conflict_;
  for (std::size_t k : start.relations) start.left_guards[k] = 0;
  const auto ticks = tick_data_.evaluate(view().at(t));
  for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k)
    if (is_tick(ticks[2 * k], ticks[2 * k + 1], t)) start.ticks.insert(k);
  SwitchTable table(hybrid_);
  table.fill({state.switches, state.discrete, state.discrete, state.pieces, &start.ticks});
  const StateView ticking{state, view().solution, table.numbers()};
  const DiscreteOutcome outcome = parts_.discrete_part.evaluate(ticking.at(t), state.conditions);
  const bool has_event = outcome.values != state.discrete ||
                         outcome.conditions != state.conditions || !outcome.reinits.empty() ||
                         has_violated_contact(hybrid_, state.switches.bits) ||
                         !start.relations.empty() || has_other_equations();
  if (has_event) return process_event(t, std::move(start));
  if (!hybrid_.contacts().empty())
    parts_.contacts.warn_of_other_continuations(view(), run_.solution, t);
  return Done{};
}

// Behind the initialization initial() is false, and pre(v) is v: the equations may be others.
bool Run::has_other_equations() {
  if (!has_series_) return false;
  const ModeSelector::Selected selected =
      parts_.selector.select(settings_.start, content_of(run_.state), run_.state.holds);
  return &selected.mode != &mode() || !run_.solution->is_loaded_with(selected.numbers);
}

// The pass in which terminal() is true.
Outcome<Done> Run::process_end() {
  const double t = now();
  const auto evaluate = [&] {
    const StateView here = view();
    Instant end = here.at(t);
    end.is_terminal = true;
    return parts_.discrete_part.evaluate(end, run_.state.conditions);
  };
  DiscreteOutcome outcome = evaluate();
  if (outcome.values == run_.state.discrete && outcome.conditions == run_.state.conditions)
    return Done{};
  // The series at hand are those of the last step.
  if (bdf_ == nullptr && stepper().expand(beyond(t))) outcome = evaluate();
  if (outcome.values != run_.state.discrete) {
    run_.state.discrete = outcome.values;
    parts_.rows.record(view(), t);
  }
  if (outcome.failed_assertion == nullptr) return Done{};
  return Failure{Status::kAssertionFailed, fmt::format("assertion at t = {:.10g}: {}", t,
                                                       outcome.texts.at(outcome.failed_assertion))};
}

Outcome<Done> Run::process_event(double t, Cause cause) {
  watch_.reset();
  stiffness_.forget();
  return events_.process(t, std::move(cause));
}

// One step: to the end of the series, to a time event, or to the first root of a guard.
Outcome<Done> Run::step() {
  Cause cause;
  const double limit = next_time_event(view(), settings_.stop, cause);
  if (!stepper().expand(limit))
    return go_on_by_bdf(expansion_failure(hybrid_.model(), *run_.solution));
  watch_.observe(stepper().expansion());
  if (watch_.is_reached())
    return go_on_by_bdf({Status::kSingularity,
                         fmt::format("simulation stopped at t = {:.10g}: the solution ends here",
                                     stepper().time())});
  keep_before_singularity();
  keep_guards_accurate();
  Cause state_cause;
  auto t = find_event(state_cause);
  // The end of a step may be right where its middle is not: a diode that conducts in between.
  while (t && !stepper().confirm(*t)) {
    state_cause = {};
    t = find_event(state_cause);
  }
  if (t) return step_to_event(*t, std::move(state_cause), limit, cause);
  if (!stepper().settle()) return go_on_by_bdf(expansion_failure(hybrid_.model(), *run_.solution));
  const double reach = stepper().reach();
  parts_.rows.record_until(view(), reach);
  if (auto met = check_assertions(reach); !met) return met;
  if (reach == limit && cause.is_time_event) return process_event(reach, std::move(cause));
  parts_.delays.extend(*run_.solution, reach, run_.state);
  run_.state.last_step = std::abs(reach - stepper().time());
  if (reach != limit && is_held_up_by_stiffness()) return Done{};
  stepper().advance(reach);
  run_.state.guards.known_zeros.clear();
  return Done{};
}

Outcome<Done> Run::step_to_event(double t, Cause cause, double limit, const Cause& at_limit) {
  // A root that cannot be told apart from a time event happens there.
  if (at_limit.is_time_event && stepper().reach() == limit &&
      (std::abs(t - limit) <= cause.uncertainty || is_same_time(t, limit))) {
    t = limit;
    cause.relations.insert(at_limit.relations.begin(), at_limit.relations.end());
    cause.ticks = at_limit.ticks;
    cause.is_time_event = true;
    cause.is_silent = cause.is_silent && at_limit.is_silent;
  }
  parts_.rows.record_until(view(), t);
  if (auto done = process_event(t, std::move(cause)); !done) return done;
  if (auto done = events_.close_accumulation(); !done) return done;
  return check_assertions(t);
}

// After every step, events included.
Outcome<Done> Run::report_progress(double t) {
  show_time(parts_.options, t);
  if (!parts_.options.progress || parts_.options.progress(t)) return Done{};
  if (bdf_ == nullptr && !stepper().is_expanded()) stepper().expand(settings_.stop);
  return Failure{Status::kCancelled, fmt::format("cancelled at t = {}", t)};
}

// The next time at which a tick is due or a guard that is affine in time vanishes, exactly.
double Run::next_time_event(const StateView& view, double limit, Cause& cause) {
  const double now = view.time(), direction = settings_.direction();
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
    const auto values = tick_data_.evaluate(view.at(now));
    for (std::size_t k = 0; k < hybrid_.ticks().size(); ++k) {
      const auto t = next_tick(values[2 * k], values[2 * k + 1], now, direction);
      if (t && consider(*t)) cause.ticks.insert(k);
    }
  }
  if (!time_relations_.empty()) {
    Instant at_zero = view.at(now);
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
  cause.is_silent = cause.ticks.empty() && are_silent(hybrid_, cause.relations);
  for (std::size_t k : cause.relations) cause.left_guards[k] = 0;
  return next;
}

void Run::remember_sizes(std::size_t relation) {
  const auto series = stepper().output_series(static_cast<int>(relation));
  std::vector<double>& sizes = run_.state.guards.sizes[relation];
  sizes.resize(std::max(sizes.size(), series.size()), 0.0);
  const double scale = std::abs(stepper().expansion().scale());
  double power = 1;
  for (std::size_t n = 0; n < series.size(); ++n, power /= scale)
    sizes[n] = std::max(sizes[n], std::abs(series[n]) * power);
}

// Output k of the program as a polynomial over the step.
poly::Guard Run::guard_over_step(std::size_t output) {
  const double ratio = (stepper().reach() - stepper().time()) / stepper().expansion().scale();
  const auto series = stepper().output_series(static_cast<int>(output));
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
      output < run_.state.guards.known_zeros.size() ? run_.state.guards.known_zeros[output] : 0;
  if (is_share(mode(), output)) guard.remainder += kShareNoise;
  if (output >= hybrid_.relations().size()) return guard;
  const double size =
      run_.state.guards.sizes[output].empty() ? 0.0 : run_.state.guards.sizes[output][0];
  guard.remainder += kGuardNoise * size + 2 * run_.state.guards.residues[output];
  guard.held_sign = hybrid_.relations()[output].held_sign(run_.state.switches.bits[output]);
  if (parts_.signs.is_dormant(*run_.solution, run_.state.guards,
                              output)) {  // it switches when it counts
    guard_series_[output][0] += 2 * guard.held_sign * parts_.signs.smallest(output);
    guard.num_known_zeros = 0;
  }
  return guard;
}

// Outputs whose roots matter: guards, exits of sliding, square roots.
const std::vector<std::size_t>& Run::find_watched_outputs() {
  const std::size_t n = hybrid_.relations().size();
  const std::size_t num_exits = 2 * mode().holds.size();
  const std::size_t first_root = n + num_exits + hybrid_.delays().size();
  watched_.clear();
  for (std::size_t k = 0; k < n; ++k)
    if (!hybrid_.relations()[k].is_time_only && hybrid_.relations()[k].is_watched &&
        !is_held_in(mode().holds, hybrid_.surface_of(k)))
      watched_.push_back(k);
  for (std::size_t k = 0; k < num_exits; ++k) watched_.push_back(n + k);
  for (std::size_t k = 0; k < mode().roots.size(); ++k) watched_.push_back(first_root + k);
  return watched_;
}

// Beyond a singularity a series says nothing, and what is consistent there is another solution.
void Run::keep_before_singularity() {
  const double t = stepper().time(), step = stepper().reach() - t;
  const double longest = kBeforeSingularity * watch_.distance();
  if (std::abs(step) > longest) stepper().shorten(t + std::copysign(longest, step));
}

// A step that is short enough for the solution may be too long for the series of a guard.
void Run::keep_guards_accurate() {
  const double t = stepper().time(), step = stepper().reach() - t;
  const double ratio = step / stepper().expansion().scale();
  double share = 1;
  for (std::size_t k : find_watched_outputs()) {
    const auto series = stepper().output_series(static_cast<int>(k));
    if (series.size() < 3) continue;
    double power = 1, size = 0, last = 0, tail = 0;
    for (double coefficient : series) {
      const double term = std::abs(coefficient) * power;
      tail = last + term;
      last = term;
      size += term;
      power *= std::abs(ratio);
    }
    const double smallest = k < hybrid_.relations().size() ? parts_.signs.smallest(k) : 0;
    const double allowed = std::max(settings_.rtol * size, 1e-3 * smallest);
    if (tail > allowed)
      share =
          std::min(share, std::pow(allowed / tail, 1.0 / (static_cast<double>(series.size()) - 2)));
  }
  if (share < 1) stepper().shorten(t + share * step);
}

std::optional<double> Run::find_event(Cause& cause) {
  const std::size_t n = hybrid_.relations().size();
  const std::size_t first_root = n + 2 * mode().holds.size() + hybrid_.delays().size();
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
  const double t = stepper().time(), reach = stepper().reach();
  const auto add = [&](const poly::GuardRoot& root) {
    const std::size_t output = watched[static_cast<std::size_t>(root.guard)];
    if (output >= n) return;
    cause.relations.insert(output);
    if (parts_.signs.is_dormant(*run_.solution, run_.state.guards, output))
      cause.woken.insert(output);
    cause.left_guards[output] = guards_[static_cast<std::size_t>(root.guard)].remainder;
    cause.uncertainty = std::max(cause.uncertainty, root.root.uncertainty() * std::abs(reach - t));
    const double speed = std::abs(slope(guard_series_[output], root.root.tau) / (reach - t));
    cause.time_error =
        std::max(cause.time_error, settings_.rtol * run_.state.guards.sizes[output][0] / speed);
  };
  bool has_root_of_square = false;
  for (const poly::GuardRoot& root : event.guards) {
    const std::size_t output = watched[static_cast<std::size_t>(root.guard)];
    add(root);
    has_root_of_square = has_root_of_square || output >= first_root;
    if (mode().layout.is_exit(output))
      cause.exits.push_back(surface_and_side(mode().holds, mode().layout.exit_of(output)));
  }
  // Where a square root vanishes, what touches zero with it switches.
  if (has_root_of_square)
    for (const poly::GuardRoot& touch : event.grazing)
      if (touch.root.upper >= event.tau) add(touch);
  cause.is_silent = are_silent(hybrid_, cause.relations) && cause.exits.empty();
  return event.tau >= 1 ? reach : t + event.tau * (reach - t);
}

// A guard that touches zero and turns back: whether it has crossed is not known.
void Run::note_grazing(std::size_t relation, double tau) {
  if (hybrid_.relations()[relation].is_silent || !grazed_.insert(relation).second) return;
  const double t = stepper().time() + tau * (stepper().reach() - stepper().time());
  parts_.report.warn(
      fmt::format("grazing at t = {:.10g}: `{}` touches its limit and was not switched", t,
                  hybrid_.relations()[relation].text));
}

Outcome<Done> Run::check_assertions(double t) {
  if (hybrid_.assertions().empty()) return Done{};
  const auto truths = assertions_.evaluate(view().at(t));
  for (std::size_t k = 0; k < truths.size(); ++k) {
    if (truths[k] == 1.0) continue;
    const Assertion& assertion = *hybrid_.assertions()[k].second;
    const std::string text = fmt::format("assertion at t = {:.10g}: {}", t,
                                         message_at(hybrid_, assertion.message, view().at(t)));
    if (!assertion.is_warning) return Failure{Status::kAssertionFailed, text};
    parts_.report.warn_once(text);
  }
  return Done{};
}

}  // namespace hydae
