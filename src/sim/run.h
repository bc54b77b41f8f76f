// One run of a hybrid model. The loop reads like the method: initialise, expand, choose step, look
// for events, advance, record; at an event: locate, choose mode, restart.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include <hydae/simulate.h>

#include "sim/bdf_solution.h"
#include "sim/event_handler.h"
#include "sim/hybrid_initializer.h"
#include "sim/run_parts.h"
#include "sim/singularity.h"
#include "sim/solver_choice.h"
#include "sim/step_guards.h"
#include "sim/stiffness.h"

namespace hydae {

class Run {
 public:
  // Throws ModelError where the user asks for a method that the model is not for.
  Run(RunModel model, const SimulateOptions& options);

  Simulation run();

  // The same in parts, without rows.
  void keep_no_rows() { parts_.rows.turn_off(); }
  Outcome<Done> start();
  Outcome<Done> advance_to(double t);
  // The state at time(), complete. Who goes on from it comes to the same numbers, bit by bit, as
  // the run itself.
  Outcome<HybridState> snapshot();
  Outcome<Done> resume(HybridState state);
  Outcome<SavedState> save();
  Outcome<Done> resume(const SavedContent& saved);
  // By position among the inputs of the model; before start() from the start on.
  Outcome<Done> set_inputs(const std::map<std::size_t, double>& values);
  double time() const { return run_.solution ? now() : settings_.start; }
  double value(Leaf leaf);

 private:
  // run_snapshot.cc
  Outcome<Done> take_inputs();
  Outcome<Done> resume_series(const ModeSelector::Selected& selected);
  Outcome<Done> resume_bdf(const CompiledMode& mode);

  // run.cc
  Outcome<Done> initialize();
  Outcome<Done> start_at_point(HybridInitializer& initializer);
  void report_singularity();
  void report_scales();

  void integrate_safely();

  // run_loop.cc
  void integrate();
  Outcome<Done> begin();
  Outcome<Done> end(double stop);
  Outcome<Done> process_start();
  bool has_other_equations();
  bool has_terminal_equations();
  Outcome<Done> process_end();
  Outcome<Done> process_event(double t, Cause cause);
  Outcome<Done> step();
  Outcome<Done> step_to_event(double t, Cause cause, double limit, const Cause& at_limit);
  Outcome<Done> report_progress(double t);
  void record_end();
  void keep_before_singularity();
  Outcome<Done> check_assertions(double t, bool is_initial = false);
  Outcome<Done> check_implied(double t);
  Outcome<Done> check_implied_until(double from, double reach);
  Outcome<Done> check_discrete(double t) const;
  double next_time_event(const StateView& view, double limit, Cause& cause);
  void extend_histories(double until);

  // run_bdf.cc
  bool is_turn_of_bdf();
  Outcome<Done> step_bdf();
  Outcome<Done> begin_bdf();
  Outcome<Done> start_bdf(const CompiledMode& mode, double t, const BdfSolver::LeafValue& value);
  bool can_be_handed_over(double from, const Suspicion& part);
  Outcome<Done> end_bdf_by_event(Crossing crossing);
  Outcome<Done> hand_over(double from, const Suspicion& part);
  Outcome<Done> end_bdf(double t);
  bool is_held_up_by_stiffness();
  Outcome<Done> go_on_by_bdf(Failure failure);
  double now() const;
  double beyond(double t) const;

  const CompiledMode& mode() const { return view().solution.mode(); }
  integrate::TaylorStepper& stepper() { return run_.solution->stepper(); }
  const integrate::TaylorStepper& stepper() const { return run_.solution->stepper(); }
  StateView view() const {
    if (bdf_ == nullptr) return run_.view();
    return {run_.state, *bdf_solution_, run_.table.numbers()};
  }

  RunParts parts_;
  const HybridModel& hybrid_;
  const RunSettings& settings_;
  Committed run_;
  EventHandler events_;
  StepGuards guards_;
  ExpressionList assertions_;
  ExpressionList time_guards_;  // value and slope of each time-only guard, at time 0
  std::vector<std::size_t> time_relations_;
  ExpressionList tick_data_;              // start and interval of each sample
  bool is_resumed_ = false;               // no step was made since
  std::set<std::size_t> start_conflict_;  // relations that no side of their limit agrees with
  SingularityWatch watch_;
  StiffnessWatch stiffness_;
  // BDF.
  SolverChoice choice_;
  std::optional<Failure> end_of_series_;  // why BDF has taken over
  BdfSolver* bdf_ = nullptr;              // ahead of the series
  std::optional<BdfSolution> bdf_solution_;
  std::optional<double> taylor_until_;  // where BDF hands over
  std::vector<double> tolerances_;      // of the state, for the watch
};

}  // namespace hydae
