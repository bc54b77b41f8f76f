// What a run is made of, besides its state: the model with its modes, and who computes what.
#pragma once

#include "sim/contact_response.h"
#include "sim/delay_memory.h"
#include "sim/delay_overlap.h"
#include "sim/discrete_equations.h"
#include "sim/event_log.h"
#include "sim/guard_signs.h"
#include "sim/impact.h"
#include "sim/input_driver.h"
#include "sim/mode_selector.h"
#include "sim/model_forms.h"
#include "sim/output_rooms.h"
#include "sim/result_rows.h"
#include "sim/run_checks.h"
#include "sim/run_report.h"
#include "sim/settings.h"
#include "sim/time_events.h"
#include "sim/trial_solver.h"
#include "sim/workspaces.h"

namespace hydae {

// Each part knows those above it that it needs, and none knows this list.
struct RunParts {
  RunParts(RunModel run, const SimulateOptions& given)
      : model(std::move(run.model)),
        options(given),
        settings(settings_of(model.model(), given)),
        report(settings.start, given.sinks.keeps_events),
        modes(model, std::move(run.modes)),
        workspaces(model, settings, given),
        selector(model, modes),
        discrete_part(model),
        impacts(model),
        outputs(model.table_size()),
        signs(model, settings.rtol, settings.atol, outputs),
        delays(model),
        inputs(model, settings, given),
        times(model, settings, inputs),
        overlap(model, delays, settings.rtol),
        trials({model, settings, discrete_part, selector, workspaces, signs}),
        contacts({model, settings, selector, signs, workspaces.scales(), report}),
        checks(model, settings, workspaces, report),
        log(model, settings, workspaces.scales(), report),
        rows(model, settings, given) {}
  RunParts(const RunParts&) = delete;

  HybridModel model;
  const SimulateOptions& options;
  RunSettings settings;
  RunReport report;
  ModeLibrary modes;
  Workspaces workspaces;
  ModeSelector selector;
  DiscreteEquations discrete_part;
  ImpactSolver impacts;
  OutputRooms outputs;
  GuardSigns signs;
  DelayMemory delays;
  InputDriver inputs;
  TimeEvents times;
  DelayOverlap overlap;
  TrialSolver trials;
  ContactResponse contacts;
  RunChecks checks;
  EventLog log;
  ResultRows rows;
};

}  // namespace hydae
