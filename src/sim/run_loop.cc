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
constexpr int kChecksPerStep = 8;           // of equations that were left out

}  // namespace

void Run::integrate() {
  const double stop = settings_.stop;
  if (parts_.options.state.save) parts_.settings.stop = parts_.options.state.save_at.value_or(stop);
  Outcome<Done> outcome = begin();
  show(parts_.options, "integrating");
  while (outcome && now() != settings_.stop && !run_.state.is_terminated) {
    outcome = is_turn_of_bdf() ? step_bdf() : step();
    if (outcome) outcome = report_progress(now());
  }
  // An event that could not be dealt with is ahead of the solution.
  const double ahead = (parts_.report.summary().t_end - now()) * settings_.direction();
  if (outcome || ahead < 0) parts_.report.reach(now());
  if (now() != settings_.stop) record_end();
  if (outcome) outcome = end(stop);
  if (bdf_ != nullptr || stepper().is_expanded()) parts_.rows.end_at(view(), now());
  if (!outcome) parts_.report.fail(outcome.failure());
}

// At the start of the run, or where a state was saved.
Outcome<Done> Run::begin() {
  if (is_resumed_) {
    is_resumed_ = false;
    parts_.rows.begin_at(view(), now());
    return take_inputs();
  }
  parts_.rows.record_until(view(), settings_.start);
  if (auto begun = process_start(); !begun) return begun;
  return check_assertions(settings_.start);
}

// The state is saved before terminal() is true: whoever goes on from it has not ended there.
Outcome<Done> Run::end(double stop) {
  if (parts_.options.state.save) {
    const Outcome<SavedState> saved = save();
    if (!saved) return saved.failure();
    parts_.options.state.save(*saved);
  }
  return now() == stop || run_.state.is_terminated ? process_end() : Done{};
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
  if (auto met = check_assertions(t, /*is_initial=*/true); !met) return met;
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
  if (!choice_.has_series) return false;
  const ModeSelector::Selected selected =
      parts_.selector.select(settings_.start, content_of(run_.state), run_.state.holds);
  return &selected.mode != &mode() || !run_.solution->is_loaded_with(selected.numbers);
}

// Equations that are others where terminal() is true.
bool Run::has_terminal_equations() {
  if (!choice_.has_series) return false;
  const HybridState& state = run_.state;
  const ModeSelector::Selected selected = parts_.selector.select(
      now(), {state.switches, state.discrete, state.discrete, state.pieces, nullptr, false, true},
      state.holds);
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
  if (has_terminal_equations()) {
    if (bdf_ != nullptr)
      if (auto ended = end_bdf(t); !ended) return ended;
    if (!stepper().expand(beyond(t))) return Done{};
    Cause end;
    end.is_terminal = true;
    return events_.process(t, std::move(end));
  }
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
  extend_histories(t);
  parts_.checks.bounds.check(view(), t);
  if (auto done = events_.process(t, std::move(cause)); !done) return done;
  return check_discrete(t);
}

// Integers are exact, or refused.
Outcome<Done> Run::check_discrete(double t) const {
  constexpr double kLargestInteger = 0x1p53;
  for (VarId id : hybrid_.discrete_variables()) {
    const Variable& variable = hybrid_.model().all_variables()[id];
    const double value = run_.state.discrete[id.index()];
    if (variable.kind == VariableKind::kInteger && !(std::abs(value) <= kLargestInteger))
      return Failure{
          Status::kOverflow,
          fmt::format("event at t = {:.10g}: the Integer {} becomes {:.17g}, beyond 2^53", t,
                      quoted(variable.name), value)};
  }
  return Done{};
}

// One step: to the end of the series, to a time event, or to the first root of a guard.
Outcome<Done> Run::step() {
  Cause cause;
  const double limit = next_time_event(view(), settings_.stop, cause);
  if (auto expanded = parts_.overlap.expand(run_, limit); !expanded)
    return go_on_by_bdf(expanded.failure());
  parts_.constraints.measure(*run_.solution, run_.table.numbers());
  watch_.observe(stepper().expansion());
  if (watch_.is_reached())
    return go_on_by_bdf({Status::kSingularity,
                         fmt::format("simulation stopped at t = {:.10g}: the solution ends here",
                                     stepper().time())});
  keep_before_singularity();
  const auto find = [this] {
    return guards_.find_crossing(*run_.solution, run_.table.numbers(), run_.state);
  };
  auto found = find();
  // The end of a step may be right where its middle is not: a diode that conducts in between.
  while (found && *found && !stepper().confirm((*found)->t)) found = find();
  if (!found) return found.failure();
  if (*found) return step_to_event((*found)->t, std::move((*found)->cause), limit, cause);
  if (!stepper().settle()) return go_on_by_bdf(expansion_failure(hybrid_.model(), *run_.solution));
  const double reach = stepper().reach();
  if (auto held = check_implied_until(stepper().time(), reach); !held) return held;
  parts_.rows.record_until(view(), reach);
  if (auto met = check_assertions(reach); !met) return met;
  if (reach == limit && cause.is_time_event) {
    if (auto done = process_event(reach, std::move(cause)); !done) return done;
    return check_assertions(reach);
  }
  extend_histories(reach);
  run_.state.last_step = std::abs(reach - stepper().time());
  if (reach != limit && is_held_up_by_stiffness()) return Done{};
  if (parts_.workspaces.scales().meet(*run_.solution, reach))
    parts_.workspaces.update_tolerances(*run_.solution);
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
    cause.inputs = at_limit.inputs;
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

// The next time at which a tick is due, a guard that is affine in time vanishes, or a piece of an
// input ends, exactly.
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
  bool has_new_piece = false;
  for (std::size_t k = 0; k < hybrid_.inputs().size(); ++k) {
    const double last = next;
    const bool is_next = consider(parts_.inputs.end_of(k, view.state));
    has_new_piece = is_next || (has_new_piece && next == last);
  }
  if (has_new_piece) cause.inputs = parts_.inputs.jumps_at(next, view.state);
  cause.is_time_event = has_new_piece || !cause.ticks.empty() || !cause.relations.empty();
  cause.is_silent =
      cause.ticks.empty() && cause.inputs.empty() && are_silent(hybrid_, cause.relations);
  for (std::size_t k : cause.relations) cause.left_guards[k] = 0;
  return next;
}

// Beyond a singularity a series says nothing, and what is consistent there is another solution.
void Run::keep_before_singularity() {
  const double t = stepper().time(), step = stepper().reach() - t;
  const double longest = kBeforeSingularity * watch_.distance();
  if (std::abs(step) > longest) stepper().shorten(t + std::copysign(longest, step));
}

// The step at hand, as far as it counts, becomes past.
void Run::extend_histories(double until) {
  if (parts_.delays.empty() || until == stepper().time()) return;
  StepOutputs& outputs = parts_.outputs.over_step(*run_.solution, run_.table.numbers());
  const double part = (until - stepper().time()) / (stepper().reach() - stepper().time());
  parts_.delays.extend(outputs, mode(), {part, settings_.rtol}, run_.state);
}

// A derivative by BDF has the error of its variable over the step.
Outcome<Done> Run::check_implied(double t) {
  const StateView here = view();
  const Instant now = here.at(t);
  const std::vector<double>& atol = parts_.workspaces.atol();
  const double step = bdf_ == nullptr ? 0 : std::abs(bdf_->last_step());
  return parts_.checks.implied.check(now, [&](Leaf leaf) {
    const auto column = mode().prepared.system.find_column(leaf.variable);
    const double absolute =
        column && column->index() < atol.size() ? atol[column->index()] : settings_.atol;
    double error = settings_.rtol * std::abs(now.continuous(leaf)) + absolute;
    if (leaf.order == 0 || step == 0) return error;
    const double value = std::abs(now.continuous({leaf.variable, 0}));
    return error + (settings_.rtol * value + absolute) / std::pow(step, leaf.order);
  });
}

// Also between the ends of a step, which may be as long as the run.
Outcome<Done> Run::check_implied_until(double from, double reach) {
  if (parts_.checks.implied.empty()) return Done{};
  for (int k = 1; k < kChecksPerStep; ++k) {
    const double t = from + (reach - from) * k / kChecksPerStep;
    if (auto held = check_implied(t); !held) return held;
    parts_.rows.record_until(view(), t);
  }
  return Done{};
}

Outcome<Done> Run::check_assertions(double t, bool is_initial) {
  parts_.checks.bounds.check(view(), t);
  if (!parts_.checks.implied.empty())
    if (auto held = check_implied(t); !held) return held;
  if (hybrid_.assertions().empty()) return Done{};
  const StateView here = view();
  Instant now = here.at(t);
  now.is_initial = is_initial;
  const auto truths = assertions_.evaluate(now);
  for (std::size_t k = 0; k < truths.size(); ++k) {
    if (truths[k] == 1.0) continue;
    const Assertion& assertion = *hybrid_.assertions()[k].second;
    const std::string text =
        fmt::format("assertion at t = {:.10g}: {}", t, message_at(hybrid_, assertion.message, now));
    if (!assertion.is_warning) return Failure{Status::kAssertionFailed, text};
    parts_.report.warn_once(text);
  }
  return Done{};
}

}  // namespace hydae
