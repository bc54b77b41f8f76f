// `hydae COMMAND INPUT`: parses the command line, runs one command and turns failures into messages
// and exit statuses.
#include <CLI/CLI.hpp>
#include <sstream>

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
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
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
