// The Taylor program that a run starts with, as text.
#include <fmt/format.h>

#include <hydae/dump.h>
#include <hydae/initialize.h>

#include "compile/taylor_lowering.h"
#include "sim/hybrid_initializer.h"
#include "sim/run_parts.h"

namespace hydae {
namespace {

// What the program reads beside parameters, and what it computes beside the solution.
std::string places_text(const HybridModel& model, const CompiledMode& mode) {
  std::string text;
  for (std::size_t k = 0; k < model.relations().size(); ++k)
    text += fmt::format("p{} is the truth of {}\n", model.bit_slot(k), model.relations()[k].text);
  for (VarId variable : model.discrete_variables())
    text += fmt::format("p{} is {}\n", model.value_slot(variable),
                        model.model().all_variables()[variable].name);
  for (std::size_t k = 0; k < mode.layout.num_guards; ++k)
    text += fmt::format("output {} is the guard of {}\n", k, model.relations()[k].text);
  return text;
}

}  // namespace

std::string start_program_text(const Model& model) {
  SimulateOptions options;
  options.solver = Solver::kTaylor;
  RunParts parts(model_for_run(model, options), options);
  HybridInitializer initializer(parts.model, parts.settings, options,
                                {parts.discrete_part, parts.selector, parts.workspaces, parts.signs,
                                 parts.delays, parts.report, parts.inputs});
  const Outcome<HybridStart> start = initializer.find_start();
  if (!start) return taylor_program_text(model, at_initial_point(model));
  const CompiledMode& mode = start->solution->mode();
  return places_text(parts.model, mode) + program_text(mode.prepared, mode.compiled);
}

}  // namespace hydae
