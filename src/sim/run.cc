#include "sim/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include <hydae/error.h>

#include "base/timer.h"
#include "sim/activity.h"
#include "sim/run_start.h"
#include "sim/run_summary.h"

namespace hydae {

Run::Run(RunModel model, const SimulateOptions& options)
    : parts_(std::move(model), options),
      settings_(parts_.settings),
      active_(parts_),
      choice_(parts_, active_),
      instants_(parts_, active_, choice_),
      guards_(parts_.model, settings_.rtol, parts_.signs, parts_.outputs, parts_.report),
      series_(parts_, active_, choice_, guards_),
      bdf_(parts_, active_, choice_, guards_),
      checkpoints_(parts_, active_, choice_) {
  guards_.set_certified(options.rules.events == EventGrade::kCertified);
}

// --- the loop
// ----------------------------------------------------------------------------------------------

void Run::integrate() {
  const double stop = settings_.stop;
  if (parts_.options.state.save) parts_.settings.stop = parts_.options.state.save_at.value_or(stop);
  Outcome<Done> outcome = begin();
  show(parts_.options, "integrating");
  while (outcome && !is_at_end()) {
    outcome = step();
    if (outcome) outcome = report_progress();
  }
  // An event that could not be dealt with is ahead of the solution.
  const double t = time(), ahead = (parts_.report.summary().t_end - t) * settings_.direction();
  if (outcome || ahead < 0) parts_.report.reach(t);
  if (t != settings_.stop && active_.has_values())
    parts_.rows.recorder().record_end(t, active_.view().values(t));
  if (outcome)
    outcome = end(stop);
  else
    save_what_was_reached(outcome.failure());
  if (active_.has_values()) parts_.rows.end_at(active_.view(), time());
  if (!outcome) parts_.report.fail(outcome.failure());
}

// One step: as far as the method comes, to a time event, or to the first root of a guard.
Outcome<Done> Run::step() {
  StepMethod& method =
      choice_.is_turn_of_bdf() ? static_cast<StepMethod&>(bdf_) : static_cast<StepMethod&>(series_);
  Outcome<Step> step = method.advance(parts_.times.next(active_.view(), settings_.stop));
  if (!step) return std::move(step).failure();
  if (step->end == Step::End::kNone) return Done{};
  if (auto followed = follow(*step); !followed) return followed;
  if (auto accepted = method.accept(*step); !accepted || !step->has_event()) return accepted;
  return settle(*std::move(step));
}

// Rows and checks along a step that is certain. A guard says where the solution ceases to be what
// the mode stands for: there only what the event makes of it is checked.
Outcome<Done> Run::follow(const Step& step) {
  const StateView view = active_.view();
  for (double t : parts_.checks.times_inside(step.from, step.t)) {
    if (auto held = parts_.checks.check_implied(view, view.at(t)); !held) return held;
    parts_.rows.record_until(view, t);
  }
  parts_.rows.record_until(view, step.t);
  return step.end == Step::End::kCrossing ? Done{} : parts_.checks.check(view, step.t);
}

// Locate, choose mode, restart: the event at the end of a step.
Outcome<Done> Run::settle(Step step) {
  if (auto done = instants_.process(step.t, std::move(step.cause)); !done) return done;
  if (step.end == Step::End::kCrossing)
    if (auto done = instants_.close_accumulation(); !done) return done;
  return parts_.checks.check(active_.view(), time());
}

// At the start of the run, or where a state was saved.
Outcome<Done> Run::begin() {
  if (checkpoints_.leave()) {
    parts_.rows.begin_at(active_.view(), time());
    return take_inputs();
  }
  parts_.rows.record_until(active_.view(), settings_.start);
  return instants_.begin(start_conflict_);
}

// The state is saved before terminal() is true: whoever goes on from it has not ended there.
Outcome<Done> Run::end(double stop) {
  if (parts_.options.state.save) {
    const Outcome<SavedState> saved = checkpoints_.save();
    if (!saved) return saved.failure();
    parts_.options.state.save(*saved);
  }
  return time() == stop || active_.state().is_terminated ? instants_.end() : Done{};
}

// Somebody has stopped the run between two steps: from there it can go on. Behind another failure
// there may be a half of an event.
void Run::save_what_was_reached(const Failure& failure) {
  const StateTransfer& transfer = parts_.options.state;
  if (failure.status != Status::kCancelled || !transfer.save || transfer.save_at) return;
  if (const Outcome<SavedState> saved = checkpoints_.save()) transfer.save(*saved);
}

// After every step, events included.
Outcome<Done> Run::report_progress() {
  const double t = time();
  show_time(parts_.options, t);
  if (!parts_.options.progress || parts_.options.progress(t)) return Done{};
  if (!active_.has_values()) active_.stepper().expand(settings_.stop);
  return Failure{Status::kCancelled, fmt::format("cancelled at t = {}", t)};
}

// --- as a whole
// ----------------------------------------------------------------------------------------------

Simulation Run::run() {
  Summary& summary = parts_.report.summary();
  summary.solver_choice = choice_.reason();
  summary.solver = choice_.uses_bdf() ? "ida" : "taylor";
  summary.tolerance = settings_.rtol;
  summary.atol = settings_.atol;
  summary.t_end = settings_.start;
  // Modes are made whenever they are met: that is not initialization or integration.
  const auto making = [this] {
    return parts_.modes.analysis_seconds() + parts_.modes.compile_seconds();
  };
  const Timer timer;
  show(parts_.options, "looking for a consistent initial point");
  const auto ready = parts_.options.state.resume
                         ? checkpoints_.restore(parts_.options.state.resume->content())
                         : initialize();
  if (!ready) parts_.report.fail(ready.failure());
  const double begun = timer.seconds(), made = making();
  summary.seconds["initialize"] = begun - made;
  if (summary.succeeded()) {
    integrate_safely();
    summary.seconds["integrate"] = timer.seconds() - begun - (making() - made);
  }
  summary.seconds["analyze"] = parts_.modes.analysis_seconds();
  summary.seconds["compile"] = parts_.modes.compile_seconds();
  summary.max_constraint_residual = series_.largest_constraint_residual();
  complete_summary(parts_, active_, choice_.singularity());
  summary.event_functions = guards_.functions();
  return {parts_.rows.recorder().take(), parts_.report.take()};
}

Outcome<Done> Run::initialize() {
  Outcome<std::set<std::size_t>> conflict = RunStart(parts_, active_).find(choice_);
  if (!conflict) return std::move(conflict).failure();
  start_conflict_ = *std::move(conflict);
  return Done{};
}

// A mode that turns out to be wrong in the middle of a run ends it: what was reached is kept.
void Run::integrate_safely() {
  try {
    integrate();
  } catch (const ModelError& error) {
    if (!active_.has_begun() || time() == settings_.start) throw;
    parts_.report.reach(time());
    parts_.report.fail(
        {Status::kIllPosedMode, fmt::format("simulation stopped at t = {:.10g}: {}", time(),
                                            error.diagnostics().items().front().message)});
  }
}

// --- in parts
// ----------------------------------------------------------------------------------------------

Outcome<Done> Run::start() {
  if (auto ready = initialize(); !ready) return ready;
  parts_.inputs.forget_due();  // they are part of the start
  return instants_.begin(start_conflict_);
}

// A run that is divided starts anew at each division, whether somebody has taken a snapshot there
// or not: then all continuations are the same.
Outcome<Done> Run::advance_to(double t) {
  if (t == time()) return Done{};
  parts_.settings.stop = t;
  if (!checkpoints_.is_fresh()) {
    Outcome<HybridState> here = snapshot();
    if (!here) return std::move(here).failure();
    if (auto resumed = resume(*std::move(here)); !resumed) return resumed;
  }
  checkpoints_.leave();
  Outcome<Done> outcome = Done{};
  do {
    while (outcome && !is_at_end()) outcome = step();
    // Series where it stands, for those who ask. They may show that the last step was too long.
    if (outcome && active_.bdf() == nullptr) outcome = active_.expand_here();
  } while (outcome && !is_at_end());
  return outcome;
}

Outcome<Done> Run::set_inputs(const std::map<std::size_t, double>& values) {
  for (const auto& [input, value] : values) parts_.inputs.set(input, value, active_.state());
  return active_.has_begun() ? take_inputs() : Done{};
}

// Inputs that somebody else has changed, by an event where the run stands.
Outcome<Done> Run::take_inputs() {
  if (!parts_.inputs.has_due()) return Done{};
  checkpoints_.leave();
  return instants_.take_inputs();
}

double Run::value(Leaf leaf) {
  const StateView here = active_.view();
  const auto& observed = parts_.model.observed().variables;
  const auto at = std::find_if(observed.begin(), observed.end(), [&](const ObservedVariable& seen) {
    return seen.variable == leaf.variable;
  });
  if (at == observed.end()) return here.value(leaf, time());
  return parts_.log.observed(time(),
                             here.values(time()))[static_cast<std::size_t>(at - observed.begin())];
}

}  // namespace hydae
