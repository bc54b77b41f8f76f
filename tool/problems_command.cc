// hydae problems: the problem library, a line each; with a name, one problem in full.
#include <CLI/App.hpp>
#include <memory>

#include <hydae/problems.h>

#include "tool/command.h"
#include "tool/output.h"

namespace hydae::tool {

void add_problems(CLI::App& app, Run& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("problems", "the built-in problem library");
  command->add_option("NAME", *name, "show this problem: equations, source, known solution");
  command->callback([name, &run] {
    run = [name] {
      write_output("-",
                   name->empty() ? render_problem_list() : render_problem(*find_problem(*name)));
      return kDone;
    };
  });
}

}  // namespace hydae::tool
