// hydae simulate INPUT: initialise and integrate.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <memory>

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/plot.h"
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

void write_trajectory(const Trajectory& trajectory, const std::string& file) {
  const std::string suffix = suffix_of(file);
  if (file == "-" || suffix == ".csv")
    write_output(file, to_csv(trajectory));
  else if (suffix == ".json")
    write_output(file, to_json(trajectory));
  else
    write_output(file, to_mat(trajectory));
}

std::string heading(const Summary& s, const std::string& name, bool has_values) {
  if (!has_values)
    return fmt::format("{}: no consistent initial point; `hydae init` shows the best one\n", name);
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

std::string last_values(const Trajectory& t, double t_end) {
  constexpr std::size_t kMostShown = 24;
  const std::size_t last = t.num_rows() - 1;
  std::string out;
  if (t.times()[last] != t_end) out += fmt::format("  at t = {:.10g}:\n", t.times()[last]);
  for (std::size_t k = 0; k < std::min(kMostShown, t.columns().size()); ++k) {
    const Column& column = t.columns()[k];
    out += fmt::format("  {} = {:.10g}{}\n", column.name, t.value(last, k),
                       column.unit.empty() ? "" : " " + column.unit);
  }
  if (t.columns().size() > kMostShown)
    out += fmt::format("  ... and {} more\n", t.columns().size() - kMostShown);
  return out;
}

std::string describe(const Simulation& simulation, const std::string& name) {
  const Summary& s = simulation.summary;
  const Trajectory& t = simulation.trajectory;
  const bool has_values = t.num_rows() > 0;
  std::string out = heading(s, name, has_values);
  if (!has_values) return out;
  out += last_values(t, s.t_end);
  if (!s.events.empty())
    out += fmt::format("{} event{}\n", s.events.size(), s.events.size() == 1 ? "" : "s");
  double total = 0;
  for (const auto& [what, seconds] : s.seconds) total += seconds;
  out += fmt::format("{:.3g} s, of which integration {:.3g} s\n", total,
                     s.seconds.count("integrate") ? s.seconds.at("integrate") : 0.0);
  out += "the trajectory: --output FILE.csv (.mat, .json), or --plot FILE.svg (.png)\n";
  return out;
}

void report(const Summary& summary) {
  for (const std::string& warning : summary.warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (!summary.succeeded())
    fmt::print(stderr, "{} [{}]\n", summary.message, name_of(summary.status));
}

int run_simulate(SimulateArguments arguments, const Model& model) {
  check_suffix(arguments.output, {".csv", ".mat", ".json"});
  check_suffix(arguments.plot, {".svg", ".png"});
  SimulateOptions& options = arguments.options;
  options.start_values = arguments.starts.parse();
  options.variables = split(arguments.variables);
  options.jacobian =
      arguments.jacobian == "differences" ? JacobianBy::kDifferences : JacobianBy::kAssembly;
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
  command
      ->add_option("--jacobian", arguments->jacobian,
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
