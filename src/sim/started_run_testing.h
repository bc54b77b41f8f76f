// For tests of what happens at one instant: a run that has been initialized, with all its parts.
#pragma once

#include <gtest/gtest.h>

#include "sim/event_instant.h"
#include "sim/hybrid_initializer.h"
#include "sim/run_parts.h"

namespace hydae {

class StartedRun {
 public:
  // The model must outlive the run.
  explicit StartedRun(const Model& model, const SimulateOptions& given = {})
      : options(given), parts(model_for_run(model, options), options), run(parts.model) {
    HybridInitializer initializer(parts.model, parts.settings, options,
                                  {parts.discrete_part, parts.selector, parts.workspaces,
                                   parts.signs, parts.delays, parts.report, parts.inputs});
    Outcome<HybridStart> start = initializer.find_start();
    if (!start) {
      ADD_FAILURE() << start.failure().message;
      return;
    }
    run.state = std::move(start->state);
    run.solution = std::move(start->solution);
    run.fill_table();
  }

  LeftLimit left() const {
    return left_limit(run.solution, run.solution->time(), parts.model.model().num_variables());
  }
  VarId variable(const std::string& name) const { return *parts.model.model().find_variable(name); }
  double value(const TaylorSolution& solution, const std::string& name, int order = 0) const {
    return solution.value_or(-1e300, {variable(name), order}, solution.time());
  }

  SimulateOptions options;
  RunParts parts;
  Committed run;
};

}  // namespace hydae
