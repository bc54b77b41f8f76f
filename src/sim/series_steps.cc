#include "sim/series_steps.h"

#include <cmath>
#include <fmt/format.h>

#include "sim/expansion_failure.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

constexpr double kBeforeSingularity = 0.9;  // of the way

// A root that cannot be told apart from a time event happens there.
Crossing merged_with(const TimeEvent& next, Crossing crossing) {
  Cause& cause = crossing.cause;
  if (!next.cause.is_time_event ||
      (std::abs(crossing.t - next.t) > cause.uncertainty && !is_same_time(crossing.t, next.t)))
    return crossing;
  crossing.t = next.t;
  cause.relations.insert(next.cause.relations.begin(), next.cause.relations.end());
  cause.ticks = next.cause.ticks;
  cause.inputs = next.cause.inputs;
  cause.is_time_event = true;
  cause.is_silent = cause.is_silent && next.cause.is_silent;
  return crossing;
}

}  // namespace

Outcome<Step> SeriesSteps::advance(TimeEvent next) {
  const Committed& run = active_.committed();
  if (auto expanded = parts_.overlap.expand(active_.committed(), next.t); !expanded) {
    auto crossing = active_.stepper().is_step_too_small() ? crossing_at_once() : std::nullopt;
    if (crossing)
      return Step{Step::End::kCrossing, crossing->t, crossing->t, std::move(crossing->cause)};
    return give_up(std::move(expanded).failure());
  }
  integrate::TaylorStepper& stepper = active_.stepper();
  constraints_.measure(*run.solution, run.table.numbers());
  choice_.singularity().observe(stepper.expansion());
  if (choice_.singularity().is_reached())
    return choice_.singularity().is_passable() ? pass_singularity(next) : end_at_singularity();
  keep_before_singularity();
  Outcome<std::optional<Crossing>> found = find_crossing();
  if (!found) return std::move(found).failure();
  if (*found) {
    Crossing crossing =
        stepper.reach() == next.t ? merged_with(next, **std::move(found)) : **std::move(found);
    return Step{Step::End::kCrossing, stepper.time(), crossing.t, std::move(crossing.cause)};
  }
  if (!stepper.settle()) return give_up(expansion_failure(parts_.model.model(), *run.solution));
  const double from = stepper.time(), reach = stepper.reach();
  if (reach == next.t && next.cause.is_time_event)
    return Step{Step::End::kTimeEvent, from, reach, std::move(next.cause)};
  return Step{Step::End::kPlain, from, reach};
}

Outcome<Step> SeriesSteps::end_at_singularity() {
  return give_up({Status::kSingularity,
                  fmt::format("simulation stopped at t = {:.10g}: the solution ends here",
                              active_.stepper().time())});
}

// Just in front of a branch point, nearer than times can be told apart: what vanishes there does so
// here.
std::optional<Crossing> SeriesSteps::crossing_at_once() {
  const integrate::TaylorStepper& stepper = active_.stepper();
  if (!stepper.is_expanded()) return std::nullopt;
  Committed& run = active_.committed();
  return guards_.crossing_within(stepper.smallest_step(), *run.solution, run.table.numbers(),
                                 run.state);
}

// A branch point with values: the state is taken to just behind it by the series that end there,
// which miss it by a power 3/2 of the distance at least. If a guard changes there the equations are
// others; if not, they must have series again.
Outcome<Step> SeriesSteps::pass_singularity(TimeEvent& next) {
  constexpr double kBehind = 1.1;  // of the way
  integrate::TaylorStepper& stepper = active_.stepper();
  const double from = stepper.time(), way = kBehind * choice_.singularity().distance();
  const double direction = parts_.settings.direction();
  if (way < stepper.smallest_step()) {
    auto crossing = crossing_at_once();
    if (!crossing) return end_at_singularity();
    return Step{Step::End::kCrossing, from, from, std::move(crossing->cause)};
  }
  if ((next.t - from) * direction > way)
    stepper.shorten(from + direction * way);
  else
    stepper.shorten(next.t);
  Committed& run = active_.committed();
  auto found =
      guards_.find_crossing(*run.solution, run.table.numbers(), run.state, /*is_best=*/true);
  if (!found) return std::move(found).failure();
  choice_.singularity().reset();
  if (!*found) *found = guards_.crossing_at_end(*run.solution, run.table.numbers(), run.state);
  if (*found) return Step{Step::End::kCrossing, from, (*found)->t, std::move((*found)->cause)};
  if (stepper.reach() == next.t && next.cause.is_time_event)
    return Step{Step::End::kTimeEvent, from, next.t, std::move(next.cause)};
  return Step{Step::End::kPlain, from, stepper.reach()};
}

Outcome<Step> SeriesSteps::give_up(Failure failure) {
  const double t = active_.time();
  if (auto goes_on = choice_.go_on_by_bdf(std::move(failure)); !goes_on)
    return std::move(goes_on).failure();
  return Step{Step::End::kNone, t, t};
}

// Beyond a singularity a series says nothing, and what is consistent there is another solution.
void SeriesSteps::keep_before_singularity() {
  integrate::TaylorStepper& stepper = active_.stepper();
  const double t = stepper.time(), step = stepper.reach() - t;
  const double longest = kBeforeSingularity * choice_.singularity().distance();
  if (std::abs(step) > longest) stepper.shorten(t + std::copysign(longest, step));
}

// The end of a step may be right where its middle is not (a diode that conducts in between): an
// event counts only where the equations hold.
Outcome<std::optional<Crossing>> SeriesSteps::find_crossing() {
  Committed& run = active_.committed();
  const auto find = [&] {
    return guards_.find_crossing(*run.solution, run.table.numbers(), run.state);
  };
  auto found = find();
  while (found && *found && !active_.stepper().confirm((*found)->t)) found = find();
  return found;
}

// At an event the series stay where they are: they are its left limit.
Outcome<Done> SeriesSteps::accept(const Step& step) {
  if (step.has_event()) return Done{};
  active_.extend_histories(step.t);
  active_.state().last_step = std::abs(step.t - step.from);
  if (step.t != parts_.settings.stop && choice_.is_held_up_by_stiffness()) return Done{};
  Workspaces& workspaces = parts_.workspaces;
  TaylorSolution& solution = *active_.committed().solution;
  if (workspaces.scales().meet(solution, step.t)) workspaces.update_tolerances(solution);
  solution.stepper().advance(step.t);
  active_.state().guards.known_zeros.clear();
  return Done{};
}

}  // namespace hydae
