#include "tool/input.h"

#include <CLI/App.hpp>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/problems.h>

namespace hydae::tool {
namespace {

constexpr std::string_view kProblemPrefix = "problem:";

std::pair<std::string, double> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  double value = 0;
  const char* end = text.data() + text.size();
  if (equals != std::string::npos) {
    const auto result = std::from_chars(text.data() + equals + 1, end, value);
    if (result.ec == std::errc() && result.ptr == end && equals > 0)
      return {text.substr(0, equals), value};
  }
  throw UsageError(fmt::format("`{}` is not of the form NAME=NUMBER", text));
}

std::vector<std::string> parameter_names(const Model& model) {
  std::vector<std::string> names;
  for (const Parameter& parameter : model.parameters()) names.push_back(parameter.name);
  return names;
}

void apply_setting(Model& model, const std::string& text) {
  const auto [name, value] = parse_setting(text);
  if (const auto parameter = model.find_parameter(name)) {
    model.set_parameter(*parameter, value);
    return;
  }
  const std::vector<std::string> near = nearest_names(name, parameter_names(model));
  throw UsageError(fmt::format("model `{}` has no parameter `{}`{}", model.name(), name,
                               near.empty() ? "" : fmt::format("; near: {}", quoted_list(near))));
}

Model load_words(const std::vector<std::string>& words) {
  const std::string& input = words.front();
  if (input.starts_with(kProblemPrefix))
    return find_problem(input.substr(kProblemPrefix.size()))->make_model();
  throw UsageError(
      fmt::format("there is no file or class `{}`; `hydae problems` lists what can be "
                  "given as problem:NAME",
                  input));
}

}  // namespace

void Input::add_options(CLI::App& command) {
  command.add_option("INPUT", words, "file.mo [Class], a class on the path, or problem:NAME")
      ->required()
      ->expected(1, 2);
  command.add_option("--path", library_path, "folder with Modelica libraries (repeatable)")
      ->type_name("DIR")
      ->take_all()
      ->expected(1);
  command.add_option("--set", settings, "value of a parameter (repeatable)")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
}

void StartArguments::add_options(CLI::App& command) {
  command
      .add_option("--start-value", guesses, "guess of a start value: x=1, der(x)=0 (repeatable)")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
  command.add_option("--fixed", fixed, "start value that is held (repeatable)")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1);
}

std::vector<StartOverride> StartArguments::parse() const {
  std::vector<StartOverride> overrides;
  const auto add = [&](const std::vector<std::string>& texts, bool is_fixed) {
    for (const std::string& text : texts) {
      const auto [name, value] = parse_setting(text);
      overrides.push_back({name, value, is_fixed});
    }
  };
  add(guesses, false);
  add(fixed, true);
  return overrides;
}

Model Input::load() const {
  Model model = load_words(words);
  for (const std::string& setting : settings) apply_setting(model, setting);
  return model;
}

}  // namespace hydae::tool
