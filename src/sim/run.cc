#include "sim/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include <hydae/error.h>

#include "base/timer.h"
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
  // Modes are made whenever they are met: that is not initialization or integration.
  const auto making = [this] {
    return parts_.modes.analysis_seconds() + parts_.modes.compile_seconds();
  };
  {
    const Timer timer;
    show(parts_.options, "looking for a consistent initial point");
    const auto ready =
        parts_.options.state.resume ? resume(parts_.options.state.resume->content()) : initialize();
    if (!ready) parts_.report.fail(ready.failure());
    summary.seconds["initialize"] = timer.seconds() - making();
  }
  if (summary.succeeded()) {
    const double before = making();
    const Timer timer;
    integrate_safely();
    summary.seconds["integrate"] = timer.seconds() - (making() - before);
  }
  summary.seconds["analyze"] = parts_.modes.analysis_seconds();
  summary.seconds["compile"] = parts_.modes.compile_seconds();
  parts_.workspaces.add_counters(summary);
  report_scales();
  summary.modes_visited = count_modes(summary.events, settings_.start);
  summary.max_constraint_residual =
      std::max(summary.max_constraint_residual, parts_.constraints.largest());
  summary.max_dropped_residual = parts_.checks.implied.largest();
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
                                 parts_.signs, parts_.delays, parts_.report, parts_.inputs});
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
  parts_.workspaces.scales().begin(stepper());
  parts_.workspaces.update_tolerances(*run_.solution);
  std::vector<MovedStart>& moved = parts_.report.summary().moved_starts;
  moved = start->point->point.moved;
  std::erase_if(moved, [this](const MovedStart& start_value) {  // signals are no start values
    return std::ranges::any_of(hybrid_.inputs(), [&](const HybridInput& input) {
      return input.name == start_value.variable;
    });
  });
  return Done{};
}

// BDF on a model without switches: no series are made.
Outcome<Done> Run::start_at_point(HybridInitializer& initializer) {
  const Outcome<HybridInitializer::Point> point = initializer.find_point();
  if (!point) return point.failure();
  parts_.report.summary().moved_starts = initializer.last_solution()->point.moved;
  run_.state.discrete.assign(hybrid_.model().num_variables(), 0.0);
  run_.fill_table();
  const auto value = [&](Leaf leaf) {
    const auto at = point->values.find(leaf);
    return at == point->values.end() ? std::numeric_limits<double>::quiet_NaN() : at->second;
  };
  parts_.workspaces.scales().begin(value, settings_.stop - settings_.start);
  return start_bdf(*point->mode, settings_.start, value);
}

void Run::report_scales() {
  const VariableScales& scales = parts_.workspaces.scales();
  parts_.report.summary().scales = scales.derived();
  constexpr std::size_t kMostNames = 5;
  std::vector<std::string> names = scales.never_seen();
  if (names.empty()) return;
  const std::string others =
      names.size() > kMostNames ? fmt::format(" and {} more", names.size() - kMostNames) : "";
  names.resize(std::min(names.size(), kMostNames));
  parts_.report.warn(
      fmt::format("never larger than the absolute tolerance, and so not resolved: {}{}; give a "
                  "nominal value, or "
                  "a smaller --atol",
                  quoted_list(names), others));
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

}  // namespace hydae
