#include "tool/input.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <unistd.h>

#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/problems.h>

#include "compile/given_starts.h"
#include "tool/command.h"
#include "tool/interrupt.h"
#include "tool/repeatable.h"
#include "tool/standard_streams.h"

namespace hydae::tool {
namespace {

constexpr std::string_view kProblemPrefix = "problem:";

// NAME of "NAME=VALUE".
std::string name_of_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("`{}` is not of the form NAME=VALUE", text));
  return text.substr(0, equals);
}

// Of a word as --set takes it, too; nothing if it is no value of the variable.
std::optional<double> value_of(std::string_view word, const Variable& variable) {
  if (variable.kind == VariableKind::kBoolean)
    return word == "true" || word == "1"    ? std::optional(1.0)
           : word == "false" || word == "0" ? std::optional(0.0)
                                            : std::nullopt;
  if (!variable.literals.empty()) {
    const std::string_view literal = word.substr(word.rfind('.') + 1);  // of E.literal
    const auto found = std::ranges::find(variable.literals, literal);
    if (found == variable.literals.end()) return std::nullopt;
    return static_cast<double>(found - variable.literals.begin() + 1);
  }
  double value = 0;
  const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
  const bool is_number = result.ec == std::errc() && result.ptr == word.data() + word.size();
  const bool must_be_whole = variable.kind == VariableKind::kInteger;
  if (!is_number || !std::isfinite(value) || (must_be_whole && value != std::floor(value)))
    return std::nullopt;
  return value;
}

double require_value(const std::string& setting, const Variable& variable) {
  const std::string name = name_of_setting(setting);
  const std::string word = setting.substr(name.size() + 1);
  if (const auto value = value_of(word, variable)) return *value;
  throw UsageError(
      fmt::format("`{}` is no value for `{}`, which is {}", word, name, name_of_values(variable)));
}

// A name may be given once: which of two values was meant, nobody knows.
void refuse_twice(const std::vector<std::string>& settings) {
  std::map<std::string, std::string> seen;
  for (const std::string& setting : settings) {
    const auto [at, is_new] = seen.emplace(name_of_setting(setting), setting);
    if (!is_new)
      throw UsageError(
          fmt::format("`{}` is given twice: `{}` and `{}`", at->first, at->second, setting));
  }
}

std::vector<std::string> parameter_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters()) names.push_back(parameter.name);
  return names;
}

void apply_setting(Model& model, const std::string& text) {
  const std::string name = name_of_setting(text);
  if (const auto parameter = model.find_parameter(name)) {
    Variable kind;
    kind.kind = model.parameters()[*parameter].kind;
    model.set_parameter(*parameter, require_value(text, kind));
    return;
  }
  const std::vector<std::string> near = nearest_names(name, parameter_names(model));
  throw UsageError(fmt::format("model `{}` has no parameter `{}`{}", model.name(), name,
                               near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
}

LoadOptions load_options(const Input& input) {
  LoadOptions options;
  for (const std::string& folder : input.library_path) options.library_path.push_back(folder);
  for (const auto& folder : library_path_from_environment()) options.library_path.push_back(folder);
  options.allow_external = input.allow_external;
  options.may_be_unbalanced = input.may_be_unbalanced;
  options.as_written = input.as_written;
  for (const std::string& folder : input.allow_files) options.file_roots.push_back(folder);
  for (const std::string& setting : input.settings) {
    const std::string name = name_of_setting(setting);
    options.parameters[name] = setting.substr(name.size() + 1);
  }
  return options;
}

LoadResult load_problem(const Input& input, const std::string& name) {
  LoadResult result;
  result.model = find_problem(name)->make_model();
  for (const std::string& setting : input.settings) apply_setting(*result.model, setting);
  return result;
}

// Whether the word names a file. A name that cannot be looked up (too long, a loop of links, a
// folder without permission) is said with its reason.
bool is_file(const std::string& word) {
  if (word.empty()) throw UsageError("the name of the model is empty");
  std::error_code error;
  const auto status = std::filesystem::status(word, error);
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw UsageError(fmt::format("cannot read `{}`: {}", word, error.message()));
  if (!std::filesystem::exists(status)) {
    if (word.ends_with(".mo")) throw UsageError(fmt::format("there is no file `{}`", word));
    return false;
  }
  if (!std::filesystem::is_regular_file(status))
    throw UsageError(fmt::format("`{}` is no file", word));
  if (access(word.c_str(), R_OK) != 0)
    throw UsageError(fmt::format("cannot read `{}`: {}", word, std::strerror(errno)));
  return true;
}

void require_folders(const std::vector<std::string>& folders, const char* option) {
  std::error_code error;
  for (const std::string& folder : folders)
    if (!std::filesystem::is_directory(folder, error))
      throw UsageError(fmt::format("{}: there is no folder `{}`", option, folder));
}

LoadResult load_words(const Input& input, std::atomic<const char*>* doing) {
  refuse_twice(input.settings);
  require_folders(input.library_path, "--path");
  require_folders(input.allow_files, "--allow-files");
  const std::string& first = input.words.front();
  const std::string class_name = input.words.size() > 1 ? input.words[1] : "";
  if (first.starts_with(kProblemPrefix))
    return load_problem(input, first.substr(kProblemPrefix.size()));
  LoadOptions options = load_options(input);
  options.doing = doing;
  if (is_file(first)) return load_model(first, class_name, options);
  return load_class(first, options);
}

}  // namespace

void Input::add_options(CLI::App& command) {
  command.add_option("INPUT", words, "file.mo [Class], a class on the path, or problem:NAME")
      ->required()
      ->expected(1, 2);
  repeatable(
      command.add_option("--path", library_path, "folder with Modelica libraries (repeatable)"),
      "DIR");
  command.add_flag("--allow-external", allow_external,
                   "load external functions from shared libraries");
  repeatable(command.add_option(
                 "--allow-files", allow_files,
                 "folder whose files a model may read, beside its own and those of its libraries "
                 "(repeatable)"),
             "DIR");
  limits.add_options(command);
  repeatable(command.add_option("--set", settings, "value of a parameter (repeatable)"),
             "NAME=VALUE");
}

void StartArguments::add_options(CLI::App& command) {
  repeatable(command.add_option("--start-value", guesses,
                                "guess of a start value: x=1, der(x)=0 (repeatable)"),
             "NAME=VALUE");
  command
      .add_option("--guesses", rule_name,
                  "kept: start values that are not fixed are held where that has a solution; "
                  "closest: the point closest to all of them")
      ->check(CLI::IsMember({"kept", "closest"}));
  repeatable(command.add_option("--fixed", fixed, "start value that is held (repeatable)"),
             "NAME=VALUE");
}

std::vector<StartOverride> StartArguments::parse(const Model& model) const {
  std::vector<std::string> all = guesses;
  all.insert(all.end(), fixed.begin(), fixed.end());
  refuse_twice(all);
  std::vector<StartOverride> overrides;
  const auto add = [&](const std::vector<std::string>& texts, bool is_fixed) {
    for (const std::string& text : texts) {
      const std::string name = name_of_setting(text);
      const VarId id = require_named_leaf(model, name).leaf.variable;
      const Variable& variable = model.all_variables()[id];
      overrides.push_back({name, require_value(text, variable), is_fixed});
    }
  };
  add(guesses, false);
  add(fixed, true);
  return overrides;
}

int Input::with_watched_model(const char* doing,
                              const std::function<int(Model& model)>& work) const {
  catch_interrupts();
  Watchdog watchdog(limits);
  const auto then_work = [&](Model& model, const Seconds&) {
    watchdog.activity().doing = doing;
    return work(model);
  };
  return with_timed_model(then_work, &watchdog.activity().doing);
}

int Input::with_model(const std::function<int(Model& model)>& work) const {
  return with_timed_model([&](Model& model, const Seconds&) { return work(model); });
}

int Input::with_timed_model(const std::function<int(Model& model, const Seconds& seconds)>& work,
                            std::atomic<const char*>* doing) const {
  LoadResult loaded = load_words(*this, doing);
  say(render(loaded.diagnostics, loaded.sources.get()));
  if (!loaded.model || loaded.diagnostics.has_errors())
    return loaded.is_misused ? kWrongUsage : kModelWrong;
  try {
    return work(*loaded.model,
                {{"parse", loaded.parse_seconds}, {"flatten", loaded.flatten_seconds}});
  } catch (const ModelError& error) {
    say(render(error.diagnostics(), loaded.sources.get()));
    return kModelWrong;
  }
}

}  // namespace hydae::tool
