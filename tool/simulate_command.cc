// hydae simulate INPUT: initialise and integrate.
#include <CLI/App.hpp>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "base/printable.h"
#include "sim/settings.h"
#include "tool/command.h"
#include "tool/failure.h"
#include "tool/input.h"
#include "tool/interrupt.h"
#include "tool/names.h"
#include "tool/output.h"
#include "tool/repeatable.h"
#include "tool/run_output.h"
#include "tool/standard_streams.h"
#include "tool/text_file.h"
#include "tool/watchdog.h"

namespace hydae::tool {
namespace {

constexpr long kManyEvents = 1000;  // so many are worth a word where a run was stopped

struct SimulateArguments {
  Input input;
  StartArguments starts;
  SimulateOptions options;
  std::string solver = "auto", jacobian = "assembled", redundant = "refuse";
  std::string impulse_coefficients = "path", events = "estimated", event_rows = "on";
  std::string variables;
  RunFiles files;
  std::string resumed_state;         // file
  std::vector<std::string> signals;  // files
  std::string interpolation = "linear";
  bool quiet = false, no_progress = false;
};

std::string heading(const Summary& s, const std::string& name) {
  const std::string order = s.solver == "taylor" ? fmt::format(" of order {}", s.order) : "";
  const std::string bdf = s.bdf.empty()      ? ""
                          : s.bdf == "CVODE" ? " (CVODE: the reduced system is an ODE)"
                                             : fmt::format(" ({})", s.bdf);
  std::string out = fmt::format("{}: {} t = {:.10g}, {} steps{}, tolerance {:.3g}, solver {}{}\n",
                                name, s.succeeded() ? "simulated to" : "stopped at", s.t_end,
                                s.steps, order, s.tolerance, s.solver, bdf);
  if (!s.solver_choice.empty()) out += fmt::format("solver auto: {}\n", s.solver_choice);
  return out;
}

std::string last_values(const RunOutput& output, double t_end) {
  constexpr std::size_t kMostShown = 24;
  const std::vector<Column>& columns = output.columns();
  std::string out;
  if (output.last_time() != t_end) out += fmt::format("  at t = {:.10g}:\n", output.last_time());
  for (std::size_t k = 0; k < std::min(kMostShown, columns.size()); ++k)
    out += fmt::format("  {} = {:.10g}{}\n", columns[k].name, output.last_row()[k],
                       columns[k].unit.empty() ? "" : " " + columns[k].unit);
  if (columns.size() > kMostShown)
    out += fmt::format("  ... and {} more\n", columns.size() - kMostShown);
  return out;
}

std::string describe(const Summary& s, const RunOutput& output, const std::string& name) {
  std::string out = heading(s, name);
  out += last_values(output, s.t_end);
  if (s.num_events > 0)
    out += fmt::format("{} event{}\n", s.num_events, s.num_events == 1 ? "" : "s");
  double total = 0;
  for (const auto& [what, seconds] : s.seconds) total += seconds;
  out += fmt::format("{:.3g} s, of which integration {:.3g} s\n", total,
                     s.seconds.count("integrate") ? s.seconds.at("integrate") : 0.0);
  out += "the trajectory: --output FILE.csv (.mat, .json), or --plot FILE.svg (.png, .pdf)\n";
  return out;
}

// Algebraic variables move from their guesses as a rule: only how many.
void tell_of_moved_starts(const std::vector<MovedStart>& moved) {
  std::size_t num_others = 0;
  for (const MovedStart& start : moved) {
    if (start.is_state)
      say(fmt::format("note: {}\n", to_text(start)));
    else
      ++num_others;
  }
  if (num_others < moved.size() && num_others > 0)
    say(fmt::format("note: {} more start values of algebraic variables moved (--stats)\n",
                    num_others));
}

void tell_of_dropped(const Summary& summary) {
  for (const DroppedEquation& dropped : summary.dropped_equations)
    say(fmt::format("note: equation `{}`{} was left out: it {}\n", dropped.equation,
                    dropped.source.empty() ? "" : fmt::format(" ({})", dropped.source),
                    dropped.follows_from.empty()
                        ? "is always true"
                        : "follows from " + quoted_list(dropped.follows_from)));
  if (!summary.least_norm.empty())
    say(fmt::format("note: without what was left out only the least norm determines {}\n",
                    quoted_list(summary.least_norm)));
}

// One run of one model: the library computes, the watchdog watches, the output keeps.
class SimulateRun {
 public:
  SimulateRun(const SimulateArguments& arguments, const Model& model, RunOutput& output,
              Watchdog& watchdog, Input::Seconds load_seconds)
      : arguments_(arguments),
        model_(model),
        output_(output),
        watchdog_(watchdog),
        load_seconds_(std::move(load_seconds)) {}

  int run() {
    analyze_system();
    compute();
    watchdog_.stand_down();
    output_.finish(summary_, model_.name());
    report();
    return exit_status();
  }

 private:
  void analyze_system() {
    options_ = arguments_.options;
    options_.start_values = arguments_.starts.parse(model_);
    options_.rules.guesses = arguments_.starts.rule();
    options_.variables = split_names(arguments_.variables);
    options_.sinks.event_rows = arguments_.event_rows == "on";
    options_.bdf.jacobian =
        arguments_.jacobian == "differences" ? JacobianBy::kDifferences : JacobianBy::kAssembly;
    options_.solver = arguments_.solver == "ida"      ? Solver::kIda
                      : arguments_.solver == "taylor" ? Solver::kTaylor
                                                      : Solver::kAuto;
    if (arguments_.events == "certified") options_.rules.events = EventGrade::kCertified;
    if (arguments_.redundant == "drop") options_.rules.redundant = Redundant::kDrop;
    options_.rules.impulse_coefficients =
        arguments_.impulse_coefficients == "mean"     ? ImpulseCoefficients::kMean
        : arguments_.impulse_coefficients == "middle" ? ImpulseCoefficients::kMiddle
                                                      : ImpulseCoefficients::kPath;
    options_.sinks.rows = &output_;
    options_.sinks.keeps_events = !arguments_.files.stats.empty();
    prepare_inputs();
    prepare_states();
    options_.activity = &watchdog_.activity();
    options_.progress = [this](double) {
      return !output_.has_failed() && !watchdog_.wants_to_stop();
    };
    const RunSettings settings = settings_of(model_, options_);
    model_start_ = settings.start;
    watchdog_.expect(options_.state.resume ? options_.state.resume->time() : settings.start,
                     settings.stop, !arguments_.quiet && !arguments_.no_progress);
    watchdog_.set_emergency([this](const StopReason& reason) { end_at_once(reason); });
  }

  // --input.
  void prepare_inputs() {
    const Interpolation interpolation = arguments_.interpolation == "step" ? Interpolation::kStep
                                        : arguments_.interpolation == "spline"
                                            ? Interpolation::kSpline
                                            : Interpolation::kLinear;
    for (const std::string& file : arguments_.signals)
      for (InputSignal& signal : read_input_signals(model_, read_text_file(file),
                                                    fmt::format("`{}`", file), interpolation))
        options_.inputs.push_back(std::move(signal));
    if (!arguments_.signals.empty()) require_signals(model_, options_);
  }

  // --save-state and --resume.
  void prepare_states() {
    if (!arguments_.resumed_state.empty()) {
      if (!arguments_.input.settings.empty())
        throw UsageError("--set cannot be used with --resume: the state has its parameters");
      const std::string& file = arguments_.resumed_state;
      options_.state.resume =
          SavedState::from_text(read_text_file(file), fmt::format("`{}`", file));
    }
    if (arguments_.files.state.empty()) {
      if (options_.state.save_at)
        throw UsageError("--at says when to save a state: --save-state FILE");
      return;
    }
    options_.state.save = [this](const SavedState& state) {
      try {
        write_output(arguments_.files.state, state.to_text());
        state_time_ = state.time();
      } catch (const Error& error) {
        state_failure_ = error.what();
      }
    };
  }

  void compute() {
    try {
      summary_ = simulate(model_, options_).summary;
      if (summary_.status == Status::kCancelled) take_reason();
    } catch (...) {
      if (!output_.has_rows()) throw;  // nothing to keep: as every other failure
      failure_ = describe_failure(std::current_exception());
      note(failure_->status, failure_->text);
    }
    summary_.seconds.insert(load_seconds_.begin(), load_seconds_.end());
  }

  // Says why the run was cancelled in the words of whoever wanted it.
  void take_reason() {
    if (output_.has_failed())
      note(Status::kOutputFailed,
           fmt::format("simulation stopped at t = {:.10g}: the results cannot be "
                       "written",
                       summary_.t_end));
    else if (const auto reason = watchdog_.find_reason())
      note(reason->status, fmt::format("simulation stopped at t = {:.10g}: {}{}", summary_.t_end,
                                       reason->message, pace_of_events()));
  }

  // Events that are close together make a run that never ends look like one that works.
  std::string pace_of_events() const {
    const double length = std::abs(summary_.t_end - model_start_);
    if (summary_.num_events < kManyEvents) return "";
    return fmt::format("\n   {} events so far, one every {:.3g} of time on average",
                       summary_.num_events, length / static_cast<double>(summary_.num_events));
  }

  void note(Status status, const std::string& message) {
    summary_.status = status;
    summary_.message = message;
  }

  // In the thread of the watchdog, for a run that does not hear.
  void end_at_once(const StopReason& reason) {
    const RunActivity& activity = watchdog_.activity();
    Summary summary;
    summary.status = reason.status;
    summary.t_end = output_.has_rows() ? output_.last_time() : activity.t.load();
    summary.message = fmt::format("simulation stopped at t = {:.10g}, {}: {}", activity.t.load(),
                                  activity.doing.load(), reason.message);
    output_.finish(summary, model_.name());
    say(fmt::format("{} [{}]\n", summary.message, name_of(summary.status)));
    note(summary.status, summary.message);
    tell_of_output();
    _exit(kComputationFailed);
  }

  void report() {
    if (!arguments_.quiet) tell_of_moved_starts(summary_.moved_starts);
    if (!arguments_.quiet) tell_of_dropped(summary_);
    for (const std::string& warning : summary_.warnings) say(fmt::format("warning: {}\n", warning));
    const bool is_shown =
        arguments_.files.rows.empty() && arguments_.files.plot.empty() && !arguments_.quiet;
    if (failure_)
      say(failure_->text);
    else if (!summary_.succeeded() && !output_.is_reader_gone())
      say(fmt::format("{} [{}]\n", summary_.message, name_of(summary_.status)));
    tell_of_output();
    if (is_shown && !failure_) write_output("-", printable(result()));
  }

  std::string result() const {
    if (output_.has_rows()) return describe(summary_, output_, model_.name());
    if (options_.state.resume) return fmt::format("{}: the run cannot go on\n", model_.name());
    return fmt::format("{}: no consistent initial point; `hydae init` shows the best one\n",
                       model_.name());
  }

  // A run that has not reached its end, or not the time at which its state was wanted.
  void tell_of_state() {
    const std::string& file = arguments_.files.state;
    if (!state_failure_.empty()) say(fmt::format("error: {}\n", state_failure_));
    const std::optional<double>& wanted = options_.state.save_at;
    const bool is_as_wanted = summary_.succeeded() && (!wanted || state_time_ == *wanted);
    if (file.empty() || !state_failure_.empty() || is_as_wanted) return;
    if (std::isnan(state_time_))
      say(fmt::format("no state was saved: `{}` stays as it was\n", file));
    else
      say(fmt::format("the state at t = {:.10g} is in `{}`\n", state_time_.load(), file));
  }

  void tell_of_output() {
    tell_of_state();
    for (const std::string& failure : output_.failures())
      if (!failure.empty()) say(fmt::format("error: {}\n", failure));
    if (!output_.whereabouts().empty()) say(output_.whereabouts() + "\n");
  }

  int exit_status() const {
    if (failure_) return failure_->exit_status;
    if (output_.is_reader_gone()) end_for_want_of_a_reader();
    const bool is_written = !output_.has_failed() && state_failure_.empty();
    return summary_.succeeded() && is_written ? kDone : kComputationFailed;
  }

  const SimulateArguments& arguments_;
  const Model& model_;
  RunOutput& output_;
  Watchdog& watchdog_;
  Input::Seconds load_seconds_;
  SimulateOptions options_;
  double model_start_ = 0;
  Summary summary_;
  std::optional<ReportedFailure> failure_;
  std::string state_failure_;                      // why the state could not be written
  std::atomic<double> state_time_ = std::nan("");  // of the state that was written
};

int run_simulate(SimulateArguments& arguments) {
  arguments.input.may_be_unbalanced = arguments.redundant == "drop";
  arguments.input.limits.is_quiet = arguments.quiet;
  catch_interrupts();
  RunOutput output(arguments.files);
  Watchdog watchdog(arguments.input.limits);
  watchdog.set_emergency([&](const StopReason& reason) {
    output.abandon();
    watchdog.say_where(reason);
    _exit(kComputationFailed);
  });
  const auto work = [&](Model& model, const Input::Seconds& seconds) {
    return SimulateRun(arguments, model, output, watchdog, seconds).run();
  };
  return arguments.input.with_timed_model(work, &watchdog.activity().doing);
}

}  // namespace

void add_simulate(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<SimulateArguments>();
  SimulateOptions& o = arguments->options;
  CLI::App* command = app.add_subcommand("simulate", "initialise and integrate");
  arguments->input.add_options(*command);
  arguments->starts.add_options(*command);
  command->add_option("--start", o.start, "start time");
  command->add_option("--stop", o.stop, "stop time; before the start time: backwards");
  command->add_option("--tolerance", o.tolerance, "relative tolerance");
  command->add_option("--atol", o.atol, "absolute tolerance, times the nominal value");
  command->add_option("--solver", arguments->solver, "auto, taylor or ida")
      ->check(CLI::IsMember({"auto", "taylor", "ida"}));
  command
      ->add_option("--jacobian", arguments->jacobian,
                   "of ida: assembled, or differences for comparison")
      ->check(CLI::IsMember({"assembled", "differences"}));
  command->add_option("--order", o.order,
                      "order of the Taylor series, 5 to 60; 0: from the tolerance");
  command->add_option("--max-step", o.max_step, "longest step");
  command
      ->add_option("--events", arguments->events,
                   "how sure: estimated, or certified by proofs in every step")
      ->check(CLI::IsMember({"estimated", "certified"}));
  command
      ->add_option("--redundant", arguments->redundant,
                   "equations that follow from the others: refuse, or drop and check them")
      ->check(CLI::IsMember({"refuse", "drop"}));
  command
      ->add_option("--impulse-coefficients", arguments->impulse_coefficients,
                   "of a coefficient that jumps with its impulse: path, mean or middle")
      ->check(CLI::IsMember({"path", "mean", "middle"}));
  auto* points = command->add_option("--points", o.points, "number of output points");
  auto* interval = command->add_option("--interval", o.interval, "output interval");
  interval->excludes(points);
  command->add_option("--times", o.times, "exactly these output times: 0,0.5,2")
      ->delimiter(',')
      ->excludes(points)
      ->excludes(interval)
      ->type_name("T,...")
      ->allow_extra_args(false);
  command
      ->add_option("--event-rows", arguments->event_rows,
                   "on: both limits at every event as well; off: the output times alone")
      ->check(CLI::IsMember({"on", "off"}));
  command->add_option("--vars", arguments->variables, "names to write, with * and ?: x,der(x),a.*")
      ->type_name("GLOB,...");
  command->add_option("--output", arguments->files.rows, "FILE.csv, .mat, .json, or - for CSV");
  command->add_option("--plot", arguments->files.plot, "FILE.svg, .png or .pdf");
  command->add_option("--stats", arguments->files.stats, "FILE for statistics as JSON, or -");
  repeatable(command->add_option("--input", arguments->signals,
                                 "FILE.csv or .mat with signals of inputs, by name (repeatable)"),
             "FILE");
  command
      ->add_option("--interpolation", arguments->interpolation,
                   "of --input between its rows: linear, step or spline")
      ->check(CLI::IsMember({"linear", "step", "spline"}));
  command->add_option("--save-state", arguments->files.state,
                      "FILE for the state where the run ends, or --at a time");
  command->add_option("--at", o.state.save_at, "time of --save-state")->type_name("T");
  command->add_option("--resume", arguments->resumed_state, "go on from the state in this FILE");
  command->add_flag("--quiet", arguments->quiet, "print nothing but results asked for, and errors");
  command->add_flag("--no-progress", arguments->no_progress, "no progress line");
  command->callback([arguments, &run] { run = [arguments] { return run_simulate(*arguments); }; });
}

}  // namespace hydae::tool
