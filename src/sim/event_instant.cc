#include "sim/event_instant.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/derivative_name.h"

namespace hydae {
namespace {

constexpr int kMostPasses = 1000;
// How far an instant may be moved, in errors of its time: these are estimates.
constexpr double kFarthest = 10;
constexpr double kLastDigits = 1e-15;  // of a guard that was put to zero, relative to its size

template <class T>
bool has_no_mode(const Outcome<T>& settled) {
  return settled.has_failed_with(Status::kModeCycle) ||
         settled.has_failed_with(Status::kIllPosedMode) ||
         settled.has_failed_with(Status::kSingularJacobian) ||
         settled.has_failed_with(Status::kRestartFailed);
}

std::string leaf_name(const Model& model, Leaf leaf) {
  return derivative_name(model.all_variables()[leaf.variable].name, leaf.order);
}

}  // namespace

void accept_trial(const Trial& trial, Committed& run) {
  HybridState& state = run.state;
  state.switches = trial.choice.switches;
  state.pins = trial.choice.pins;
  state.discrete = trial.discrete.values;
  state.conditions = trial.discrete.conditions;
  state.guards.known_zeros = trial.reading.known_zeros;
  state.guards.residues = trial.reading.residues;
  run.solution = trial.solution;
  run.fill_table();
}

// Ticks are due in the first pass only.
EventPass EventInstant::pass_of(const Event& event) {
  return {event.t,
          run_.state,
          event.left,
          event.cause,
          event.pass == 0 ? &event.cause.ticks : nullptr,
          event.pass == 0,
          event.blends_memories,
          before_.get(),
          event.resets.empty() && !event.is_exact ? &guard_errors_ : nullptr};
}

// The switches as the event leaves them.
ModeChoice EventInstant::first_candidate(const Cause& cause) const {
  ModeChoice candidate = run_.state.choice();
  for (std::size_t k : cause.relations)
    if (!model_.relations()[k].is_bound) candidate.switches.bits[k].flip();
  for (const auto& [surface, side] : cause.exits) leave(model_, surface, side, candidate);
  return candidate;
}

// Passes that undo each other for ever are no solution: then memories follow what they read, and
// the solution may stay on a surface (docs/math/sliding.md).
Outcome<Done> EventInstant::settle(Event& event) {
  const Changed before{run_.state.choice(), run_.state.discrete, run_.state.conditions};
  before_ = run_.solution;
  const double t = event.t;
  guard_errors_.clear();
  Outcome<Done> settled = iterate(event);
  if (has_no_mode(settled) && event.t == t && settle_exactly(before, event)) return Done{};
  const bool goes_round = settled.has_failed_with(Status::kEventIteration) ||
                          settled.has_failed_with(Status::kModeCycle);
  if (!goes_round || event.cause.is_zeno || event.t != t) return settled;
  begin_again(before, event);
  event.blends_memories = true;
  return iterate(event) ? Outcome<Done>(Done{}) : settled;
}

void EventInstant::begin_again(const Changed& before, Event& event) {
  run_.state.switches = before.choice.switches;
  run_.state.pins = before.choice.pins;
  run_.state.discrete = before.discrete;
  run_.state.conditions = before.conditions;
  run_.solution = before_;
  run_.fill_table();
  guard_errors_.clear();
  event.left = left_limit(before_, event.t, model_.model().num_variables());
  event.impulses.clear();
  event.resets.clear();
  event.has_new_resets = false;
  event.tried_contacts.clear();
  event.pass = 0;
}

// Where no mode agrees with the instant as a step has located it, with the errors of that step: the
// instant at which a guard vanishes in the equations themselves. What vanishes with it (a current
// that begins to flow where a voltage has vanished, and its derivative) vanishes only there. If it
// is too far away, what the equations say of the guard here: it may not have come to its root yet.
bool EventInstant::settle_exactly(const Changed& before, Event& event) {
  const Cause cause = event.cause;
  const double t = event.t, direction = tools_.settings.direction();
  const double farthest = kFarthest * std::max(cause.uncertainty, cause.time_error);
  if (!before_ || !before_->stepper().is_expanded() || !model_.delays().empty()) return false;
  for (const std::size_t k : cause.relations) {
    const Relation& relation = model_.relations()[k];
    if (relation.is_time_only || relation.is_bound) continue;
    begin_again(before, event);
    const auto root = tools_.trials.exact_root(pass_of(event), before_, k, farthest);
    event.t = root.value_or(t);
    if ((event.t - tools_.next_time_event(*before_, event.t)) * direction > 0) event.t = t;
    event.cause.uncertainty = event.cause.time_error = 0;
    for (auto& [located, remainder] : event.cause.left_guards) remainder = 0;
    event.is_exact = true;
    begin_again(before, event);
    if ((event.t - t) * direction > 0) tools_.record_until(*before_, event.t);
    if (iterate(event)) return true;
    event.is_exact = false;
    event.t = t;
    event.cause = cause;
  }
  return false;
}

Outcome<Done> EventInstant::iterate(Event& event) {
  ModeChoice candidate = first_candidate(event.cause);
  std::set<Seen> seen;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    Outcome<PassResult> result = run_pass(candidate, event, seen);
    if (!result) return std::move(result).failure();
    if (result->is_last) return Done{};
    candidate = std::move(result->choice);
  }
  return Failure{Status::kEventIteration,
                 fmt::format("event at t = {:.10g}: the discrete part does not settle "
                             "within {} passes",
                             event.t, kMostPasses)};
}

// A mode for the values under pre() as they are, then what it sets off.
Outcome<EventInstant::PassResult> EventInstant::run_pass(const ModeChoice& candidate, Event& event,
                                                         std::set<Seen>& seen) {
  ModeSearch search(tools_.trials, pass_of(event));
  Outcome<Trial> trial = search.run(candidate);
  if (!trial)
    if (const auto conflict = gap_at(search, trial.failure(), candidate, event.cause))
      if (auto found = step_over(*conflict, event)) trial = *std::move(found);
  if (trial ? tools_.contacts.close_struck(*trial, run_.state, event)
            : has_no_mode(trial) && tools_.contacts.find_other_states(run_.state, event))
    return PassResult{candidate, false};
  if (!trial) return std::move(trial).failure();
  if (show_reset_guards(*trial, event)) return PassResult{trial->choice, false};
  const HybridState& state = run_.state;
  const bool has_changed =
      trial->discrete.values != state.discrete || trial->discrete.conditions != state.conditions;
  const std::vector<double> before = state.discrete;
  accept(*trial, event);
  if (const auto obeyed = obey_assertions(event.t, trial->discrete); !obeyed)
    return obeyed.failure();
  if (trial->is_undone) tools_.trials.rest(event.t, run_.view(), run_.state);
  const Outcome<bool> has_acted = act(trial->discrete, event);
  if (!has_acted) return has_acted.failure();
  if (!*has_acted && !trial->is_undone && !has_changed) return PassResult{{}, true};
  if (!*has_acted && !seen.emplace(state.switches.bits, state.discrete, state.conditions).second)
    return cycle_failure(event.t, before);
  return PassResult{trial->choice, false};
}

// A guard that reinit() has put to zero: its relations have their literal values at that point, as
// at the start of a run, and the change right behind it is an event of its own. Whether the
// discrete part has noticed.
bool EventInstant::show_reset_guards(const Trial& trial, Event& event) {
  if (!std::exchange(event.has_new_resets, false)) return false;
  HybridState& state = run_.state;
  ModeChoice literal = trial.choice;
  for (std::size_t k = 0; k < literal.switches.bits.size(); ++k) {
    const Relation& relation = model_.relations()[k];
    const bool was_zero = k < state.guards.known_zeros.size() && state.guards.known_zeros[k] > 0;
    if (relation.is_silent || relation.is_bound || relation.is_of_contact || was_zero) continue;
    const std::vector<double>& sizes = state.guards.sizes[k];
    const double rounding = sizes.empty() ? 0 : kLastDigits * sizes[0];
    if (trial.reading.known_zeros[k] > 0 &&
        state.switches.bits[k] == trial.choice.switches.bits[k] &&
        std::abs(trial.solution->output(k)[0]) <= rounding)
      literal.switches.bits[k] = relation.truth(0);
  }
  if (literal == trial.choice) return false;
  const std::vector<double> values = state.discrete;
  const std::vector<bool> conditions = state.conditions;
  return tools_.trials.rest_with(pass_of(event), literal, state) &&
         (state.discrete != values || state.conditions != conditions);
}

// What is undefined at the instant, and only there, behind a silent switch: one side, or both. A
// tank that fills from another one that fills has no series of its own before it holds something.
std::optional<ModeSearch::SilentConflict> EventInstant::gap_at(const ModeSearch& search,
                                                               const Failure& failure,
                                                               const ModeChoice& candidate,
                                                               const Cause& cause) const {
  const bool is_undefined = cause.is_silent && failure.status == Status::kUndefinedFunction;
  if (search.silent_conflict() || !is_undefined) return search.silent_conflict();
  return ModeSearch::SilentConflict{run_.state.switches, candidate.switches};
}

// A silent switch may lead to an expression that is undefined just there, such as sin(x)/x at 0,
// and only there. Then the solution before the switch serves for a moment: a small part of a step,
// in which a continuous expression does not change. It is made anew at the instant, or, where it is
// undefined there as well (x/abs(x)), it is the one that has led there.
std::optional<Trial> EventInstant::step_over(const ModeSearch::SilentConflict& conflict,
                                             Event& event) {
  const std::vector<PinnedGuard>& pins = run_.state.pins;
  const Outcome<Trial> same = tools_.trials.solve(pass_of(event), {conflict.from, pins});
  const SolutionPtr base = same ? same->solution : before_;
  if (!base || !base->stepper().is_expanded()) return std::nullopt;
  const double reach = base->stepper().reach();
  const double limit = same ? tools_.next_time_event(*base, reach) : reach;
  const double room = (limit - base->time()) * 0.5;
  const Cause none;
  for (double part : {1e-6, 1e-5, 1e-4, 1e-3}) {
    const double moment = event.t + part * room;
    if (moment == event.t) continue;
    const LeftLimit left = left_limit(base, moment, model_.model().num_variables());
    EventPass later = {moment, run_.state, left, none, pass_of(event).ticks};
    Outcome<Trial> found = ModeSearch(tools_.trials, later).run({conflict.wanted, pins});
    if (!found) continue;
    tools_.record_until(*base, moment);
    event.t = moment;
    event.is_stepped_over = true;
    return *std::move(found);
  }
  return std::nullopt;
}

void EventInstant::accept(const Trial& trial, Event& event) {
  for (const std::string& warning : trial.warnings)
    tools_.report.warn_once(fmt::format("event at t = {:.10g}: {}", event.t, warning));
  if (!trial.note.empty()) tools_.report.warn_once(trial.note);
  for (const ImpulseWeight& impulse : trial.impulses)
    add_impulse(model_.model(), trial.solution->mode().prepared.system.unknowns[impulse.column],
                impulse, event.impulses);
  accept_trial(trial, run_);
  ++event.pass;
}

// A failure if the run ends with an assertion.
Outcome<Done> EventInstant::obey_assertions(double t, const DiscreteOutcome& outcome) {
  if (outcome.failed_assertion != nullptr)
    return Failure{
        Status::kAssertionFailed,
        fmt::format("assertion at t = {:.10g}: {}", t, outcome.texts.at(outcome.failed_assertion))};
  for (const WhenAction* warning : outcome.warnings)
    tools_.report.warn(fmt::format("assertion at t = {:.10g}: {}", t, outcome.texts.at(warning)));
  if (outcome.terminate != nullptr && !run_.state.is_terminated) {
    run_.state.is_terminated = true;
    tools_.report.warn(
        fmt::format("terminated at t = {:.10g}: {}", t, outcome.texts.at(outcome.terminate)));
  }
  return Done{};
}

// Sets the left limits of the next pass: reinit(), impact laws, contacts. Whether any of them did
// something.
Outcome<bool> EventInstant::act(const DiscreteOutcome& outcome, Event& event) {
  remember_resets(outcome, event);
  event.has_new_resets = !outcome.reinits.empty();
  event.left = left_limit(run_.solution, event.t, model_.model().num_variables());
  for (const Reinit& reinit : outcome.reinits) {
    const std::string name = quoted(leaf_name(model_.model(), reinit.target));
    if (!std::isfinite(reinit.value))
      return Failure{Status::kUndefinedFunction,
                     fmt::format("event at t = {:.10g}: reinit() would make {} {}", event.t, name,
                                 std::isnan(reinit.value) ? "not a number" : "infinite")};
    for (const Reinit& other : outcome.reinits)
      if (other.target == reinit.target && other.value != reinit.value)
        return Failure{Status::kOverSpecifiedChange,
                       fmt::format("event at t = {:.10g}: two reinit() would make {} both {:.10g} "
                                   "and {:.10g}",
                                   event.t, name, other.value, reinit.value)};
    event.left.set(reinit.target, reinit.value);
    event.left.resets.emplace_back(reinit.target, reinit.value);
  }
  if (const auto applied = apply_impacts(outcome, event); !applied) return applied.failure();
  const Outcome<bool> has_contacts =
      tools_.contacts.respond(run_.view().at(event.t), run_.state, event);
  if (!has_contacts) return has_contacts.failure();
  return !outcome.reinits.empty() || !outcome.impacts.empty() || *has_contacts;
}

// Impact laws of when-clauses: they act on the left limits of the next pass, like reinit.
Outcome<Done> EventInstant::apply_impacts(const DiscreteOutcome& outcome, Event& event) {
  if (outcome.impacts.empty()) return Done{};
  run_.table.set_left_limits(event.left);
  RestartInput input =
      restart_input(model_, tools_.settings, event.t, event.left, run_.state.discrete);
  input.parameters = run_.table.numbers();
  const HybridState& state = run_.state;
  const CompiledMode& mode =
      tools_.selector.select(event.t, content_of(state), impulsive(state.pins)).mode;
  const ImpactResult result = tools_.impacts.solve(mode, outcome.impacts, input);
  if (!result.succeeded())
    return failure_named(result.status, Status::kImpactLaw,
                         fmt::format("event at t = {:.10g}: {}", event.t, result.message));
  for (const auto& [leaf, value] : result.right)
    if (leaf.variable.index() < model_.model().num_variables()) event.left.set(leaf, value);
  for (const auto& [variable, weight] : result.impulses)
    add_impulse(model_.model(), variable, weight, event.impulses);
  for (const std::string& warning : result.warnings)
    tools_.report.warn(fmt::format("event at t = {:.10g}: {}", event.t, warning));
  return Done{};
}

void EventInstant::remember_resets(const DiscreteOutcome& outcome, Event& event) const {
  for (const Reinit& reinit : outcome.reinits) event.resets.push_back(reinit.target.variable);
  for (std::size_t impact : outcome.impacts)
    for (VarId carrier : model_.impacts()[impact].carriers) event.resets.push_back(carrier);
}

// The passes of one instant have come back to where they were.
Failure EventInstant::cycle_failure(double t, const std::vector<double>& before) const {
  std::vector<std::string> names;
  for (VarId variable : model_.discrete_variables()) {
    const double now = run_.state.discrete[variable.index()];
    const std::string& name = model_.model().all_variables()[variable].name;
    if (std::isnan(now))  // it differs from itself
      return {Status::kUndefinedFunction,
              fmt::format("event at t = {:.10g}: {} is not a number", t, quoted(name))};
    if (now != before[variable.index()]) names.push_back(name);
  }
  return {Status::kEventIteration,
          fmt::format("event at t = {:.10g}: the discrete part goes round in circles and never "
                      "settles; still changing: {}",
                      t, quoted_list(names))};
}

}  // namespace hydae
