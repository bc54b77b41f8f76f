#include "sim/redundant.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

#include "sim/settings.h"

namespace hydae {
namespace {

constexpr const char* kHelp =
    "remove what is said twice, or let `--redundant drop` leave it out and check that it holds";

bool is_about_rank(const ModelError& error) {
  constexpr std::array<std::string_view, 4> kCodes = {
      "too-many-equations", "too-few-equations", "singular-jacobian", "equation-without-unknowns"};
  const auto items = error.diagnostics().items();
  return std::any_of(items.begin(), items.end(), [&](const Diagnostic& item) {
    return std::find(kCodes.begin(), kCodes.end(), item.code) != kCodes.end();
  });
}

}  // namespace

Redundancy find_redundancy(const Model& model, const SimulateOptions& options) {
  Model changed = model.extended();
  set_parameters(changed, options.parameters);
  const RunSettings settings = settings_of(changed, options);
  InitializeOptions initial;
  initial.time = settings.start;
  initial.start_values = options.start_values;
  return find_redundancy(changed, initial, settings.stop);
}

void note_dropped(const Model& model, const Redundancy& redundancy, Summary& summary) {
  for (const ImpliedEquation& implied : redundancy.implied) {
    const Equation& equation = model.equations()[implied.equation];
    DroppedEquation dropped{equation.name, "", {}};
    if (model.sources && equation.source.is_valid())
      dropped.source = model.sources->place(equation.source);
    for (EqId origin : implied.from) dropped.follows_from.push_back(model.equations()[origin].name);
    summary.dropped_equations.push_back(std::move(dropped));
  }
  summary.least_norm = redundancy.shared;
}

ModelError explained(const Model& model, const SimulateOptions& options, const ModelError& error) {
  if (!is_about_rank(error)) return error;
  const Redundancy found = find_redundancy(model, options);
  Diagnostics diagnostics;
  if (!found.implied.empty() && found.model) {
    diagnostics.add(describe_redundancy(model, found)).help = kHelp;
    return ModelError(std::move(diagnostics));
  }
  diagnostics = error.diagnostics();
  if (found.contradiction && found.contradiction->code == "contradicting-equations")
    diagnostics.add(*found.contradiction);
  return ModelError(std::move(diagnostics));
}

void explain_singular_start(const Model& model, const SimulateOptions& options, Summary& summary) {
  if (summary.status != Status::kSingularJacobian &&
      summary.status != Status::kInitializationFailed)
    return;
  const Redundancy found = find_redundancy(model, options);
  if (found.implied.empty() || !found.model) return;
  Diagnostic why = describe_redundancy(model, found);
  why.severity = Severity::kNote;
  why.help = kHelp;
  summary.message += "\n" + render(why, model.sources.get());
}

}  // namespace hydae
