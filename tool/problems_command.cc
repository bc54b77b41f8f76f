// hydae problems: the problem library, a line each; with a name, one problem in full.
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <memory>

#include <hydae/problems.h>

#include "tool/command.h"
#include "tool/output.h"

namespace hydae::tool {
namespace {

std::string listing() {
  std::string out;
  for (const Problem* problem : all_problems()) {
    out += fmt::format("{:<28} {:<10} {}\n", problem->full_name(),
                       problem_kind_name(problem->kind()), problem->title());
  }
  return out;
}

std::string equations_text(const Model& model) {
  std::string out;
  for (const Equation& equation : model.equations())
    out += fmt::format("  {}: {} = {}\n", equation.name, model.to_string(equation.lhs),
                       model.to_string(equation.rhs));
  return out;
}

std::string description(const Problem& problem) {
  const Model model = problem.make_model();
  return fmt::format("{}: {}\n\n{}\n\nsource: {}\nfrom t = {} to {}\n{}", problem.full_name(),
                     problem.title(), problem.description(), problem.source(),
                     model.experiment.start_time.value_or(0),
                     model.experiment.stop_time.value_or(1), equations_text(model));
}

}  // namespace

void add_problems(CLI::App& app, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("problems", "the built-in problem library");
  command->add_option("NAME", *name, "show this problem: its equations and where it comes from");
  command->callback([name, &run] {
    run = [name] {
      write_output("-", name->empty() ? listing() : description(*find_problem(*name)));
      return kDone;
    };
  });
}

}  // namespace hydae::tool
