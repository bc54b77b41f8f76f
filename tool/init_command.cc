// hydae init INPUT: a consistent initial point.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <memory>

#include <hydae/initialize.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"

namespace hydae::tool {
namespace {

struct InitArguments {
  Input input;
  StartArguments starts;
  std::optional<double> time;
  std::string format = "text";
  std::string output = "-";
};

int run_init(const InitArguments& arguments, const Model& model) {
  InitializeOptions options;
  options.time = arguments.time;
  options.start_values = arguments.starts.parse();
  const InitialPoint point = initialize(model, options);
  write_output(arguments.output, arguments.format == "json" ? to_json(point) : to_text(point));
  fmt::print(stderr, "{}", render(point.diagnostics, model.sources.get()));
  return point.succeeded() ? kDone : kComputationFailed;
}

}  // namespace

void add_init(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<InitArguments>();
  CLI::App* command = app.add_subcommand("init", "consistent initial point");
  arguments->input.add_options(*command);
  arguments->starts.add_options(*command);
  command->add_option("--time", arguments->time, "instead of the model's start time");
  command->add_option("--format", arguments->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--output", arguments->output, "file to write; - is standard output");
  command->callback([arguments, &run] {
    run = [arguments] {
      return arguments->input.with_model([&](Model& model) { return run_init(*arguments, model); });
    };
  });
}

}  // namespace hydae::tool
