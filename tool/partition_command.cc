// hydae partition INPUT: the largest index-1 or index-2 subsystem, with reasons.
#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/partition.h>
#include <hydae/simulate.h>

#include "tool/command.h"
#include "tool/failure.h"
#include "tool/input.h"
#include "tool/names.h"
#include "tool/output.h"
#include "tool/repeatable.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

struct PartitionArguments {
  Input input;
  StartArguments starts;
  std::vector<double> times;
  std::string point = "start";
  int policy = 2;
  partition::Options options;
  std::vector<std::string> candidates;
  bool no_stability = false, estimates_only = false;
  std::string sums = "exact";
  std::string format = "text";
  std::string output = "-";
  std::string subsystem;  // file
};

std::vector<std::string> split_lists(const std::vector<std::string>& lists) {
  std::vector<std::string> names;
  for (const std::string& list : lists)
    for (std::string& name : split_names(list)) names.push_back(std::move(name));
  return names;
}

// Values of all variables at the times, from a simulation that begins at the model's start.
void add_simulated_points(const Model& model, const PartitionArguments& arguments,
                          partition::Options& options) {
  SimulateOptions run;
  run.start_values = arguments.starts.parse(model);
  for (double t : arguments.times) run.times.push_back(t);
  std::sort(run.times.begin(), run.times.end());
  run.start = model.experiment.start_time.value_or(0.0);
  run.stop = run.times.back();
  if (!(*run.stop > *run.start))
    throw UsageError("`--point simulated` needs a `--time` after the start of the model");
  const Simulation simulation = simulate(model, run);
  const Trajectory& table = simulation.trajectory;
  for (double t : arguments.times) {
    const auto& times = table.times();
    const auto at = std::find(times.rbegin(), times.rend(), t);  // the right limit at an event
    if (at == times.rend())
      throw ComputationError(
          simulation.summary.status,
          fmt::format("the simulation did not reach t = {}: {}", t, simulation.summary.message));
    const auto row = static_cast<std::size_t>(times.rend() - at) - 1;
    partition::TimePoint point{t, {}};
    for (std::size_t j = 0; j < table.columns().size(); ++j)
      point.values.push_back({table.columns()[j].name, table.value(row, j), false});
    options.points.push_back(std::move(point));
  }
}

partition::Options make_options(const PartitionArguments& arguments, const Model& model) {
  partition::Options options = arguments.options;
  options.policy = static_cast<partition::Policy>(arguments.policy);
  options.check_stability = !arguments.no_stability;
  options.confirm_by_exact_norm = !arguments.estimates_only;
  if (arguments.sums == "paper") options.sums = partition::Sums::kPaper;
  options.must_include = split_lists(options.must_include);
  options.inputs = split_lists(options.inputs);
  if (!arguments.candidates.empty()) options.candidates = split_lists(arguments.candidates);
  if (arguments.point == "simulated" && !arguments.times.empty()) {
    add_simulated_points(model, arguments, options);
    return options;
  }
  if (arguments.point == "simulated")
    throw UsageError("`--point simulated` needs the `--time` to simulate to");
  if (arguments.point == "consistent") options.source = partition::PointSource::kConsistent;
  std::vector<double> times = arguments.times;
  if (times.empty()) times.push_back(model.experiment.start_time.value_or(0.0));
  const std::vector<StartOverride> starts = arguments.starts.parse(model);
  for (double t : times) options.points.push_back({t, starts});
  return options;
}

// No point to look at is no fault of the model's text.
bool is_about_start(const ModelError& error) {
  return std::ranges::any_of(error.diagnostics().items(), [](const Diagnostic& item) {
    return item.code == name_of(Status::kInitializationFailed) ||
           item.code == name_of(Status::kConflictingStartValues);
  });
}

partition::ModelPartition make_partition(const PartitionArguments& arguments, const Model& model) {
  try {
    return partition::partition_model(model, make_options(arguments, model));
  } catch (const ModelError& error) {
    if (!is_about_start(error)) throw;
    say(error.what());
    throw ComputationError(Status::kInitializationFailed, "there is no point to partition at");
  }
}

int run_partition(const PartitionArguments& arguments, const Model& model) {
  const partition::ModelPartition result = make_partition(arguments, model);
  write_output(arguments.output, arguments.format == "json" ? partition::to_json(result)
                                                            : partition::to_text(result));
  say(render(result.diagnostics, model.sources.get()));
  if (result.combined.index != partition::Index::kSingular) {
    if (!arguments.subsystem.empty())
      write_output(arguments.subsystem, flatten_to_text(partition::make_subsystem(model, result)));
    return kDone;
  }
  say("error: nothing was partitioned: the linearized system is singular at this point; another "
      "`--time` or other start values may decide\n");
  return kModelWrong;
}

void add_search_options(CLI::App& command, PartitionArguments& arguments) {
  partition::Options& options = arguments.options;
  command
      .add_option("--policy", arguments.policy,
                  "choice of variables: 1 all combinations, 2 moderate, 3 largest pivots")
      ->check(CLI::Range(1, 3));
  command.add_option("--tolerance", options.tolerance,
                     "TOL: logarithm of the growth accepted over the duration (20)");
  command.add_option("--tolerance0", options.tolerance0,
                     "TOL_0: three times this is accepted (log norm without constraints)");
  command.add_option("--duration", options.duration, "length of the run (the model's experiment)");
  command.add_option("--rank-tolerance", options.rank_tolerance,
                     "smaller pivots and singular values, relatively, are zero (1e-10)");
  command.add_option("--max-differentiations", options.max_differentiations,
                     "how often a constraint may be differentiated (6)");
  command
      .add_option("--sums", arguments.sums,
                  "what estimates are added to: exact, the norm of the last check; paper, the last "
                  "estimate, norms over all directions")
      ->check(CLI::IsMember({"exact", "paper"}));
  command.add_flag("--no-stability", arguments.no_stability, "structure alone decides");
  command.add_flag("--estimates-only", arguments.estimates_only,
                   "do not confirm a refusal by the exact logarithmic norm");
}

void add_name_options(CLI::App& command, PartitionArguments& arguments) {
  const auto add = [&](const char* name, std::vector<std::string>& list, const char* what) {
    repeatable(command.add_option(name, list, what), "NAME,...");
  };
  add("--must-include", arguments.options.must_include,
      "equations taken whatever their stability, variables that one of them is to determine");
  add("--candidates", arguments.candidates, "the only constraints that may be taken");
  add("--inputs", arguments.options.inputs, "variables that are given functions of time");
}

}  // namespace

void add_partition(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<PartitionArguments>();
  CLI::App* command = app.add_subcommand("partition", "index-1/2 constraint partitioning");
  arguments->input.as_written = true;
  arguments->input.add_options(*command);
  arguments->starts.add_options(*command);
  repeatable(
      command->add_option("--time", arguments->times, "time of the linearization (repeatable)"),
      "T");
  command
      ->add_option("--point", arguments->point,
                   "values at that time: start, consistent or simulated")
      ->check(CLI::IsMember({"start", "consistent", "simulated"}));
  add_search_options(*command, *arguments);
  add_name_options(*command, *arguments);
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--output", arguments->output, "file to write; - is standard output");
  command->add_option("--subsystem", arguments->subsystem,
                      "write the subsystem taken as a flat model; - is standard output");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->input.with_watched_model("partitioning the constraints", [&](Model& model) {
        return run_partition(*arguments, model);
      });
    };
  });
}

}  // namespace hydae::tool
