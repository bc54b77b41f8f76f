#include "sim/trial_solver.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sim/contact_switches.h"
#include "sim/expansion_failure.h"
#include "sim/fixed_point.h"
#include "sim/tick_times.h"

namespace hydae {
namespace {

constexpr int kMostTrialRounds = 20;
constexpr int kMostPlainRounds = 3;   // discrete part and solution in turn, before they are a loop
constexpr double kSmallGuard = 1e-6;  // relative to its series over a step
constexpr int kMostCorrections = 5;   // of Newton's method from a time that is nearly right
constexpr double kSmallCorrection = 1e-6;  // relative to the first
constexpr int kMostCrossingPasses = 20;    // of the discrete part, after one crossing

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

// Of that state, at the left limit.
std::vector<double> rates_before(const CompiledMode& mode, const RestartInput& input) {
  std::vector<double> rates;
  for (const codegen::JetEntry& entry : mode.compiled.program->entries()) {
    const VarId column(static_cast<std::size_t>(entry.variable));
    const double rate = input.left({mode.prepared.system.unknowns[column], entry.order + 1});
    rates.push_back(std::isnan(rate) ? 0.0 : rate);
  }
  return rates;
}

}  // namespace

namespace {

// Points of [0, 1] with their weights. Gauss' formula integrates along the path.
CoefficientMean path_of(ImpulseCoefficients rule) {
  switch (rule) {
    case ImpulseCoefficients::kMean: return {{0.0, 0.5}, {1.0, 0.5}};
    case ImpulseCoefficients::kMiddle: return {{0.5, 1.0}};
    case ImpulseCoefficients::kPath: break;
  }
  return kPathMean;
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
  input.coefficients = path_of(settings.impulse_coefficients);
  return input;
}

bool agree_for_continuous(const HybridModel& model, const std::vector<double>& a,
                          const std::vector<double>& b) {
  return std::all_of(
      model.discrete_variables().begin(), model.discrete_variables().end(), [&](VarId variable) {
        return !model.is_read(variable) || a[variable.index()] == b[variable.index()];
      });
}

std::vector<VarId> differing_reals(const HybridModel& model, const std::vector<double>& a,
                                   const std::vector<double>& b) {
  std::vector<VarId> reals;
  for (VarId variable : model.discrete_variables()) {
    if (!model.is_read(variable) || a[variable.index()] == b[variable.index()]) continue;
    if (model.model().all_variables()[variable].kind != VariableKind::kDiscrete) return {};
    reals.push_back(variable);
  }
  return reals;
}

TrialSolver::TrialSolver(const Tools& tools)
    : model_(tools.model),
      settings_(tools.settings),
      discrete_part_(tools.discrete_part),
      selector_(tools.selector),
      workspaces_(tools.workspaces),
      signs_(tools.signs),
      table_(tools.model) {}

Outcome<Trial> TrialSolver::solve(const EventPass& pass, const ModeChoice& choice) {
  Trial trial;
  trial.choice = choice;
  for (int round = 0; round < kMostTrialRounds; ++round) {
    Outcome<DiscreteOutcome> outcome = find_discrete(pass, trial);
    if (!outcome) return std::move(outcome).failure();
    const bool agrees =
        round > 0 && agree_for_continuous(model_, outcome->values, trial.discrete.values);
    std::vector<VarId> loop;
    if (round >= kMostPlainRounds)
      loop = differing_reals(model_, outcome->values, trial.discrete.values);
    trial.discrete = *std::move(outcome);
    if (!loop.empty()) return solve_together(pass, std::move(trial), std::move(loop));
    if (agrees) {
      read(pass, trial);
      return trial;
    }
    if (const auto found = find_solution(pass, trial); !found) return found.failure();
  }
  return Failure{
      Status::kDiscreteCycle,
      fmt::format("event at t = {:.10g}: discrete values and the solution never agree", pass.t)};
}

// Discrete Reals that are computed from the solution which they decide.
Outcome<Trial> TrialSolver::solve_together(const EventPass& pass, Trial trial,
                                           std::vector<VarId> loop) {
  const auto of_loop = [&](const std::vector<double>& values) {
    std::vector<double> picked;
    for (VarId variable : loop) picked.push_back(values[variable.index()]);
    return picked;
  };
  DiscreteOutcome outcome;
  const ValueMap map = [&](const std::vector<double>& v) -> Outcome<std::vector<double>> {
    for (std::size_t k = 0; k < loop.size(); ++k) trial.discrete.values[loop[k].index()] = v[k];
    if (auto found = find_solution(pass, trial); !found) return found.failure();
    Outcome<DiscreteOutcome> next = find_discrete(pass, trial);
    if (!next) return std::move(next).failure();
    outcome = *std::move(next);
    return of_loop(outcome.values);
  };
  for (int round = 0; round < kMostTrialRounds; ++round) {
    Outcome<std::vector<double>> found = find_fixed_point(map, of_loop(pass.state.discrete));
    if (found)
      if (const auto last = map(*found); !last) return last.failure();
    if (!found) return std::move(found).failure();
    const std::vector<double> used = trial.discrete.values;
    trial.discrete = outcome;
    for (std::size_t k = 0; k < loop.size(); ++k)
      trial.discrete.values[loop[k].index()] = (*found)[k];
    if (agree_for_continuous(model_, trial.discrete.values, used)) {
      read(pass, trial);
      return trial;
    }
    // What else is computed from the loop belongs to it, or has another value in it.
    for (VarId variable : differing_reals(model_, trial.discrete.values, used))
      if (std::find(loop.begin(), loop.end(), variable) == loop.end()) loop.push_back(variable);
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
  read(pass, trial);
  return trial;
}

void TrialSolver::read(const EventPass& pass, Trial& trial) {
  trial.exchanged = exchanged_guards(model_, pass.state, trial.discrete.values);
  trial.reading = read_signs(pass, trial);
  if (!pass.is_first || pass.guard_errors == nullptr || !pass.guard_errors->empty()) return;
  const std::vector<std::size_t> doubtful = doubtful_guards(pass, trial);
  if (doubtful.empty()) return;
  find_guard_errors(pass, doubtful);
  trial.reading = read_signs(pass, trial);
}

// A contact that is violated in the state that the trial has it in asks for the other one.
GuardReading TrialSolver::read_signs(const EventPass& pass, const Trial& trial) const {
  GuardReading reading = signs_.read(subject(pass, trial), trial.choice);
  std::vector<bool>& wanted = reading.wanted.switches.bits;
  for (std::size_t k : switch_relations(model_, pass.state))
    wanted[k] = wanted[k] != trial.choice.switches.bits[k];
  return reading;
}

// Guards that might be zero but for errors, and by whose values relations change that were not
// located, or do not change though they were.
std::vector<std::size_t> TrialSolver::doubtful_guards(const EventPass& pass,
                                                      const Trial& trial) const {
  std::vector<std::size_t> doubtful;
  const std::vector<bool>& wanted = trial.reading.wanted.switches.bits;
  for (std::size_t k = 0; k < model_.relations().size(); ++k) {
    const Relation& relation = model_.relations()[k];
    if (relation.is_time_only || relation.is_bound || trial.reading.known_zeros[k] != 0) continue;
    const bool is_located = pass.cause.relations.count(k) != 0;
    if (is_located != (wanted[k] == pass.state.switches.bits[k])) continue;
    const auto series = trial.solution->output(k);
    double size = 0;
    for (double coefficient : series) size = std::max(size, std::abs(coefficient));
    if (series[0] != 0 && std::abs(series[0]) <= kSmallGuard * size) doubtful.push_back(k);
  }
  return doubtful;
}

// Nothing changes for the mode before the instant: what its guards change by when it is solved anew
// is rounding. Positions far from the origin have gaps that are no better than their last digits.
void TrialSolver::find_guard_errors(const EventPass& pass,
                                    const std::vector<std::size_t>& relations) {
  pass.guard_errors->assign(model_.relations().size(), 0.0);
  const SolutionPtr& left = pass.left.solution;
  if (!left || !left->stepper().is_expanded()) return;
  const std::vector<double> values = signs_.values(*left, pass.t);
  EventPass before = pass;
  before.ticks = nullptr;
  Trial same;
  same.choice = pass.state.choice();
  same.discrete.values = pass.state.discrete;
  if (!find_solution(before, same)) return;
  for (std::size_t k : relations) {
    const double value = same.solution->output(k)[0];
    const double error = pass.cause.left_guards.count(k) != 0 ? value : value - values[k];
    if (std::isfinite(error)) (*pass.guard_errors)[k] = std::abs(error);
  }
}

std::optional<double> TrialSolver::exact_root(const EventPass& pass, const SolutionPtr& before,
                                              std::size_t relation, double farthest) {
  const double length = std::abs(before->stepper().reach() - before->time());
  double t = pass.t, first = 0;
  for (int k = 0; k < kMostCorrections; ++k) {
    const LeftLimit left = left_limit(before, t, model_.model().num_variables());
    Trial same;
    same.choice = pass.state.choice();
    same.discrete.values = pass.state.discrete;
    if (!find_solution({t, pass.state, left, pass.cause}, same)) return std::nullopt;
    const auto guard = same.solution->output(relation);
    if (guard.size() < 2) return std::nullopt;
    const double change = -guard[0] / guard[1] * same.solution->stepper().expansion().scale();
    const double next = t + change;
    // Where the solution before the instant is known.
    if (!(std::abs(next - pass.t) <= farthest && std::abs(next - before->time()) <= length))
      return std::nullopt;
    if (k == 0) first = std::abs(change);
    if (is_same_time(next, t) || std::abs(change) < kSmallCorrection * first) return next;
    t = next;
  }
  return std::nullopt;
}

// At the left limit.
EvaluationContext TrialSolver::instant_of(const EventPass& pass, const ModeChoice& choice,
                                          const std::vector<double>& discrete,
                                          const std::vector<double>& pre) {
  Switches switches = choice.switches;
  forget_switched(model_, pass.state, switches);
  EvaluationContext now;
  now.t = pass.t;
  now.before = [&](Leaf leaf) { return pass.left.value(leaf); };
  now.continuous = now.before;
  now.discrete = &discrete;
  now.pre = &pre;
  now.is_terminal = pass.cause.is_terminal;
  now.table = &table_.fill({switches, discrete, pre, pass.state.pieces, pass.ticks});
  return now;
}

// The memory after the guard of a surface has gone to a side.
std::optional<TrialSolver::Memory> TrialSolver::crossed(const EventPass& pass, ModeChoice choice,
                                                        std::size_t surface, int side,
                                                        Memory memory) {
  model_.set_side(surface, side, choice.switches.bits);
  return rested(pass, choice, std::move(memory));
}

bool TrialSolver::rest_with(const EventPass& pass, const ModeChoice& choice, HybridState& state) {
  auto found = rested(pass, choice, {state.discrete, state.conditions});
  if (!found) return false;
  state.discrete = std::move(found->values);
  state.conditions = std::move(found->conditions);
  return true;
}

std::optional<TrialSolver::Memory> TrialSolver::rested(const EventPass& pass,
                                                       const ModeChoice& choice, Memory memory) {
  EventPass between = pass;
  between.ticks = nullptr;
  for (int k = 0; k < kMostCrossingPasses; ++k) {
    const EvaluationContext now = instant_of(between, choice, memory.values, memory.values);
    DiscreteOutcome outcome = discrete_part_.evaluate(now, memory.conditions);
    if (outcome.has_failed || !outcome.reinits.empty() || !outcome.impacts.empty())
      return std::nullopt;
    Memory next{std::move(outcome.values), std::move(outcome.conditions)};
    if (next == memory) return memory;
    memory = std::move(next);
  }
  return std::nullopt;
}

void TrialSolver::rest(double t, const StateView& view, HybridState& state) {
  for (int k = 0; k < kMostCrossingPasses; ++k) {
    const DiscreteOutcome outcome = discrete_part_.evaluate(view.at(t), state.conditions);
    if (outcome.has_failed || !outcome.reinits.empty() || !outcome.impacts.empty() ||
        !agree_for_continuous(model_, outcome.values, state.discrete))
      return;
    if (outcome.values == state.discrete && outcome.conditions == state.conditions) return;
    state.discrete = outcome.values;
    state.conditions = outcome.conditions;
  }
}

std::optional<std::vector<SideValues>> TrialSolver::memories_of(const EventPass& pass,
                                                                const ModeChoice& choice,
                                                                std::size_t surface) {
  std::optional<Memory> now = Memory{pass.state.discrete, pass.state.conditions};
  std::vector<Memory> seen;  // negative side, positive side, in turn
  for (const int side : {-1, 1, -1, 1, -1}) {
    now = crossed(pass, choice, surface, side, *std::move(now));
    if (!now) return std::nullopt;
    seen.push_back(*now);
  }
  if (seen[4] != seen[2]) return std::nullopt;
  std::vector<SideValues> result;
  for (VarId variable : model_.discrete_variables()) {
    const double negative = seen[2].values[variable.index()];
    const double positive = seen[3].values[variable.index()];
    if (negative != positive && !model_.follows_relations(variable))
      result.push_back({variable, negative, positive});
  }
  return result;
}

// Where the solution leaves a surface, the crossings on it end with the one to that side.
TrialSolver::Memory TrialSolver::memory_before(const EventPass& pass, const ModeChoice& choice) {
  Memory memory{pass.state.discrete, pass.state.conditions};
  for (const PinnedGuard& pin : pass.state.pins) {
    if (pin.memories.empty() || is_pinned_in(choice.pins, pin.surface)) continue;
    const int side = model_.side_of(pin.surface, choice.switches.bits);
    for (const int from : {side, -side})
      if (auto at = crossed(pass, choice, pin.surface, from, memory)) memory = *std::move(at);
  }
  return memory;
}

// Discrete values with the solution of the trial; before it has one, with the left limit.
Outcome<DiscreteOutcome> TrialSolver::find_discrete(const EventPass& pass, const Trial& trial) {
  const Memory memory = memory_before(pass, trial.choice);
  std::vector<double> values = memory.values;
  switch_contacts(model_, pass.state, trial.choice.switches.bits, values);
  EvaluationContext now = instant_of(pass, trial.choice, values, memory.values);
  if (trial.solution)
    now.continuous = [&](Leaf leaf) { return trial.solution->value_or(0.0, leaf, pass.t); };
  DiscreteOutcome outcome = discrete_part_.evaluate(now, memory.conditions);
  // What is blended on a surface has no value of its own there: it may have another one in each
  // pass.
  for (const PinnedGuard& pin : trial.choice.pins)
    for (const SideValues& blended : pin.memories)
      if (is_pinned_in(pass.state.pins, pin.surface))
        outcome.values[blended.variable.index()] = memory.values[blended.variable.index()];
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
                        pass.state.pieces, pass.ticks, false, pass.cause.is_terminal},
                       trial.choice.pins);
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
  if (stepper.expand(settings_.stop) && !stepper.is_without_reach()) return Done{};
  if (stepper.depart(settings_.stop, rates_before(mode, input))) return Done{};
  if (stepper.expand(settings_.stop)) return Done{};
  return expansion_failure(model_.model(), *trial.solution);
}

}  // namespace hydae
