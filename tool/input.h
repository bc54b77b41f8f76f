// The INPUT of every command: a Modelica file, a class on the library path, or `problem:NAME`.
#pragma once

#include <string>
#include <vector>

#include <hydae/initialize.h>
#include <hydae/model.h>

namespace CLI {
class App;
}

namespace hydae::tool {

struct Input {
  std::vector<std::string> words;         // INPUT and, for a file of several classes, the class
  std::vector<std::string> library_path;  // --path
  std::vector<std::string> settings;      // --set NAME=VALUE

  void add_options(CLI::App& command);
  // Throws UsageError for an input that does not exist, ModelError for a model that is wrong.
  Model load() const;
};

// --start-value and --fixed.
struct StartArguments {
  std::vector<std::string> guesses, fixed;  // NAME=VALUE

  void add_options(CLI::App& command);
  std::vector<StartOverride> parse() const;
};

}  // namespace hydae::tool
