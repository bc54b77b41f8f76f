// `hydae COMMAND INPUT`: parses the command line, runs one command and turns failures into messages
// and exit statuses.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

#include <hydae/diagnostic.h>
#include <hydae/error.h>

#include "tool/command.h"
#include "tool/failure.h"
#include "tool/output.h"
#include "tool/result_file.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

// Help and version are results; what is wrong with the arguments is a message.
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, err;
  const int status = app.exit(error, out, err);
  if (!out.str().empty()) write_output("-", out.str());
  say(err.str());
  return status == 0 ? kDone : kWrongUsage;
}

struct NamedFile {
  std::string what, file;
};

// Of what a command writes each has a file of its own, which is not what it reads. A state may
// take the place of the one from which the run goes on.
void refuse_same_files(const CLI::App& command) {
  std::vector<NamedFile> used;
  for (const CLI::Option* option : command.get_options())
    if (const std::string name = option->get_name(); name == "INPUT" && !option->empty())
      used.push_back({"the model", option->results().front()});  // behind it the class
    else if (name == "--input")
      for (const std::string& file : option->results()) used.push_back({name, file});
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    const bool is_written = name == "--output" || name == "--plot" || name == "--stats" ||
                            name == "--save-state" || name == "--subsystem";
    if (!is_written || option->empty()) continue;
    const std::string file = option->results().back();
    for (const NamedFile& other : used)
      if (is_same_file(other.file, file))
        throw UsageError(fmt::format("{} and {} mean the same file `{}`", other.what, name, file));
    used.push_back({name, file});
  }
}

// An empty word is a variable of a script that has no value, not a wish for the default.
void refuse_empty_values(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    for (const std::string& value : option->results())
      if (value.empty() && !option->get_positional())
        throw UsageError(option->get_name() + " has an empty value");
}

// Numbers and times, by the name of their type in the help.
bool takes_numbers(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  for (const char* name : {"FLOAT", "SECONDS", "MB", "T,"})
    if (type.starts_with(name)) return true;
  return type == "T";
}

// What is no number compares as if it were in every range.
void refuse_nan(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!takes_numbers(*option)) continue;
    for (const std::string& value : option->results())
      if (std::isnan(std::strtod(value.c_str(), nullptr)))
        throw UsageError(fmt::format("{} is a number, not `{}`", option->get_name(), value));
  }
}

// The first word names a command: what is meant by another one can be guessed.
void require_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::find(names, word) != names.end() || app.get_option_no_throw(word) != nullptr)
    return;
  const std::vector<std::string> near = nearest_names(word, names);
  throw UsageError(fmt::format("there is no {} `{}`{}; `hydae --help` lists what there is",
                               word.starts_with("-") ? "option" : "command", word,
                               near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
}

int run_tool(int argc, char** argv) {
  CLI::App app{"hydae simulates hybrid differential-algebraic equations of any order and index",
               "hydae"};
  app.set_version_flag("--version", "hydae " HYDAE_VERSION);
  app.require_subcommand(1);
  Run run;
  add_simulate(app, run);
  add_analyze(app, run);
  add_init(app, run);
  add_check(app, run);
  add_flatten(app, run);
  add_partition(app, run);
  add_dump(app, run);
  add_problems(app, run);
  if (argc > 1) require_command(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  for (const CLI::App* command : app.get_subcommands()) {
    refuse_empty_values(*command);
    refuse_nan(*command);
    refuse_same_files(*command);
  }
  return run();
}

}  // namespace
}  // namespace hydae::tool

int main(int argc, char** argv) {
  using namespace hydae::tool;
  prepare_standard_streams();
  try {
    return run_tool(argc, argv);
  } catch (const ReaderGone&) {
    end_for_want_of_a_reader();
  } catch (...) {
    const ReportedFailure failure = describe_failure(std::current_exception());
    say(failure.text);
    return failure.exit_status;
  }
}
