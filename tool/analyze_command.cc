// hydae analyze INPUT: the structure of a model as text, JSON or a picture.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <map>
#include <memory>

#include <hydae/analyze.h>
#include <hydae/error.h>
#include <hydae/initialize.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/repeatable.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

struct AnalyzeArguments {
  Input input;
  std::string format = "text";
  std::string scheme = "compact";
  std::string output = "-";
  std::vector<std::string> mode;
  bool no_repair = false;
  bool shows_jacobian = false;
  std::string trace;
};

// "2=true": the truth of the second relation.
void set_relation(std::vector<bool>& mode, const std::string& text, std::size_t num_relations) {
  if (num_relations == 0)
    throw UsageError(fmt::format("`--mode {}`: the model has no switches", text));
  const std::size_t equals = text.find('=');
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const std::size_t number = std::strtoul(text.c_str(), nullptr, 10);
  if (number < 1 || number > num_relations || (value != "true" && value != "false"))
    throw UsageError(
        fmt::format("`--mode {}` is not of the form NUMBER=true or NUMBER=false with a "
                    "number from 1 to {}",
                    text, num_relations));
  mode[number - 1] = value == "true";
}

AnalyzeOptions make_options(const AnalyzeArguments& arguments, const Model& model) {
  AnalyzeOptions options;
  options.repair = !arguments.no_repair;
  options.show_jacobian = arguments.shows_jacobian;
  if (!arguments.mode.empty()) {
    options.mode = start_mode(model);
    for (const std::string& text : arguments.mode)
      set_relation(options.mode, text, options.mode.size());
  }
  return options;
}

std::string formatted(const Analysis& analysis, const AnalyzeArguments& arguments) {
  if (arguments.format == "json") return to_json(analysis);
  if (arguments.format == "svg") return to_svg(analysis);
  const SchemeDetail detail = arguments.scheme == "full"   ? SchemeDetail::kFull
                              : arguments.scheme == "none" ? SchemeDetail::kNone
                                                           : SchemeDetail::kCompact;
  return to_text(analysis, detail);
}

// Switches are as at the start of a run, but for those that are given.
AnalyzeOptions options_at_start(const AnalyzeArguments& arguments, const Model& model) {
  const AnalyzeOptions options = make_options(arguments, model);
  const bool needs_point = arguments.shows_jacobian || arguments.trace == "dummy" ||
                           (options.mode.empty() && !relation_texts(model).empty());
  return needs_point ? at_initial_point(model, options) : options;
}

int run_trace(const AnalyzeArguments& arguments, const Model& model) {
  static const std::map<std::string, Trace> kTraces = {{"matching", Trace::kMatching},
                                                       {"blt", Trace::kBlt},
                                                       {"pantelides", Trace::kPantelides},
                                                       {"dummy", Trace::kDummy}};
  write_output(arguments.output,
               trace(model, kTraces.at(arguments.trace), options_at_start(arguments, model)));
  return kDone;
}

int run_analyze(const AnalyzeArguments& arguments, const Model& model) {
  if (!arguments.trace.empty()) return run_trace(arguments, model);
  const Analysis analysis = analyze(model, options_at_start(arguments, model));
  write_output(arguments.output, formatted(analysis, arguments));
  say(render(analysis.diagnostics, model.sources.get()));
  return analysis.succeeded() ? kDone : kModelWrong;
}

}  // namespace

void add_analyze(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<AnalyzeArguments>();
  CLI::App* command = app.add_subcommand("analyze", "structural analysis report");
  arguments->input.add_options(*command);
  command->add_option("--format", arguments->format, "text, json or svg")
      ->check(CLI::IsMember({"text", "json", "svg"}));
  command
      ->add_option("--scheme", arguments->scheme,
                   "solution scheme in the text: none, compact, full")
      ->check(CLI::IsMember({"none", "compact", "full"}));
  command->add_option("--output", arguments->output, "file to write; - is standard output");
  repeatable(command->add_option("--mode", arguments->mode,
                                 "truth of a switch, by its number (repeatable)"),
             "NUMBER=BOOL");
  command->add_flag("--jacobian", arguments->shows_jacobian,
                    "show the system Jacobian, symbolic and at the consistent start");
  command
      ->add_option("--trace", arguments->trace,
                   "the steps of an algorithm: matching, blt, pantelides, dummy")
      ->check(CLI::IsMember({"matching", "blt", "pantelides", "dummy"}));
  command->add_flag("--no-repair", arguments->no_repair,
                    "report the equations as they are written");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->input.with_watched_model(
          "analyzing the equations", [&](Model& model) { return run_analyze(*arguments, model); });
    };
  });
}

}  // namespace hydae::tool
