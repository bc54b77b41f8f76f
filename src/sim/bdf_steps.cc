#include "sim/bdf_steps.h"

#include <algorithm>
#include <cmath>

namespace hydae {
namespace {

constexpr int kMostDoublingsOfRescue = 10;  // of what the series take over where BDF fails

}  // namespace

Outcome<Step> BdfSteps::advance(TimeEvent next) {
  if (active_.bdf() == nullptr)
    if (auto begun = active_.start_bdf(); !begun) return std::move(begun).failure();
  BdfSolver& bdf = *active_.bdf();
  const double from = bdf.time();
  if (bdf.step(next.t) == BdfSolver::Status::kFailed) {
    if (bdf.failure_status() == name_of(Status::kUndefinedFunction) && can_be_rescued())
      return Step{Step::End::kHandOver, from, bdf.time()};
    return failure_after(from);
  }
  meet_values();
  if (choice_.has_series())  // else nothing is watched
    if (std::optional<Step> ended = look_at_guards(from)) return *std::move(ended);
  if (bdf.time() == next.t && next.cause.is_time_event)
    return Step{Step::End::kTimeEvent, from, next.t, std::move(next.cause)};
  return Step{is_held_up() ? Step::End::kHandOver : Step::End::kPlain, from, bdf.time()};
}

// By the border of what is defined: no step reaches it, and the series can do so.
bool BdfSteps::is_held_up() {
  const BdfSolver& bdf = *active_.bdf();
  const double step = std::abs(bdf.last_step());
  const bool is_shorter = step < last_step_;
  last_step_ = step;
  return bdf.has_met_undefined() && is_shorter && can_be_rescued();
}

// In front of an event BDF may find nothing to step on: behind it the equations are not defined.
// The series go up to it, and a few steps further; where BDF fails again and again, for longer each
// time.
bool BdfSteps::can_be_rescued() {
  constexpr double kSteps = 8;  // of the series, to begin with
  const double t = active_.bdf()->time();
  if (!choice_.has_series() || choice_.end_of_series() || t == rescued_at_) return false;
  const double reach = active_.reach_of_series(t);
  if (reach == 0) return false;
  rescued_at_ = t;
  const double length =
      std::ldexp(kSteps * reach, std::min(num_rescues_++, kMostDoublingsOfRescue));
  choice_.leave_to_series(t + parts_.settings.direction() * length);
  return true;
}

// What lies before the place where it failed, a pole that no state feels, is good.
Failure BdfSteps::failure_after(double from) {
  const BdfSolver& bdf = *active_.bdf();
  if (bdf.time() != from) parts_.rows.record_until(active_.view(), bdf.time());
  if (choice_.end_of_series()) return *choice_.end_of_series();
  return failure_named(bdf.failure_status(), Status::kNotConverged, bdf.failure_message());
}

// What absolute tolerances are relative to.
void BdfSteps::meet_values() {
  active_.bdf()->visit_values(
      [this](VarId column, double value) { parts_.workspaces.scales().meet(column, value); });
}

// A step that ends earlier: at an event, or where the series take over. As far as it counts it
// becomes past.
std::optional<Step> BdfSteps::look_at_guards(double from) {
  BdfSolver& bdf = *active_.bdf();
  HybridState& state = active_.state();
  const CompiledMode& mode = active_.mode();
  const double step = bdf.time() - from;
  StepOutputs& outputs = bdf.outputs_over_step(from);
  const std::optional<Suspicion> part = guards_.find_suspicion(outputs, mode, state);
  const bool is_for_series = part && can_be_handed_over(from, *part);
  auto event =
      part && !is_for_series ? guards_.crossing_by_bdf(outputs, mode, state) : std::nullopt;
  const double until = is_for_series ? part->from : event ? (event->t - from) / step : 1;
  parts_.delays.extend(outputs, mode, {until, parts_.settings.rtol}, state);
  if (event) return Step{Step::End::kCrossing, from, event->t, std::move(event->cause)};
  if (!is_for_series) return std::nullopt;
  choice_.leave_to_series(from + part->until * step);
  return Step{Step::End::kHandOver, from, from + part->from * step};
}

// Whether the series get through this part of the step in a few of their own. Where they are held
// up by stiffness, the event is where BDF has it: both know it as well as the tolerance says.
bool BdfSteps::can_be_handed_over(double from, const Suspicion& part) {
  constexpr double kMostSteps = 20;
  const double step = active_.bdf()->time() - from;
  const double reach = active_.reach_of_series(from + part.from * step);
  return std::abs((part.until - part.from) * step) <= kMostSteps * reach;
}

Outcome<Done> BdfSteps::accept(const Step& step) {
  return step.end == Step::End::kPlain ? Done{} : active_.end_bdf(step.t);
}

}  // namespace hydae
