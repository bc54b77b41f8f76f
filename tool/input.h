// The INPUT of every command: a Modelica file, a class on the library path, or `problem:NAME`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <hydae/initialize.h>
#include <hydae/model.h>

#include "tool/watchdog.h"

namespace CLI {
class App;
}

namespace hydae::tool {

struct Input {
  std::vector<std::string> words;         // INPUT and, for a file of several classes, the class
  std::vector<std::string> library_path;  // --path
  std::vector<std::string> settings;      // --set NAME=VALUE
  bool allow_external = false;            // --allow-external
  std::vector<std::string> allow_files;   // --allow-files
  Limits limits;                          // --time-limit, --memory-limit, --verbose
  bool may_be_unbalanced = false;         // not a model to be simulated: any number of equations
  bool as_written = false;                // the equations of the text, a = b among them

  void add_options(CLI::App& command);
  // Loads the model and gives it to `work`, whose exit status it returns. Diagnostics of a model
  // that is wrong, whenever they are found, go to standard error with the source text they are
  // about.
  int with_model(const std::function<int(Model& model)>& work) const;
  // The same with the time that loading took, by phase.
  using Seconds = std::map<std::string, double>;
  // `doing` is told what loading is at.
  int with_timed_model(const std::function<int(Model& model, const Seconds& seconds)>& work,
                       std::atomic<const char*>* doing = nullptr) const;
  // The same within the limits of time and memory; `doing` continues "the run is ...".
  int with_watched_model(const char* doing, const std::function<int(Model& model)>& work) const;
};

// --start-value and --fixed.
struct StartArguments {
  std::vector<std::string> guesses, fixed;  // NAME=VALUE
  std::string rule_name = "kept";

  void add_options(CLI::App& command);
  std::vector<StartOverride> parse(const Model& model) const;
  Guesses rule() const { return rule_name == "closest" ? Guesses::kClosest : Guesses::kKept; }
};

}  // namespace hydae::tool
