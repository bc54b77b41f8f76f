// hydae check INPUT: diagnostics only. hydae flatten INPUT: the flat model as Modelica text.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <memory>

#include <hydae/analyze.h>
#include <hydae/modelica.h>

#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

// The mode is a guess from the start values: if the equations are solvable by their structure but
// their Jacobian is singular there, the mode that the initialization finds may well be regular.
Diagnostics judged_in_one_mode(const Analysis& analysis) {
  Diagnostics out;
  for (Diagnostic diagnostic : analysis.diagnostics.items()) {
    if (diagnostic.code == "singular-jacobian") {
      diagnostic.severity = Severity::kWarning;
      const std::string verdict = "structural analysis fails: ";
      if (diagnostic.message.starts_with(verdict))
        diagnostic.message.replace(0, verdict.size(), "at the start values ");
      diagnostic.notes.push_back(
          {fmt::format("{} switches are set as the start values suggest: the mode that the "
                       "initialization finds may be regular",
                       analysis.mode.size()),
           {}});
    }
    out.add(std::move(diagnostic));
  }
  return out;
}

int run_check(const Model& model) {
  const Analysis analysis = analyze(model);
  const Diagnostics diagnostics =
      analysis.mode.empty() ? analysis.diagnostics : judged_in_one_mode(analysis);
  say(render(diagnostics, model.sources.get()));
  if (!analysis.well_posed || diagnostics.has_errors()) return kModelWrong;
  write_output("-", fmt::format("{}: {} equations, {} unknowns, no errors\n", model.name(),
                                analysis.equations.size(), analysis.variables.size()));
  return kDone;
}

}  // namespace

void add_check(CLI::App& app, Run& run) {
  auto input = std::make_shared<Input>();
  CLI::App* command = app.add_subcommand("check", "parse, instantiate, balance: diagnostics only");
  input->add_options(*command);
  command->callback(
      [input, &run] { run = [input] { return input->with_watched_model(run_check); }; });
}

void add_flatten(CLI::App& app, Run& run) {
  auto input = std::make_shared<Input>();
  auto output = std::make_shared<std::string>("-");
  CLI::App* command = app.add_subcommand("flatten", "the flat model as Modelica text");
  input->add_options(*command);
  command->add_option("--output", *output, "file to write; - is standard output");
  command->callback([input, output, &run] {
    run = [input, output] {
      return input->with_watched_model([&](const Model& model) {
        write_output(*output, flatten_to_text(model));
        return static_cast<int>(kDone);
      });
    };
  });
}

}  // namespace hydae::tool
