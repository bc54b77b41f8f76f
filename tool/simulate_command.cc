// hydae simulate INPUT: initialise and integrate.
#include <CLI/App.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/progress.h"

namespace hydae::tool {
namespace {

struct SimulateArguments {
  Input input;
  StartArguments starts;
  SimulateOptions options;
  std::string solver = "auto", jacobian = "assembled";
  std::string variables;
  std::string output, plot, stats;
  bool quiet = false, no_progress = false;
};

std::vector<std::string> split(const std::string& text) {
  // Commas inside parentheses belong to a name: der(x,2).
  std::vector<std::string> parts(1);
  int depth = 0;
  for (char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (parts.size() == 1 && parts[0].empty()) parts.clear();
  return parts;
}

std::string suffix_of(const std::string& file) {
  return std::filesystem::path(file).extension().string();
}

void write_trajectory(const Trajectory& trajectory, const std::string& file) {
  const std::string suffix = suffix_of(file);
  if (file == "-" || suffix == ".csv")
    write_output(file, to_csv(trajectory));
  else if (suffix == ".json")
    write_output(file, to_json(trajectory));
  else
    write_output(file, to_mat(trajectory));
}

void check_suffix(const std::string& file, const std::vector<std::string>& allowed) {
  if (file.empty() || file == "-") return;
  for (const std::string& suffix : allowed)
    if (suffix_of(file) == suffix) return;
  throw UsageError(fmt::format("`{}`: the file name must end in {}", file, quoted_list(allowed)));
}

void draw(const Trajectory& trajectory, const std::string& title, const std::string& file) {
  PlotOptions plot;
  plot.title = title;
  plot.format = suffix_of(file).substr(1);
  const std::string script = to_gnuplot(trajectory, plot, file);
  std::FILE* pipe = popen("gnuplot", "w");
  if (pipe == nullptr) throw UsageError("gnuplot cannot be started");
  const bool is_written = std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  if (pclose(pipe) != 0 || !is_written)
    throw UsageError(fmt::format("gnuplot could not draw `{}`", file));
}

std::string describe(const Simulation& simulation, const std::string& name) {
  const Summary& s = simulation.summary;
  const std::string order = s.solver == "taylor" ? fmt::format(" of order {}", s.order) : "";
  std::string out = fmt::format("{}: {} to t = {:.10g}, {} steps{}, tolerance {:.3g}, solver {}\n",
                                name, s.succeeded() ? "simulated" : "stopped on the way", s.t_end,
                                s.steps, order, s.tolerance, s.solver);
  if (!s.solver_choice.empty()) out += fmt::format("solver auto: {}\n", s.solver_choice);
  const Trajectory& t = simulation.trajectory;
  constexpr std::size_t kMostShown = 24;
  if (t.num_rows() > 0) {
    for (std::size_t k = 0; k < std::min(kMostShown, t.columns().size()); ++k) {
      const Column& column = t.columns()[k];
      out += fmt::format("  {} = {:.10g}{}\n", column.name, t.value(t.num_rows() - 1, k),
                         column.unit.empty() ? "" : " " + column.unit);
    }
    if (t.columns().size() > kMostShown)
      out += fmt::format("  ... and {} more\n", t.columns().size() - kMostShown);
  }
  if (!s.events.empty()) out += fmt::format("{} events\n", s.events.size());
  double total = 0;
  for (const auto& [what, seconds] : s.seconds) total += seconds;
  out += fmt::format("{:.3g} s, of which integration {:.3g} s\n", total,
                     s.seconds.count("integrate") ? s.seconds.at("integrate") : 0.0);
  out += "the trajectory: --output FILE.csv (.mat, .json), or --plot FILE.svg (.png)\n";
  return out;
}

void report(const Summary& summary) {
  for (const std::string& warning : summary.warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (!summary.succeeded()) fmt::print(stderr, "{} [{}]\n", summary.message, summary.status);
}

int run_simulate(SimulateArguments arguments, const Model& model) {
  check_suffix(arguments.output, {".csv", ".mat", ".json"});
  check_suffix(arguments.plot, {".svg", ".png"});
  SimulateOptions& options = arguments.options;
  options.start_values = arguments.starts.parse();
  options.variables = split(arguments.variables);
  options.jacobian = arguments.jacobian == "differences" ? JacobianBy::kDifferences
                                                         : JacobianBy::kAssembly;
  options.solver = arguments.solver == "ida"      ? Solver::kIda
                   : arguments.solver == "taylor" ? Solver::kTaylor
                                                  : Solver::kAuto;
  Progress progress(!arguments.quiet && !arguments.no_progress);
  progress.attach(options, model);
  const Simulation simulation = simulate(model, options);
  progress.finish();
  if (!arguments.output.empty()) write_trajectory(simulation.trajectory, arguments.output);
  if (!arguments.plot.empty()) draw(simulation.trajectory, model.name(), arguments.plot);
  if (!arguments.stats.empty()) write_output(arguments.stats, to_json(simulation.summary));
  if (arguments.output.empty() && arguments.plot.empty() && !arguments.quiet)
    write_output("-", describe(simulation, model.name()));
  report(simulation.summary);
  return simulation.summary.succeeded() ? kDone : kComputationFailed;
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
  command->add_option("--jacobian", arguments->jacobian,
                      "of ida: assembled, or differences for comparison")
      ->check(CLI::IsMember({"assembled", "differences"}));
  command->add_option("--order", o.order, "order of the Taylor series; 0: from the tolerance")
      ->check(CLI::Range(0, 60));
  command->add_option("--max-step", o.max_step, "longest step");
  auto* points = command->add_option("--points", o.points, "number of output points");
  command->add_option("--interval", o.interval, "output interval")->excludes(points);
  command->add_option("--vars", arguments->variables, "names to write, with * and ?: x,der(x),a.*")
      ->type_name("GLOB,...");
  command->add_option("--output", arguments->output, "FILE.csv, .mat, .json, or - for CSV");
  command->add_option("--plot", arguments->plot, "FILE.svg or FILE.png");
  command->add_option("--stats", arguments->stats, "FILE for statistics as JSON, or -");
  command->add_flag("--quiet", arguments->quiet, "print nothing but results asked for, and errors");
  command->add_flag("--no-progress", arguments->no_progress, "no progress line");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->input.with_model(
          [&](Model& model) { return run_simulate(*arguments, model); });
    };
  });
}

}  // namespace hydae::tool
