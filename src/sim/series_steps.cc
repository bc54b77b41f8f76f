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
  if (auto expanded = parts_.overlap.expand(active_.committed(), next.t); !expanded)
    return give_up(std::move(expanded).failure());
  integrate::TaylorStepper& stepper = active_.stepper();
  constraints_.measure(*run.solution, run.table.numbers());
  choice_.singularity().observe(stepper.expansion());
  if (choice_.singularity().is_reached())
    return give_up(
        {Status::kSingularity,
         fmt::format("simulation stopped at t = {:.10g}: the solution ends here", stepper.time())});
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
