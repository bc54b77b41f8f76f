// simulate(): what the user said is checked, then run, in one part or in two.
#include <fmt/format.h>
#include <optional>

#include <hydae/compiled_model.h>
#include <hydae/error.h>
#include <hydae/simulate.h>

#include "base/timer.h"
#include "compile/given_starts.h"
#include "expr/incidence.h"
#include "sim/activity.h"
#include "sim/attempts.h"
#include "sim/guard_record.h"
#include "sim/output_grid.h"
#include "sim/redundant.h"
#include "sim/run.h"
#include "sim/saved_content.h"

namespace hydae {
namespace {

// What the model says about its output counts where the user says nothing.
SimulateOptions with_interval_of(const Model& model, SimulateOptions options) {
  if (!options.points && options.times.empty() && !options.interval)
    options.interval = model.experiment.interval;
  return options;
}

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
  check_signals(model, options.inputs);
  if (settings.direction() < 0) refuse_delays_backwards(model);
  for (const StartOverride& start : options.start_values) require_start(model, start);
}

// Rows and counters of a run that was divided. The first row of the second part is where the first
// one ends.
class JoinedRows : public RowSink {
 public:
  explicit JoinedRows(RowSink* sink) : sink_(sink) {}

  void begin(const Column& axis, std::span<const Column> columns) override {
    if (num_parts_++ > 0) return;
    table_ = Trajectory({columns.begin(), columns.end()}, axis);
    if (sink_ != nullptr) sink_->begin(axis, columns);
  }
  void add_row(double time, std::span<const double> values) override {
    if (num_parts_ == 2) {
      ++num_parts_;
      return;
    }
    if (sink_ != nullptr) return sink_->add_row(time, values);
    table_.add_row(time, values);
  }
  Trajectory take() { return std::move(table_); }

 private:
  RowSink* sink_;
  Trajectory table_;
  int num_parts_ = 0;  // one more once the first row of the second part is gone
};

// The polynomials of a run that was divided.
class JoinedSolution : public SolutionSink {
 public:
  explicit JoinedSolution(SolutionSink* sink) : sink_(sink) {}

  void begin(std::span<const Column> columns) override {
    if (!std::exchange(has_begun_, true)) sink_->begin(columns);
  }
  void add_piece(const SolutionPiece& piece) override { sink_->add_piece(piece); }
  void add_event(const EventRecord& event) override { sink_->add_event(event); }

 private:
  SolutionSink* sink_;
  bool has_begun_ = false;
};

Summary joined(Summary first, Summary second, bool keeps_events) {
  Summary whole = std::move(second);
  add_up(first, whole);
  if (keeps_events || whole.events.empty())
    first.events.insert(first.events.end(), whole.events.begin(), whole.events.end());
  else
    first.events = std::move(whole.events);
  first.warnings.insert(first.warnings.end(), whole.warnings.begin(), whole.warnings.end());
  whole.events = std::move(first.events);
  whole.warnings = std::move(first.warnings);
  whole.num_events += first.num_events;
  whole.modes.merge(first.modes);
  whole.modes_visited = std::max<int>(1, static_cast<int>(whole.modes.size()));
  whole.event_functions = joined(std::move(first.event_functions), whole.event_functions);
  whole.moved_starts = std::move(first.moved_starts);
  whole.mode_cache_hits += first.mode_cache_hits;
  if (whole.solver_choice.empty()) whole.solver_choice = first.solver_choice;
  for (const auto& [what, seconds] : first.seconds) whole.seconds[what] += seconds;
  return whole;
}

std::optional<Simulation> run_form(ModelForms& forms, const SimulateOptions& options,
                                   bool guards_roots) {
  const Timer timer;
  RunModel model = forms.for_run(options, guards_roots);
  if (guards_roots && model.model.guarded_roots().empty()) return std::nullopt;
  const double seconds = timer.seconds();
  try {
    Simulation result = Run(std::move(model), options).run();
    result.summary.seconds["analyze"] += seconds;
    return result;
  } catch (const PatternError&) {
    throw;
  } catch (const UsageError& error) {
    // The user's part was looked at before: what is used wrongly here is ours.
    throw InternalError(error.what());
  }
}

Simulation run_once(ModelForms& forms, const SimulateOptions& options) {
  const double direction = settings_of(forms.model(), options).direction();
  return run_in_attempts(options, direction, [&](const SimulateOptions& given, bool guards_roots) {
    return run_form(forms, given, guards_roots);
  });
}

// To the time at which the state is saved, and from the state on.
Simulation run_in_parts(ModelForms& forms, SimulateOptions options) {
  JoinedRows rows(options.sinks.rows);
  std::optional<SavedState> saved;
  JoinedSolution solution(options.sinks.solution);
  options.sinks.rows = &rows;
  if (options.sinks.solution != nullptr) options.sinks.solution = &solution;
  options.state.save = [&saved, save = options.state.save](const SavedState& state) {
    saved = state;
    save(state);
  };
  Simulation first = run_once(forms, options);
  if (!saved || !first.summary.succeeded() || saved->time() != *options.state.save_at)
    return {rows.take(), std::move(first.summary)};
  options.state.save = nullptr;
  options.state.resume = std::move(saved);
  Simulation second = run_once(forms, options);
  return {rows.take(),
          joined(std::move(first.summary), std::move(second.summary), options.sinks.keeps_events)};
}

Simulation run_checked(ModelForms& forms, const SimulateOptions& given) {
  SimulateOptions options = with_interval_of(forms.model(), given);
  std::string saved_parameters;
  if (options.state.resume) {
    options = options_to_resume(forms.model(), std::move(options));
    saved_parameters = text_of_saved_parameters(forms.model(), options);
  }
  options = with_signals(forms.model(), std::move(options));
  check_options(forms.model(), options);
  show(options, "analyzing the equations");
  const RunSettings settings = settings_of(forms.model(), options);
  const double direction = settings.direction();
  const double from = options.state.resume ? options.state.resume->time() : settings.start;
  if (options.state.save_at && ((*options.state.save_at - from) * direction < 0 ||
                                (settings.stop - *options.state.save_at) * direction < 0))
    throw UsageError(
        fmt::format("the time {} at which the state is to be saved lies outside of "
                    "the simulation",
                    *options.state.save_at));
  const bool is_divided =
      options.state.save && options.state.save_at && *options.state.save_at != settings.stop;
  Simulation done = is_divided ? run_in_parts(forms, options) : run_once(forms, options);
  for (const std::string& warning : {text_of_held_inputs(forms.model(), options), saved_parameters})
    if (!warning.empty()) done.summary.warnings.insert(done.summary.warnings.begin(), warning);
  return done;
}

// Without equations that follow from the others, if that is wanted and there are any.
std::optional<Simulation> run_without_redundancy(const Model& model,
                                                 const SimulateOptions& options) {
  if (options.rules.redundant != Redundant::kDrop) return std::nullopt;
  Redundancy found = find_redundancy(model, options);
  if (!found.model) return std::nullopt;
  const auto forms = std::make_shared<ModelForms>(*std::move(found.model));
  Simulation result = run_checked(*forms, options);
  note_dropped(model, found, result.summary);
  return result;
}

Simulation run_or_explain(ModelForms& forms, const SimulateOptions& options) {
  const Model& model = forms.model();
  if (auto result = run_without_redundancy(model, options)) return *std::move(result);
  try {
    Simulation result = run_checked(forms, options);
    if (!options.state.resume && result.summary.steps == 0)
      explain_singular_start(model, options, result.summary);
    return result;
  } catch (const ModelError& error) {
    throw explained(model, options, error);
  }
}

}  // namespace

Simulation simulate(const Model& model, const SimulateOptions& options) {
  const auto forms = std::make_shared<ModelForms>(model);
  return run_or_explain(*forms, options);
}

Simulation simulate(const CompiledModel& compiled, const SimulateOptions& options) {
  return run_or_explain(ModelForms::of(compiled), options);
}

}  // namespace hydae
