#include "sim/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/derivative_name.h"
#include "base/timer.h"
#include "expr/incidence.h"
#include "sim/activity.h"
#include "sim/expansion_failure.h"
#include "sim/mode_search.h"

namespace hydae {
namespace {

std::vector<NodeId> time_guard_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (std::size_t k : time_relations(model)) {
    roots.push_back(model.relations()[k].guard);
    roots.push_back(model.relations()[k].slope);
  }
  return roots;
}

std::vector<NodeId> tick_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const Tick& tick : model.ticks()) {
    roots.push_back(tick.start);
    roots.push_back(tick.interval);
  }
  return roots;
}

std::vector<NodeId> assertion_roots(const HybridModel& model) {
  std::vector<NodeId> roots;
  for (const auto& [condition, assertion] : model.assertions()) roots.push_back(condition);
  return roots;
}

// What the model says about its output counts where the user says nothing.
SimulateOptions with_interval_of(const Model& model, SimulateOptions options) {
  if (!options.points && options.times.empty() && !options.interval)
    options.interval = model.experiment.interval;
  return options;
}

}  // namespace

Run::Run(RunModel model, const SimulateOptions& options)
    : parts_(std::move(model), options),
      hybrid_(parts_.model),
      settings_(parts_.settings),
      run_(hybrid_),
      events_(parts_, run_,
              [this](const TaylorSolution& solution, double limit) {
                Cause cause;
                return next_time_event({run_.state, solution, run_.table.numbers()}, limit, cause);
              }),
      guards_(hybrid_, settings_.rtol, parts_.signs, parts_.outputs, parts_.report),
      assertions_(hybrid_, assertion_roots(hybrid_)),
      time_guards_(hybrid_, time_guard_roots(hybrid_)),
      time_relations_(time_relations(hybrid_)),
      tick_data_(hybrid_, tick_roots(hybrid_)),
      choice_(choose_solver(hybrid_, options)) {}

Simulation Run::run() {
  Summary& summary = parts_.report.summary();
  summary.solver_choice = choice_.reason;
  summary.solver = choice_.uses_bdf ? "ida" : "taylor";
  summary.tolerance = settings_.rtol;
  summary.atol = settings_.atol;
  summary.t_end = settings_.start;
  {
    const Timer timer;
    show(parts_.options, "looking for a consistent initial point");
    if (const auto ready = initialize(); !ready) parts_.report.fail(ready.failure());
    summary.seconds["initialize"] = timer.seconds();
  }
  if (summary.succeeded()) {
    const Timer timer;
    integrate_safely();
    summary.seconds["integrate"] = timer.seconds();
  }
  parts_.workspaces.add_counters(summary);
  summary.modes_visited = parts_.modes.num_modes();
  summary.mode_cache_hits = parts_.modes.num_hits();
  report_singularity();
  for (const std::string& warning : parts_.rows.recorder().warnings())
    parts_.report.warn_once(warning);
  const std::string& undefined = parts_.rows.recorder().undefined();
  if (summary.succeeded() && !undefined.empty())
    parts_.report.fail(
        {Status::kUndefinedValues, fmt::format("the results are not all numbers: {}", undefined)});
  return {parts_.rows.recorder().take(), parts_.report.take()};
}

Outcome<Done> Run::start() {
  if (auto ready = initialize(); !ready) return ready;
  if (auto begun = process_start(); !begun) return begun;
  return check_assertions(settings_.start);
}

// A run that is divided starts anew at each division, whether somebody has taken a snapshot there
// or not: then all continuations are the same.
Outcome<Done> Run::advance_to(double t) {
  if (t == now()) return Done{};
  parts_.settings.stop = t;
  if (!is_resumed_) {
    Outcome<HybridState> here = snapshot();
    if (!here) return std::move(here).failure();
    if (auto resumed = resume(*std::move(here)); !resumed) return resumed;
  }
  is_resumed_ = false;
  Outcome<Done> outcome = Done{};
  do {
    while (outcome && now() != t && !run_.state.is_terminated) outcome = step();
    // Series where it stands, for those who ask. They may show that the last step was too long.
    if (outcome && !stepper().expand(beyond(now())))
      outcome = expansion_failure(hybrid_.model(), *run_.solution);
  } while (outcome && now() != t && !run_.state.is_terminated);
  return outcome;
}

// A limit for series at t that are not for a step.
double Run::beyond(double t) const {
  return t + settings_.direction() * std::max(1.0, std::abs(t));
}

Outcome<HybridState> Run::snapshot() {
  HybridState state = run_.state;
  state.t = now();
  if (is_resumed_) return state;  // its point is what the series were made from
  if (!stepper().expand(beyond(now()))) return expansion_failure(hybrid_.model(), *run_.solution);
  const auto entries = stepper().state();
  state.point.assign(entries.begin(), entries.end());
  return state;
}

Outcome<Done> Run::resume(HybridState state) {
  const ModeSelector::Selected selected =
      parts_.selector.select(state.t, content_of(state), state.holds);
  if (selected.mode.defects.has_errors())
    return Failure{Status::kIllPosedMode, selected.mode.defects.items().front().message};
  SolutionPtr solution = parts_.workspaces.take_series(selected.mode);
  solution->load(selected.numbers);
  solution->stepper().start(state.t, state.point, settings_.direction(), state.last_step);
  run_.state = std::move(state);
  run_.solution = std::move(solution);
  run_.fill_table();
  watch_ = {};
  stiffness_.forget();
  is_resumed_ = true;
  if (!stepper().expand(beyond(now()))) return expansion_failure(hybrid_.model(), *run_.solution);
  return Done{};
}

double Run::value(Leaf leaf) {
  const StateView here = view();
  const auto& observed = hybrid_.observed().variables;
  const auto at = std::find_if(observed.begin(), observed.end(), [&](const ObservedVariable& seen) {
    return seen.variable == leaf.variable;
  });
  if (at == observed.end()) return here.value(leaf, now());
  return parts_.log.observed(now(),
                             here.values(now()))[static_cast<std::size_t>(at - observed.begin())];
}

// A mode that turns out to be wrong in the middle of a run ends it: what was reached is kept.
void Run::integrate_safely() {
  try {
    integrate();
  } catch (const ModelError& error) {
    if (!run_.solution || now() == settings_.start) throw;
    parts_.report.reach(now());
    parts_.report.fail(
        {Status::kIllPosedMode, fmt::format("simulation stopped at t = {:.10g}: {}", now(),
                                            error.diagnostics().items().front().message)});
  }
}

Outcome<Done> Run::initialize() {
  HybridInitializer initializer(hybrid_, settings_, parts_.options,
                                {parts_.discrete_part, parts_.selector, parts_.workspaces,
                                 parts_.signs, parts_.delays, parts_.report});
  if (!choice_.has_series) return start_at_point(initializer);
  Outcome<HybridStart> start = initializer.find_start();
  if (!start) {
    // Where the run ends: the point is its result.
    if (const auto& point = initializer.point_without_series(); !point.empty())
      parts_.rows.record(settings_.start, [&](Leaf leaf) {
        const auto at = point.find(leaf);
        return at == point.end() ? 0.0 : at->second;
      });
    return std::move(start).failure();
  }
  run_.state = std::move(start->state);
  run_.solution = std::move(start->solution);
  run_.fill_table();
  start_conflict_ = std::move(start->conflict);
  parts_.report.summary().moved_starts = start->point->point.moved;
  return Done{};
}

// BDF on a model without switches: no series are made.
Outcome<Done> Run::start_at_point(HybridInitializer& initializer) {
  const Outcome<HybridInitializer::Point> point = initializer.find_point();
  if (!point) return point.failure();
  parts_.report.summary().moved_starts = initializer.last_solution()->point.moved;
  run_.state.discrete.assign(hybrid_.model().num_variables(), 0.0);
  run_.fill_table();
  return start_bdf(*point->mode, settings_.start, [&](Leaf leaf) {
    const auto at = point->values.find(leaf);
    return at == point->values.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  });
}

// What the solution is heading for, in the warnings, or in the message of a run that failed there.
void Run::report_singularity() {
  const auto forecast = watch_.forecast();
  if (!forecast) return;
  Summary& summary = parts_.report.summary();
  const VarId column(static_cast<std::size_t>(forecast->variable));
  summary.singularity = SingularityForecast{
      forecast->t, mode().prepared.system.unknown_names[column], forecast->exponent};
  const std::string text = fmt::format(
      "the solution seems to have a singularity at t = {:.7g}: `{}` behaves like (t - time)^{:.2g}",
      forecast->t, summary.singularity->variable, -forecast->exponent);
  if (summary.succeeded())
    summary.warnings.push_back(text);
  else
    summary.message += "\n   " + text;
}

namespace {

// They would need what is yet to come.
void refuse_delays_backwards(const Model& model) {
  for (const Equation& equation : model.equations())
    for (const Expr& side : {equation.lhs, equation.rhs})
      if (!side.is_number() && contents(model.graph(), side.id()).has_delays)
        throw UsageError(
            fmt::format("{} has a delay(): a run backwards in time does not know the past{}",
                        quoted(equation.name),
                        model.sources ? " (" + model.sources->place(equation.source) + ")" : ""));
}

// Throws UsageError.
void check_options(const Model& model, const SimulateOptions& options) {
  const RunSettings settings = settings_of(model, options);
  const OutputGrid grid(settings.start, settings.stop, options);
  if (settings.direction() < 0) refuse_delays_backwards(model);
  for (const StartOverride& start : options.start_values)
    if (const std::string name = parse_derivative_name(start.variable).first;
        !model.find_variable(name))
      throw UsageError(fmt::format("model `{}` has no variable `{}`", model.name(), name));
}

Simulation run_checked(ModelForms& forms, const SimulateOptions& given) {
  const SimulateOptions options = with_interval_of(forms.model(), given);
  check_options(forms.model(), options);
  show(options, "analyzing the equations");
  RunModel model = forms.for_run(options);
  try {
    return Run(std::move(model), options).run();
  } catch (const PatternError&) {
    throw;
  } catch (const UsageError& error) {
    // The user's part was looked at above: what is used wrongly here is ours.
    throw InternalError(error.what());
  }
}

}  // namespace

Simulation simulate(const Model& model, const SimulateOptions& options) {
  const auto forms = std::make_shared<ModelForms>(model);
  return run_checked(*forms, options);
}

Simulation simulate(const CompiledModel& compiled, const SimulateOptions& options) {
  return run_checked(ModelForms::of(compiled), options);
}

}  // namespace hydae
