// Structure at the point from which a run starts: what is shown is what is run.
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/initialize.h>

#include "base/derivative_name.h"
#include "sim/discrete_equations.h"

namespace hydae {
namespace {

// Nothing where there is no consistent start.
void take_consistent_point(const Model& model, AnalyzeOptions& options) {
  try {
    const InitialPoint point = initialize(model);
    if (!point.succeeded()) return;
    for (std::size_t j = 0; j < point.variables.size(); ++j)
      for (std::size_t order = 0; order < point.values[j].size(); ++order)
        options.point.push_back(
            {derivative_name(point.variables[j], static_cast<int>(order)), point.values[j][order]});
    options.moved = point.moved;
  } catch (const ModelError&) {
    options.point.clear();
  }
}

// The relations may have other truth values where the model runs: nobody has found a start, or some
// of them stand at their limits there.
Diagnostics judged_in_one_mode(const Analysis& analysis, const std::string& why) {
  Diagnostics out;
  for (Diagnostic diagnostic : analysis.diagnostics.items()) {
    if (diagnostic.code == "singular-jacobian") {
      diagnostic.severity = Severity::kWarning;
      const std::string verdict = "structural analysis fails: ";
      if (diagnostic.message.starts_with(verdict))
        diagnostic.message.replace(0, verdict.size(), "at the start values ");
      diagnostic.notes.push_back(
          {fmt::format("{} switches are set as {}: the mode of a solution may be regular",
                       analysis.mode.size(), why),
           {}});
    }
    out.add(std::move(diagnostic));
  }
  return out;
}

}  // namespace

AnalyzeOptions at_initial_point(const Model& model, AnalyzeOptions options) {
  if (options.point.empty()) take_consistent_point(model, options);
  return options;
}

Analysis check(const Model& model) {
  Analysis analysis = analyze(model);
  if (analysis.succeeded()) {  // loops of discrete variables are errors of the model
    const HybridModel hybrid(model);
    const DiscreteEquations discrete(hybrid);
  }
  if (analysis.succeeded() || !analysis.well_posed || analysis.mode.empty()) return analysis;
  const AnalyzeOptions options = at_initial_point(model);
  const bool has_start = !options.point.empty();
  if (has_start) analysis = analyze(model, options);
  analysis.diagnostics = judged_in_one_mode(
      analysis, has_start ? "at the consistent start, where some may be at their limits"
                          : "the start values suggest, and the initialization finds no start");
  return analysis;
}

}  // namespace hydae
