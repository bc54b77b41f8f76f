// hydae init INPUT: a consistent initial point, or with --continue a curve of solutions.
#include <CLI/App.hpp>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <tuple>

#include <hydae/continuation.h>
#include <hydae/error.h>
#include <hydae/initialize.h>

#include "sim/plot.h"
#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/picture_file.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

struct InitArguments {
  Input input;
  StartArguments starts;
  std::optional<double> time;
  std::string format = "text";
  std::string output = "-";
  // Continuation.
  std::string curve;  // NAME=FROM:TO
  std::string range;  // MIN:MAX
  bool is_simple = false;
  ContinuationOptions continuation;
  std::string plot;
};

// "FROM:TO"
std::pair<double, double> parse_interval(const std::string& text) {
  double first = 0, second = 0;
  const char* end = text.data() + text.size();
  const auto left = std::from_chars(text.data(), end, first);
  if (left.ec == std::errc() && left.ptr != end && *left.ptr == ':') {
    const auto right = std::from_chars(left.ptr + 1, end, second);
    if (right.ec == std::errc() && right.ptr == end) return {first, second};
  }
  throw UsageError(fmt::format("`{}` is not of the form NUMBER:NUMBER", text));
}

ContinuationOptions make_options(const InitArguments& arguments, const Model& model) {
  ContinuationOptions options = arguments.continuation;
  const std::size_t equals = arguments.curve.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("`{}` is not of the form NAME=FROM:TO", arguments.curve));
  options.parameter = arguments.curve.substr(0, equals);
  std::tie(options.from, options.to) = parse_interval(arguments.curve.substr(equals + 1));
  if (!arguments.range.empty())
    std::tie(options.min, options.max) = parse_interval(arguments.range);
  options.by_arc_length = !arguments.is_simple;
  options.start_values = arguments.starts.parse(model);
  return options;
}

std::string formatted(const SolutionCurve& curve, const InitArguments& arguments) {
  const std::string suffix = suffix_of(arguments.output);
  if (arguments.format == "csv" || suffix == ".csv") return to_csv(curve.points);
  if (arguments.format == "json" || suffix == ".json") return to_json(curve);
  return to_text(curve);
}

int run_continuation(const InitArguments& arguments, const Model& model) {
  check_suffix(arguments.plot, picture_suffixes());
  const SolutionCurve curve = follow(model, make_options(arguments, model));
  if (!curve.succeeded()) say(fmt::format("{} [{}]\n", curve.message, curve.status));
  if (!arguments.plot.empty())
    write_output(arguments.plot, picture_bytes(plot(curve.points, {.title = model.name()}),
                                               suffix_of(arguments.plot)));
  if (arguments.plot.empty() || arguments.output != "-")
    write_output(arguments.output, formatted(curve, arguments));
  return curve.succeeded() ? kDone : kComputationFailed;
}

int run_init(const InitArguments& arguments, const Model& model) {
  if (!arguments.curve.empty()) return run_continuation(arguments, model);
  if (arguments.format == "csv") throw UsageError("csv is the format of a curve: --continue");
  if (arguments.time && !std::isfinite(*arguments.time))
    throw UsageError(fmt::format("the time {} is not finite", *arguments.time));
  InitializeOptions options;
  options.time = arguments.time;
  options.start_values = arguments.starts.parse(model);
  options.guesses = arguments.starts.rule();
  options.is_least_norm = arguments.input.may_be_unbalanced;
  const InitialPoint point = initialize(model, options);
  write_output(arguments.output, arguments.format == "json" ? to_json(point) : to_text(point));
  say(render(point.diagnostics, model.sources.get()));
  return point.succeeded() ? kDone : kComputationFailed;
}

void add_continuation_options(CLI::App& command, InitArguments& arguments) {
  auto* curve = command
                    .add_option("--continue", arguments.curve,
                                "follow the solution of an algebraic model over a parameter, or "
                                "over time, around turning points")
                    ->type_name("NAME=FROM:TO");
  command.add_option("--range", arguments.range, "leave the curve where the parameter leaves this")
      ->type_name("MIN:MAX")
      ->needs(curve);
  command
      .add_flag("--simple", arguments.is_simple,
                "move the parameter only forwards: a turning point ends the curve")
      ->needs(curve);
  command
      .add_option("--max-step", arguments.continuation.max_step,
                  "longest step along the curve, in nominal values")
      ->needs(curve);
  command.add_option("--max-points", arguments.continuation.max_points, "most points of the curve")
      ->needs(curve);
  command.add_option("--plot", arguments.plot, "the curve as FILE.svg, .png or .pdf")->needs(curve);
}

}  // namespace

void add_init(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<InitArguments>();
  CLI::App* command = app.add_subcommand("init", "consistent initial point; curves of solutions");
  arguments->input.add_options(*command);
  arguments->starts.add_options(*command);
  command->add_option("--time", arguments->time, "instead of the model's start time");
  command->add_flag("--least-norm", arguments->input.may_be_unbalanced,
                    "equations may be singular, too few or too many: the closest point");
  command->add_option("--format", arguments->format, "text or json; csv for a curve")
      ->check(CLI::IsMember({"text", "json", "csv"}));
  command->add_option("--output", arguments->output, "file to write; - is standard output");
  add_continuation_options(*command, *arguments);
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->input.with_watched_model(
          "looking for a consistent initial point",
          [&](Model& model) { return run_init(*arguments, model); });
    };
  });
}

}  // namespace hydae::tool
