#include "sim/method_choice.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hydae {
namespace {

constexpr double kTightestForBdf = 1e-10;  // below, formulas of order five need too many steps
constexpr double kWorthwhileSteps = 200;   // that are left
// Of the order: steps times eigenvalue. Taylor methods are stable up to about 0.4 of it.
constexpr double kPartOfOrder = 0.1;
constexpr double kStrengthOfPole = 0.1;  // of a pole the terms are as large as the value

// There may be a solution although there are no series: nothing over nothing, a root that begins or
// ends.
bool is_curable(const Failure& failure) {
  return failure.status == Status::kSingularity || failure.status == Status::kUndefinedFunction ||
         failure.status == Status::kNotConverged || failure.status == Status::kStepTooSmall;
}

}  // namespace

MethodChoice::MethodChoice(RunParts& parts, ActiveSolution& active)
    : parts_(parts), active_(active), choice_(choose_solver(parts.model, parts.options)) {}

// Where signals are delayed the first step behind an event is one of the series: it often reaches
// the end of the piece of the past that is read, where BDF would begin anew with its shortest
// steps, and leave as many pieces to the next round.
bool MethodChoice::is_turn_of_bdf() {
  if (!choice_.uses_bdf || active_.bdf() != nullptr) return choice_.uses_bdf;
  if (active_.mode().prepared.system.unknowns.empty()) return false;
  if (parts_.overlap.is_near(active_.committed(), parts_.settings.stop)) return false;
  const std::vector<int>& zeros = active_.state().guards.known_zeros;
  if (!parts_.delays.empty() && !zeros.empty()) return false;
  if (series_until_ && (*series_until_ - active_.time()) * parts_.settings.direction() > 0)
    return false;
  return std::all_of(zeros.begin(), zeros.end(), [](int count) { return count == 0; });
}

bool MethodChoice::is_left_to_run() const {
  return !choice_.uses_bdf && parts_.options.solver == Solver::kAuto;
}

bool MethodChoice::is_held_up_by_stiffness() {
  if (!is_left_to_run() || parts_.options.max_step || parts_.settings.rtol < kTightestForBdf)
    return false;
  if (active_.stepper().program().num_state() == 0) return false;
  if (!is_slowed_by_stiffness()) return false;
  const double t = active_.stepper().time(), left = std::abs(parts_.settings.stop - t);
  if (left < kWorthwhileSteps * stiffness_.mean_step()) return false;
  choice_.uses_bdf = true;
  Summary& summary = parts_.report.summary();
  summary.solver = "ida";
  summary.solver_choice = fmt::format(
      "stiff at t = {:.6g}: the Taylor method takes steps of {:.2g} where the solution is smooth; "
      "ida from there on",
      t, stiffness_.mean_step());
  return true;
}

// Steps are short, the solution is smooth, and it is the equations that know a motion which is as
// fast as the steps: a pulse in time shortens steps as well, and no motion belongs to it.
bool MethodChoice::is_slowed_by_stiffness() {
  observe_stiffness();
  if (!stiffness_.is_held_up()) return false;
  const integrate::TaylorStepper& stepper = active_.stepper();
  const double rate = fastest_.rate(stepper, active_.committed().table.numbers(), tolerances_);
  if (rate * stiffness_.mean_step() > kPartOfOrder * stepper.order()) return true;
  stiffness_.forget();
  return false;
}

void MethodChoice::observe_stiffness() {
  const integrate::TaylorStepper& stepper = active_.stepper();
  const codegen::Program& program = stepper.program();
  const auto state = stepper.state().first(static_cast<std::size_t>(program.num_state()));
  tolerances_.resize(state.size());
  const std::vector<double>& atol = parts_.workspaces.atol();
  for (std::size_t e = 0; e < state.size(); ++e) {
    const auto column = static_cast<std::size_t>(program.entries()[e].variable);
    tolerances_[e] = (column < atol.size() ? atol[column] : parts_.settings.atol) +
                     parts_.settings.rtol * std::abs(state[e]);
  }
  stiffness_.observe(stepper.time(), state, tolerances_);
}

Outcome<Done> MethodChoice::go_on_by_bdf(Failure failure) {
  if (!is_left_to_run() || !is_curable(failure) || !active_.stepper().is_expanded() ||
      active_.mode().prepared.system.unknowns.empty())
    return failure;
  if (const auto forecast = singularity_.forecast(); forecast && is_pole_of_state(*forecast))
    return failure;
  Summary& summary = parts_.report.summary();
  summary.solver = "ida";
  summary.solver_choice = fmt::format("the series end at t = {:.10g} ({}); ida from there on",
                                      active_.stepper().time(), name_of(failure.status));
  choice_.uses_bdf = true;
  end_of_series_ = std::move(failure);
  return Done{};
}

// There is no solution beyond: a state becomes infinite, or the equations singular.
bool MethodChoice::is_pole_of_state(const SingularityWatch::Forecast& forecast) const {
  const auto entries = active_.stepper().program().entries();
  const bool is_state = std::ranges::any_of(
      entries, [&](const codegen::JetEntry& entry) { return entry.variable == forecast.variable; });
  return is_state || (forecast.exponent >= 0 && !(forecast.strength < kStrengthOfPole));
}

void MethodChoice::forget() {
  singularity_.reset();
  stiffness_.forget();
}

void MethodChoice::resume(const HybridState& state) {
  if (parts_.options.solver == Solver::kAuto && choice_.has_series)
    choice_.uses_bdf = choice_.uses_bdf || state.uses_bdf;
  singularity_ = {};
  stiffness_.forget();
  series_until_.reset();
}

}  // namespace hydae
