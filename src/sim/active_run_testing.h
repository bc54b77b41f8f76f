// For tests of single steps and instants: a run that stands at its start, with who makes its steps.
#pragma once

#include <gtest/gtest.h>

#include "sim/bdf_steps.h"
#include "sim/checkpoints.h"
#include "sim/run_instants.h"
#include "sim/run_start.h"
#include "sim/series_steps.h"

namespace hydae {

inline Expr sample(const Model& m, double start, double interval) {
  Graph& graph = m.graph();
  return {graph, graph.binary(Op::kSample, graph.constant(start), graph.constant(interval))};
}

inline SimulateOptions solved_by(Solver solver) {
  SimulateOptions options;
  options.solver = solver;
  return options;
}

struct ActiveRun {
  // The model must outlive it.
  explicit ActiveRun(const Model& model, const SimulateOptions& given = {})
      : options(given),
        parts(model_for_run(model, options), options),
        active(parts),
        choice(parts, active),
        instants(parts, active, choice),
        guards(parts.model, parts.settings.rtol, parts.signs, parts.outputs, parts.report),
        series(parts, active, choice, guards),
        bdf(parts, active, choice, guards),
        checkpoints(parts, active, choice) {
    parts.rows.turn_off();
    const auto found = RunStart(parts, active).find(choice);
    if (!found) ADD_FAILURE() << found.failure().message;
  }

  TimeEvent next() { return parts.times.next(active.view(), parts.settings.stop); }
  double value(const std::string& name, double t, int order = 0) const {
    return active.view().value({*parts.model.model().find_variable(name), order}, t);
  }
  double value(const std::string& name) const { return value(name, active.time()); }
  // Accepts plain steps of a method; the first one that is not, not yet accepted.
  Outcome<Step> advance_to_event(StepMethod& method) {
    Outcome<Step> step = method.advance(next());
    while (step && step->end == Step::End::kPlain && step->t != parts.settings.stop) {
      if (auto accepted = method.accept(*step); !accepted) return std::move(accepted).failure();
      step = method.advance(next());
    }
    return step;
  }

  SimulateOptions options;
  RunParts parts;
  ActiveSolution active;
  MethodChoice choice;
  RunInstants instants;
  StepGuards guards;
  SeriesSteps series;
  BdfSteps bdf;
  Checkpoints checkpoints;
};

}  // namespace hydae
