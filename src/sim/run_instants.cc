#include "sim/run_instants.h"

#include <fmt/format.h>

namespace hydae {

Outcome<Done> RunInstants::begin(const std::set<std::size_t>& conflict) {
  const double t = parts_.settings.start;
  parts_.contacts.exchange_guards(active_.view().at(t), active_.view().values(t), active_.state());
  if (auto met = parts_.checks.check_initially(active_.view(), t); !met) return met;
  Cause start = cause_of_start(conflict);
  if (has_event_at_start(start)) {
    if (auto done = process(t, std::move(start)); !done) return done;
  } else if (!parts_.model.contacts().empty()) {
    parts_.contacts.warn_of_other_continuations(active_.view(), active_.committed().solution, t);
  }
  return parts_.checks.check(active_.view(), t);
}

Cause RunInstants::cause_of_start(const std::set<std::size_t>& conflict) {
  Cause start;
  start.is_time_event = true;
  start.relations = conflict;
  for (std::size_t k : conflict) start.left_guards[k] = 0;
  start.ticks = parts_.times.ticks_at(active_.view(), parts_.settings.start);
  start.is_silent = !conflict.empty() && start.ticks.empty() && are_silent(parts_.model, conflict);
  return start;
}

bool RunInstants::has_event_at_start(const Cause& start) {
  if (!start.relations.empty()) return true;
  const HybridModel& model = parts_.model;
  const HybridState& state = active_.state();
  SwitchTable table(model);
  table.fill({state.switches, state.discrete, state.discrete, state.pieces, &start.ticks});
  const StateView ticking{state, active_.view().solution, table.numbers()};
  const DiscreteOutcome outcome =
      parts_.discrete_part.evaluate(ticking.at(parts_.settings.start), state.conditions);
  return outcome.values != state.discrete || outcome.conditions != state.conditions ||
         !outcome.reinits.empty() || has_violated_contact(model, state.switches.bits) ||
         has_other_equations();
}

bool RunInstants::is_other_mode(const ModeSelector::Selected& selected) const {
  return &selected.mode != &active_.mode() || !active_.series().is_loaded_with(selected.numbers);
}

// Behind the initialization initial() is false, and pre(v) is v: the equations may be others.
bool RunInstants::has_other_equations() {
  if (!choice_.has_series()) return false;
  const HybridState& state = active_.state();
  return is_other_mode(
      parts_.selector.select(parts_.settings.start, content_of(state), state.pins));
}

// Equations that are others where terminal() is true.
bool RunInstants::has_terminal_equations() {
  if (!choice_.has_series()) return false;
  const HybridState& state = active_.state();
  return is_other_mode(parts_.selector.select(
      active_.time(),
      {state.switches, state.discrete, state.discrete, state.pieces, nullptr, false, true},
      state.pins));
}

Outcome<Done> RunInstants::process(double t, Cause cause) {
  choice_.forget();
  active_.extend_histories(t);
  parts_.checks.check_bounds(active_.view(), t);
  Outcome<Done> done = events_.process(t, std::move(cause));
  if (done) done = parts_.checks.check_integers(active_.state(), t);
  if (done) return done;
  return parts_.checks.explained(std::move(done).failure(), active_.view(), active_.time());
}

Outcome<Done> RunInstants::take_inputs() {
  const double t = active_.time();
  if (auto ended = active_.bring_series(t); !ended) return ended;
  Cause cause;
  cause.is_time_event = true;
  cause.inputs = parts_.inputs.jumps_at(t, active_.state());
  cause.is_silent = cause.inputs.empty();
  if (auto done = process(t, std::move(cause)); !done) return done;
  return parts_.checks.check(active_.view(), t);
}

DiscreteOutcome RunInstants::last_values(double t) {
  const StateView here = active_.view();
  EvaluationContext end = here.at(t);
  end.is_terminal = true;
  return parts_.discrete_part.evaluate(end, active_.state().conditions);
}

Outcome<Done> RunInstants::end() {
  const double t = active_.time();
  HybridState& state = active_.state();
  if (has_terminal_equations()) {
    if (auto ended = active_.bring_series(t); !ended) return ended;
    if (!active_.expand_here()) return Done{};
    Cause end;
    end.is_terminal = true;
    return events_.process(t, std::move(end));
  }
  DiscreteOutcome outcome = last_values(t);
  if (outcome.values == state.discrete && outcome.conditions == state.conditions) return Done{};
  // The series at hand are those of the last step.
  if (active_.bdf() == nullptr && active_.expand_here()) outcome = last_values(t);
  if (outcome.values != state.discrete) {
    state.discrete = outcome.values;
    parts_.rows.record(active_.view(), t);
  }
  if (outcome.failed_assertion == nullptr) return Done{};
  return Failure{Status::kAssertionFailed, fmt::format("assertion at t = {:.10g}: {}", t,
                                                       outcome.texts.at(outcome.failed_assertion))};
}

}  // namespace hydae
