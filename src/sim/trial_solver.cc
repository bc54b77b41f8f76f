#include "sim/trial_solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/expansion_failure.h"

namespace hydae {
namespace {

constexpr int kMostTrialRounds = 20;

// The state that a program starts from: what the restart has determined, and left limits as
// guesses for the rest.
std::vector<double> restarted_state(const CompiledMode& mode, const RestartInput& input,
                                    const RestartResult& restarted) {
  std::vector<double> state;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const auto variable = static_cast<std::size_t>(entry.variable);
    const auto order = static_cast<std::size_t>(entry.order);
    if (variable < restarted.right.size() && order < restarted.right[variable].size())
      state.push_back(restarted.right[variable][order]);
    else
      state.push_back(input.left({mode.prepared.system.unknowns[VarId(variable)], entry.order}));
  }
  return state;
}

}  // namespace

RestartInput restart_input(const HybridModel& model, const RunSettings& settings, double t,
                           const LeftLimit& left, const std::vector<double>& discrete) {
  RestartInput input;
  input.time = t;
  const std::size_t num_variables = model.model().num_variables();
  input.left = [num_variables, &left](Leaf leaf) {
    return leaf.variable.index() < num_variables ? left.value(leaf) : 0.0;
  };
  input.held = [&discrete](Leaf leaf) { return discrete[leaf.variable.index()]; };
  input.noise = settings.jump_noise();
  return input;
}

bool agree_for_continuous(const HybridModel& model, const std::vector<double>& a,
                          const std::vector<double>& b) {
  return std::all_of(
      model.discrete_variables().begin(), model.discrete_variables().end(), [&](VarId variable) {
        return !model.is_read(variable) || a[variable.index()] == b[variable.index()];
      });
}

TrialSolver::TrialSolver(const HybridModel& model, const RunSettings& settings,
                         DiscretePart& discrete_part, ModeSelector& selector,
                         Workspaces& workspaces, const GuardSigns& signs)
    : model_(model),
      settings_(settings),
      discrete_part_(discrete_part),
      selector_(selector),
      workspaces_(workspaces),
      signs_(signs),
      table_(model) {}

Outcome<Trial> TrialSolver::solve(const EventPass& pass, const ModeChoice& choice) {
  Trial trial;
  trial.choice = choice;
  for (int round = 0; round < kMostTrialRounds; ++round) {
    Outcome<DiscreteOutcome> outcome = find_discrete(pass, trial);
    if (!outcome) return std::move(outcome).failure();
    const bool agrees =
        round > 0 && agree_for_continuous(model_, outcome->values, trial.discrete.values);
    trial.discrete = *std::move(outcome);
    if (agrees) {
      trial.reading = signs_.read(subject(pass, trial), trial.choice);
      return trial;
    }
    if (const auto found = find_solution(pass, trial); !found) return found.failure();
  }
  return Failure{
      Status::kDiscreteCycle,
      fmt::format("event at t = {:.10g}: discrete values and the solution never agree", pass.t)};
}

Outcome<Trial> TrialSolver::solve_with(const EventPass& pass, const ModeChoice& choice,
                                       const DiscreteOutcome& discrete) {
  Trial trial;
  trial.choice = choice;
  trial.discrete = discrete;
  if (const auto found = find_solution(pass, trial); !found) return found.failure();
  trial.reading = signs_.read(subject(pass, trial), trial.choice);
  return trial;
}

// Discrete values with the solution of the trial; before it has one, with the left limit.
Outcome<DiscreteOutcome> TrialSolver::find_discrete(const EventPass& pass, const Trial& trial) {
  Instant now;
  now.t = pass.t;
  now.before = [&](Leaf leaf) { return pass.left.value(leaf); };
  now.continuous = now.before;
  if (trial.solution)
    now.continuous = [&](Leaf leaf) { return trial.solution->value_or(0.0, leaf, pass.t); };
  now.discrete = now.pre = &pass.state.discrete;
  now.table = &table_.fill({trial.choice.switches, pass.state.discrete, pass.state.discrete,
                            pass.state.pieces, pass.ticks});
  DiscreteOutcome outcome = discrete_part_.evaluate(now, pass.state.conditions);
  if (!outcome.has_failed) return outcome;
  return Failure{
      Status::kDiscreteLoop,
      fmt::format("event at t = {:.10g}: a loop of discrete variables has no solution", pass.t)};
}

// The solution just after the instant with the switches and discrete values of the trial. Where
// they change nothing for the equations it goes on as it is.
Outcome<Done> TrialSolver::find_solution(const EventPass& pass, Trial& trial) {
  const ModeSelector::Selected selected =
      selector_.select(pass.t,
                       {trial.choice.switches, trial.discrete.values, pass.state.discrete,
                        pass.state.pieces, pass.ticks},
                       trial.choice.holds);
  const CompiledMode& mode = selected.mode;
  if (mode.defects.has_errors())
    return Failure{Status::kIllPosedMode, fmt::format("event at t = {:.10g}: {}", pass.t,
                                                      mode.defects.items()[0].message)};
  trial.impulses.clear();
  trial.warnings.clear();
  trial.guard_impulses.clear();
  trial.largest_jump = 0;
  const SolutionPtr& before = pass.left.solution;
  const bool is_same =
      before && &before->mode() == &mode && before->is_loaded_with(selected.numbers);
  if (is_same && before->time() == pass.t) {
    trial.solution = before;
    return Done{};
  }
  // Of unknowns that are not the model's own (of holds and repairs) no left limits are kept.
  const auto& unknowns = mode.prepared.system.unknowns;
  const bool goes_on = is_same && std::all_of(unknowns.begin(), unknowns.end(), [&](VarId id) {
                         return id.index() < model_.model().num_variables();
                       });
  return start(pass, selected, goes_on, trial);
}

// What the integration may have left as an error of a left limit: its tolerance, and at a limit of
// events what it was extrapolated by. A derivative is as wrong as its variable, over a step.
double TrialSolver::error_of(Leaf leaf, const CompiledMode& mode, const EventPass& pass) const {
  const LeftLimit& left = pass.left;
  if (leaf.variable.index() >= model_.model().num_variables()) return settings_.atol;
  const std::size_t column = mode.prepared.system.find_column(leaf.variable)->index();
  double error = column < workspaces_.atol().size() ? workspaces_.atol()[column] : settings_.atol;
  for (int k = 0; k < leaf.order && pass.state.last_step != 0; ++k)
    error /= std::abs(pass.state.last_step);
  const double value = left.value(leaf);
  if (std::isfinite(value)) error += settings_.rtol * std::abs(value);
  const auto extrapolated = left.extrapolated.find(leaf);
  return extrapolated == left.extrapolated.end() ? error : error + extrapolated->second;
}

Outcome<Done> TrialSolver::start(const EventPass& pass, const ModeSelector::Selected& selected,
                                 bool goes_on, Trial& trial) {
  const CompiledMode& mode = selected.mode;
  RestartInput input = restart_input(model_, settings_, pass.t, pass.left, trial.discrete.values);
  input.parameters = selected.numbers;
  if (pass.left.solution) input.old_parameters = pass.left.solution->put_into(selected.numbers);
  input.error = [&](Leaf leaf) { return error_of(leaf, mode, pass); };
  input.resets = pass.left.resets;
  RestartResult restarted;
  if (!goes_on) restarted = workspaces_.restart(mode).solve(input);
  if (!restarted.succeeded())
    return failure_named(restarted.status, Status::kRestartFailed,
                         fmt::format("event at t = {:.10g}: {}", pass.t, restarted.message));
  trial.guard_impulses = std::move(restarted.guard_impulses);
  trial.largest_jump = restarted.largest_jump;
  trial.impulses = std::move(restarted.impulses);
  trial.warnings = std::move(restarted.warnings);
  trial.solution.reset();  // of the round before: its room is free
  trial.solution = workspaces_.take_series(mode);
  trial.solution->load(selected.numbers);
  integrate::TaylorStepper& stepper = trial.solution->stepper();
  stepper.start(pass.t, restarted_state(mode, input, restarted), settings_.direction(),
                pass.state.last_step);
  if (stepper.expand(settings_.stop)) return Done{};
  return expansion_failure(model_.model(), *trial.solution);
}

}  // namespace hydae
