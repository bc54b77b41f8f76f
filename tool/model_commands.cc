// hydae check INPUT: diagnostics only. hydae flatten INPUT: the flat model as Modelica text.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

#include <hydae/initialize.h>
#include <hydae/modelica.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

std::string listed(const char* what, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("{}: {}\n", what, fmt::join(names, ", "));
}

int run_check(const Model& model) {
  const Analysis analysis = check(model);
  say(render(analysis.diagnostics, model.sources.get()));
  if (!analysis.well_posed || analysis.diagnostics.has_errors()) return kModelWrong;
  write_output("-", fmt::format("{}: {} equations, {} unknowns, no errors\n", model.name(),
                                analysis.equations.size(), analysis.variables.size()) +
                        listed("inputs", analysis.inputs) + listed("outputs", analysis.outputs));
  return kDone;
}

}  // namespace

void add_check(CLI::App& app, Run& run) {
  auto input = std::make_shared<Input>();
  CLI::App* command = app.add_subcommand("check", "parse, instantiate, balance: diagnostics only");
  input->add_options(*command);
  command->callback([input, &run] {
    run = [input] { return input->with_watched_model("checking the equations", run_check); };
  });
}

void add_flatten(CLI::App& app, Run& run) {
  auto input = std::make_shared<Input>();
  auto output = std::make_shared<std::string>("-");
  CLI::App* command = app.add_subcommand("flatten", "the flat model as Modelica text");
  input->add_options(*command);
  command->add_option("--output", *output, "file to write; - is standard output");
  command->callback([input, output, &run] {
    run = [input, output] {
      return input->with_watched_model("writing the flat model", [&](const Model& model) {
        write_output(*output, flatten_to_text(model));
        return static_cast<int>(kDone);
      });
    };
  });
}

}  // namespace hydae::tool
