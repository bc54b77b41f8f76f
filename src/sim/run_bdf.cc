// BDF between events. Events belong to the Taylor method, whose series give all derivatives that
// the search for a mode and the restart ask for: where a guard, as a polynomial over a step of BDF,
// may vanish, the series take over shortly before, locate the event or find that there is none, and
// BDF starts again behind it.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sim/bdf_solver.h"
#include "sim/expansion_failure.h"
#include "sim/run.h"

namespace hydae {

double Run::now() const { return view().time(); }

// Not while the series have work to do, and not as long as guards start from zero. Where signals
// are delayed the first step behind an event is one of the series: it often reaches the end of the
// piece of the past that is read, where BDF would begin anew with its shortest steps, and leave as
// many pieces to the next round.
bool Run::is_turn_of_bdf() {
  if (!choice_.uses_bdf || bdf_ != nullptr) return choice_.uses_bdf;
  if (mode().prepared.system.unknowns.empty()) return false;
  if (parts_.overlap.is_near(run_, settings_.stop)) return false;
  if (!parts_.delays.empty() && !run_.state.guards.known_zeros.empty()) return false;
  if (taylor_until_ && (*taylor_until_ - now()) * settings_.direction() > 0) return false;
  return std::all_of(run_.state.guards.known_zeros.begin(), run_.state.guards.known_zeros.end(),
                     [](int count) { return count == 0; });
}

Outcome<Done> Run::begin_bdf() {
  if (!stepper().is_expanded() && !stepper().expand(settings_.stop))
    return expansion_failure(hybrid_.model(), *run_.solution);
  const double t = stepper().time();
  return start_bdf(mode(), t, [&](Leaf leaf) { return run_.view().value(leaf, t); });
}

Outcome<Done> Run::start_bdf(const CompiledMode& mode, double t,
                             const BdfSolver::LeafValue& value) {
  BdfSolver& solver = parts_.workspaces.bdf(mode);
  const auto held = [this](Leaf leaf) { return run_.state.discrete[leaf.variable.index()]; };
  if (!solver.start(t, value, {run_.table.numbers(), held, held}))
    return failure_named(solver.failure_status(), Status::kNotConverged, solver.failure_message());
  bdf_ = &solver;
  bdf_solution_.emplace(mode, solver);
  return Done{};
}

// The series at t. Where BDF has started they are at hand.
Outcome<Done> Run::end_bdf(double t) {
  BdfSolver& bdf = *bdf_;
  bdf_ = nullptr;
  if (t == bdf.start_time() && t == stepper().time()) return Done{};
  std::vector<double> state;
  const auto& d = mode().prepared.structure.offsets.d;
  for (const codegen::JetEntry& entry : mode().compiled.program->entries()) {
    const VarId column(static_cast<std::size_t>(entry.variable));
    state.push_back(entry.order <= d[column] ? bdf.value(column, entry.order, t)
                                             : std::numeric_limits<double>::quiet_NaN());
  }
  stepper().start(t, state, settings_.direction());
  if (stepper().expand(settings_.stop)) return Done{};
  return expansion_failure(hybrid_.model(), *run_.solution);
}

Outcome<Done> Run::step_bdf() {
  if (bdf_ == nullptr)
    if (auto begun = begin_bdf(); !begun) return begun;
  Cause cause;
  const double limit = next_time_event(view(), settings_.stop, cause), from = bdf_->time();
  if (bdf_->step(limit) == BdfSolver::Status::kFailed) {
    // What lies before the place where it failed, a pole that no state feels, is good.
    if (bdf_->time() != from) parts_.rows.record_until(view(), bdf_->time());
    return end_of_series_ ? *end_of_series_
                          : failure_named(bdf_->failure_status(), Status::kNotConverged,
                                          bdf_->failure_message());
  }
  const double t = bdf_->time();
  bdf_->visit_values(
      [this](VarId column, double value) { parts_.workspaces.scales().meet(column, value); });
  if (choice_.has_series) {  // else nothing is watched
    StepOutputs& outputs = bdf_->outputs_over_step(from);
    const auto part = guards_.find_suspicion(outputs, mode(), run_.state);
    const bool is_for_series = part && can_be_handed_over(from, *part);
    auto event = part && !is_for_series ? guards_.crossing_by_bdf(outputs, mode(), run_.state)
                                        : std::nullopt;
    const double until = is_for_series ? part->from : event ? (event->t - from) / (t - from) : 1;
    parts_.delays.extend(outputs, mode(), {until, settings_.rtol}, run_.state);
    if (is_for_series) return hand_over(from, *part);
    if (event) return end_bdf_by_event(*std::move(event));
  }
  if (auto held = check_implied_until(from, t); !held) return held;
  parts_.rows.record_until(view(), t);
  if (auto met = check_assertions(t); !met) return met;
  if (t == limit && cause.is_time_event) {
    if (auto ended = end_bdf(t); !ended) return ended;
    if (auto done = process_event(t, std::move(cause)); !done) return done;
    return check_assertions(t);
  }
  return Done{};
}

// Whether the series get through this part of the step in a few of their own. Where they are held
// up by stiffness, the event is where BDF has it: both know it as well as the tolerance says.
bool Run::can_be_handed_over(double from, const Suspicion& part) {
  constexpr double kMostSteps = 20;
  BdfSolver* const bdf = bdf_;
  const double step = bdf_->time() - from;
  const bool has_series = static_cast<bool>(end_bdf(from + part.from * step));
  const double reach = has_series ? std::abs(stepper().reach() - stepper().time()) : 0;
  bdf_ = bdf;
  return std::abs((part.until - part.from) * step) <= kMostSteps * reach;
}

Outcome<Done> Run::end_bdf_by_event(Crossing crossing) {
  parts_.rows.record_until(view(), crossing.t);
  if (auto met = check_assertions(crossing.t); !met) return met;
  if (auto ended = end_bdf(crossing.t); !ended) return ended;
  if (auto done = process_event(crossing.t, std::move(crossing.cause)); !done) return done;
  return events_.close_accumulation();
}

// To the series, for a part of the step that began at `from`.
Outcome<Done> Run::hand_over(double from, const Suspicion& part) {
  const double step = bdf_->time() - from, end = from + part.from * step;
  taylor_until_ = from + part.until * step;
  parts_.rows.record_until(view(), end);
  if (auto met = check_assertions(end); !met) return met;
  return end_bdf(end);
}

// --- auto
// ----------------------------------------------------------------------------------------------

// At the end of a step of the Taylor method that it has chosen itself, before it advances: then BDF
// takes over from the start of this step.
bool Run::is_held_up_by_stiffness() {
  constexpr double kTightest = 1e-10;  // below, formulas of order five need too many steps
  if (choice_.uses_bdf || parts_.options.solver != Solver::kAuto || parts_.options.max_step ||
      settings_.rtol < kTightest)
    return false;
  const codegen::Program& program = stepper().program();
  const auto state = stepper().state().first(static_cast<std::size_t>(program.num_state()));
  if (state.empty()) return false;
  tolerances_.resize(state.size());
  const std::vector<double>& atol = parts_.workspaces.atol();
  for (std::size_t e = 0; e < state.size(); ++e) {
    const auto column = static_cast<std::size_t>(program.entries()[e].variable);
    tolerances_[e] = (column < atol.size() ? atol[column] : settings_.atol) +
                     settings_.rtol * std::abs(state[e]);
  }
  const double t = stepper().time();
  stiffness_.observe(t, state, tolerances_);
  constexpr double kWorthwhile = 200;  // steps left
  const double left = std::abs(settings_.stop - t);
  if (!stiffness_.is_stiff() || left < kWorthwhile * stiffness_.mean_step()) return false;
  choice_.uses_bdf = true;
  parts_.report.summary().solver = "ida";
  parts_.report.summary().solver_choice = fmt::format(
      "stiff at t = {:.6g}: the Taylor method takes steps of {:.2g} where the solution is smooth; "
      "ida from there on",
      t, stiffness_.mean_step());
  return true;
}

// The Taylor method has given up. There may be a solution although there are no series: nothing
// over nothing, a root that begins or ends. There is none where a state becomes infinite or the
// equations singular.
Outcome<Done> Run::go_on_by_bdf(Failure failure) {
  const bool is_curable =
      failure.status == Status::kSingularity || failure.status == Status::kUndefinedFunction ||
      failure.status == Status::kNotConverged || failure.status == Status::kStepTooSmall;
  if (choice_.uses_bdf || parts_.options.solver != Solver::kAuto || !is_curable ||
      !stepper().is_expanded() || mode().prepared.system.unknowns.empty())
    return failure;
  if (const auto forecast = watch_.forecast()) {
    const auto entries = stepper().program().entries();
    const bool is_state = std::ranges::any_of(entries, [&](const codegen::JetEntry& entry) {
      return entry.variable == forecast->variable;
    });
    constexpr double kPole = 0.1;  // of a pole the terms are as large as the value
    if (is_state || (forecast->exponent >= 0 && !(forecast->strength < kPole))) return failure;
  }
  Summary& summary = parts_.report.summary();
  summary.solver = "ida";
  summary.solver_choice = fmt::format("the series end at t = {:.10g} ({}); ida from there on",
                                      stepper().time(), name_of(failure.status));
  choice_.uses_bdf = true;
  end_of_series_ = std::move(failure);
  return Done{};
}

}  // namespace hydae
