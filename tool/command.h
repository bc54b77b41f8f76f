// The commands of the tool. Each `add_*` registers one subcommand; the chosen one leaves its work
// in `run`, which returns the exit status of the program.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace hydae::tool {

// Exit status of the program: a contract with scripts.
enum ExitStatus {
  kDone = 0,
  kModelWrong = 1,         // diagnostics on standard error
  kWrongUsage = 2,         // unknown option, unknown input
  kComputationFailed = 3,  // partial output kept, reason on standard error
  kInternalError = 4,
};

using Run = std::function<int()>;

void add_analyze(CLI::App& app, Run& run);
void add_init(CLI::App& app, Run& run);
void add_simulate(CLI::App& app, Run& run);
void add_check(CLI::App& app, Run& run);
void add_flatten(CLI::App& app, Run& run);
void add_partition(CLI::App& app, Run& run);
void add_dump(CLI::App& app, Run& run);
void add_problems(CLI::App& app, Run& run);

}  // namespace hydae::tool
