// `hydae COMMAND INPUT`: parses the command line, runs one command and turns failures into messages
// and exit statuses.
#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/core.h>
#include <new>

#include <hydae/error.h>

#include "tool/command.h"

namespace hydae::tool {
namespace {

int run_command(const Run& run) {
  try {
    return run();
  } catch (const ModelError& error) {
    fmt::print(stderr, "{}", error.what());
    return kModelWrong;
  } catch (const UsageError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return kWrongUsage;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "error: out of memory [out-of-memory]\n");
    return kComputationFailed;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\n   help: this is a fault of hydae, please report it\n",
               error.what());
    return kInternalError;
  }
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
    return app.exit(error) == 0 ? kDone : kWrongUsage;
  }
  return run_command(run);
}

}  // namespace
}  // namespace hydae::tool

int main(int argc, char** argv) { return hydae::tool::run_tool(argc, argv); }
