#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include <hydae/modelica.h>

#include "base/timer.h"
#include "modelica/checks/balance.h"
#include "modelica/checks/checks.h"
#include "modelica/checks/floating_potentials.h"
#include "modelica/checks/parameter_bounds.h"
#include "modelica/checks/subtypes.h"
#include "modelica/checks/unit_check.h"
#include "modelica/classes/class_tree.h"
#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"
#include "modelica/flat/flat_to_model.h"
#include "modelica/flat/flatten.h"
#include "modelica/flat/path_constraints.h"

namespace hydae {

namespace {

using namespace modelica;

constexpr std::size_t kMostElements = 3;  // of an array that are named

void append_path(const char* variable, std::vector<std::filesystem::path>& out) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  std::istringstream in(value);
  std::string entry;
  while (std::getline(in, entry, ':'))
    if (!entry.empty()) out.emplace_back(entry);
}

void show(const LoadOptions& options, const char* doing) {
  if (options.doing != nullptr) *options.doing = doing;
}

bool is_simulated(const ClassDef& cls) {
  const syntax::ClassKind kind = cls.definition->class_kind;
  return !cls.definition->is_partial &&
         (kind == syntax::ClassKind::kModel || kind == syntax::ClassKind::kBlock ||
          kind == syntax::ClassKind::kClass);
}

// The class that a file is about: the named one, or its last model.
std::string choose_class(Workspace& workspace, const std::vector<ClassDef*>& added,
                         const std::string& name, const std::string& where) {
  if (!name.empty()) {
    for (const ClassDef* cls : added)
      if (workspace.text(cls->name) == name) return workspace.qualified_name(*cls);
    return name;
  }
  for (auto cls = added.rbegin(); cls != added.rend(); ++cls)
    if (is_simulated(**cls)) return workspace.qualified_name(**cls);
  if (!workspace.diagnostics().has_errors())
    workspace.diagnostics().error("no-model", fmt::format("there is no model in `{}`", where));
  return "";
}

std::optional<double> experiment_value(Session& session, const syntax::Modification* experiment,
                                       Symbol name) {
  const syntax::Modification* found = find_annotation(experiment, name);
  if (found == nullptr || found->value == nullptr) return std::nullopt;
  try {
    const Value value = session.evaluator->evaluate(*found->value, Env{session.model});
    if (!value.is_numeric() || !value.is_scalar()) {
      session.warning("experiment",
                      fmt::format("`{}` of the experiment is a number, not {}", session.text(name),
                                  type_text(value)),
                      found->range);
      return std::nullopt;
    }
    const double number = session.folding->number(
        session.folding->fold(value.scalar(), found->range, "the experiment"));
    const bool is_length =
        name == session.names.annotations.tolerance || name == session.names.annotations.interval;
    if (!is_length || number > 0) return number;
    session.warning("experiment",
                    fmt::format("`{}` of the experiment is positive, not {}; it is not used",
                                session.text(name), number),
                    found->range);
    return std::nullopt;
  } catch (const Failure&) {
    return std::nullopt;
  }
}

void read_experiment(Session& session, Model& model) {
  const syntax::ClassDefinition& definition = *session.model->def->definition;
  model.description = syntax::description_text(definition.comment);
  const syntax::Modification* experiment =
      find_annotation(definition.comment.annotation, session.names.annotations.experiment);
  model.experiment.start_time =
      experiment_value(session, experiment, session.names.annotations.start_time);
  model.experiment.stop_time =
      experiment_value(session, experiment, session.names.annotations.stop_time);
  model.experiment.tolerance =
      experiment_value(session, experiment, session.names.annotations.tolerance);
  model.experiment.interval =
      experiment_value(session, experiment, session.names.annotations.interval);
}

// What a name that is no parameter was probably meant to be.
std::string help_for_parameter(const Model& model, const std::string& name) {
  if (model.find_variable(name) || model.find_alias(name))
    return fmt::format("`{}` is a variable: it has a start value (--start-value)", name);
  std::vector<std::string> names, elements;
  for (const Parameter& parameter : model.parameters()) {
    names.push_back(parameter.name);
    if (parameter.name.starts_with(name + "[")) elements.push_back(parameter.name);
  }
  if (!elements.empty())
    return fmt::format("it is an array of {}", quoted_list(elements, kMostElements));
  const auto near = nearest_names(name, names);
  return near.empty() ? "" : fmt::format("did you mean {}?", hydae::quoted(near.front()));
}

// Whoever asked for this may ask again; the model is not to blame.
bool is_misuse(const Diagnostics& diagnostics) {
  const std::set<std::string_view> requests = {"class-not-found", "final-parameter",
                                               "no-such-parameter", "override-value"};
  const auto is_about_request = [&](const Diagnostic& diagnostic) {
    return diagnostic.severity != Severity::kError || requests.contains(diagnostic.code);
  };
  return diagnostics.has_errors() && std::ranges::all_of(diagnostics.items(), is_about_request);
}

void build(Workspace& workspace, const std::string& class_name, const LoadOptions& options,
           LoadResult& result) {
  Session session(workspace);
  session.request.overrides = options.parameters;
  session.request.allows_external = options.allow_external;
  session.request.is_as_written = options.as_written;
  session.request.file_roots = options.file_roots;
  Element* cls = nullptr;
  if (!session.attempt(SourceRange(), [&] { cls = session.classes->find_class(class_name); }))
    return;
  if (cls == nullptr) {
    auto& diagnostic = workspace.diagnostics().error(
        "class-not-found", fmt::format("class `{}` is not found", class_name));
    const auto near = nearest_names(class_name, workspace.top_names());
    if (!near.empty())
      diagnostic.help = fmt::format("did you mean {}?", hydae::quoted(near.front()));
    return;
  }
  show(options, "flattening the model");
  Flattener flattener(session);
  flattener.run(*cls);
  const std::string model_name =
      session.request.is_flat_text ? session.path_text(cls->name) : class_name;
  if (!workspace.diagnostics().has_errors()) read_path_constraints(session);
  if (!workspace.diagnostics().has_errors()) check_subtypes(session);
  check_attributes(session, flattener.order());
  Tallies tallies;
  if (!workspace.diagnostics().has_errors()) {
    check_units(session, flattener);
    tallies = count_by_class(session, flattener.order());
  }
  Model model = lower(session, flattener.order(), model_name);
  show(options, "checking the flat model");
  if (!workspace.diagnostics().has_errors()) check_parameter_cycles(session);
  if (!workspace.diagnostics().has_errors()) check_variability(session);
  if (!workspace.diagnostics().has_errors()) check_discrete_reals(session);
  if (!workspace.diagnostics().has_errors()) check_when_targets(session);
  if (!workspace.diagnostics().has_errors() && !options.may_be_unbalanced && !options.as_written)
    check_balance(session, model, tallies);
  if (!workspace.diagnostics().has_errors()) check_grounds(session);
  if (!workspace.diagnostics().has_errors())
    check_parameter_bounds(session, flattener.order(), model);
  if (!workspace.diagnostics().has_errors()) check_unit_texts(session, flattener);
  for (const auto& [name, value] : options.parameters)
    if (!session.request.used_overrides.contains(name))
      workspace.diagnostics()
          .error("no-such-parameter", fmt::format("there is no parameter `{}` to set", name))
          .help = help_for_parameter(model, name);
  if (workspace.diagnostics().has_errors()) return;
  read_experiment(session, model);
  result.model = std::move(model);
}

LoadResult load(const LoadOptions& options,
                const std::function<std::string(Workspace&)>& find_class_name) {
  LoadResult result;
  const Timer timer;
  run_with_large_stack([&] {
    Workspace workspace(options.library_path);
    show(options, "reading the text of the model");
    const std::string class_name = find_class_name(workspace);
    if (!class_name.empty() && !workspace.diagnostics().has_errors())
      build(workspace, class_name, options, result);
    result.diagnostics = workspace.diagnostics();
    result.is_misused = is_misuse(result.diagnostics);
    result.sources = workspace.sources();
    result.parse_seconds = workspace.parse_seconds();
  });
  result.flatten_seconds = timer.seconds() - result.parse_seconds;
  return result;
}

}  // namespace

std::vector<std::filesystem::path> library_path_from_environment() {
  std::vector<std::filesystem::path> out;
  append_path("HYDAE_PATH", out);
  append_path("MODELICAPATH", out);
  return out;
}

LoadResult load_model(const std::filesystem::path& file, const std::string& class_name,
                      const LoadOptions& options) {
  return load(options, [&](Workspace& workspace) {
    return choose_class(workspace, workspace.add_file(file), class_name, file.string());
  });
}

LoadResult load_class(const std::string& class_name, const LoadOptions& options) {
  return load(options, [&](Workspace&) { return class_name; });
}

LoadResult load_text(const std::string& text, const std::string& class_name,
                     const LoadOptions& options, const std::string& text_name) {
  return load(options, [&](Workspace& workspace) {
    return choose_class(workspace, workspace.add_text(text_name, text), class_name, text_name);
  });
}

}  // namespace hydae
