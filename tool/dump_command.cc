// hydae dump --stage NAME INPUT: what one station between text and numbers makes of a model.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <memory>

#include <hydae/analyze.h>
#include <hydae/dump.h>
#include <hydae/error.h>
#include <hydae/initialize.h>
#include <hydae/modelica.h>

#include "syntax/parser.h"
#include "syntax/printer.h"
#include "tool/command.h"
#include "tool/input.h"
#include "tool/output.h"
#include "tool/standard_streams.h"
#include "tool/text_file.h"

namespace hydae::tool {
namespace {

struct DumpArguments {
  Input input;
  std::string stage;
  double alpha = 1;
  std::string output = "-";
};

int dump_syntax(const DumpArguments& arguments) {
  const std::string& path = arguments.input.words.front();
  SourceSet sources;
  syntax::SymbolTable symbols;
  const syntax::SyntaxFile file =
      syntax::parse(sources, sources.add(path, read_text_file(path)), symbols);
  say(render(file.diagnostics, &sources));
  write_output(arguments.output, syntax::Printer(sources, symbols).print(file));
  return file.diagnostics.has_errors() ? kModelWrong : kDone;
}

std::string product(const DumpArguments& arguments, const Model& model) {
  const std::string& stage = arguments.stage;
  if (stage == "model") return flatten_to_text(model);
  if (stage == "structure") return to_json(analyze(model, at_initial_point(model)));
  if (stage == "program") return start_program_text(model);
  if (stage == "reduced") return reduced_system_text(model, at_initial_point(model));
  if (stage == "jacobian")
    return jacobian_blocks_text(model, arguments.alpha, at_initial_point(model));
  throw InternalError("no stage " + stage);
}

int dump_state(const DumpArguments& arguments, const Model& model) {
  const InitialPoint point = initialize(model);
  write_output(arguments.output, to_json(point));
  say(render(point.diagnostics, model.sources.get()));
  return point.succeeded() ? kDone : kComputationFailed;
}

int run_dump(const DumpArguments& arguments) {
  if (arguments.stage == "syntax") return dump_syntax(arguments);
  return arguments.input.with_watched_model("making the dump", [&](const Model& model) {
    if (arguments.stage == "state") return dump_state(arguments, model);
    write_output(arguments.output, product(arguments, model));
    return static_cast<int>(kDone);
  });
}

}  // namespace

void add_dump(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<DumpArguments>();
  CLI::App* command = app.add_subcommand("dump", "what a station between text and numbers makes");
  arguments->input.add_options(*command);
  command
      ->add_option(
          "--stage", arguments->stage,
          "syntax: the file as it was read; model: flat; structure: JSON of the analysis; "
          "program: operations of the Taylor solver; reduced: the system of index one "
          "that ida integrates; jacobian: its matrix, code and formulas apart; state: JSON of "
          "the consistent start")
      ->required()
      ->check(CLI::IsMember(
          {"syntax", "model", "structure", "program", "reduced", "jacobian", "state"}));
  command->add_option("--alpha", arguments->alpha,
                      "of the matrix dF/dx + alpha dF/dx' of the stage jacobian (1)");
  command->add_option("--output", arguments->output, "file to write; - is standard output");
  command->callback([arguments, &run] { run = [arguments] { return run_dump(*arguments); }; });
}

}  // namespace hydae::tool
