// One run of a hybrid model. The loop reads like the method: initialise, expand, choose step, look
// for events, advance, record; at an event: locate, choose mode, restart.
#pragma once

#include <map>
#include <set>

#include <hydae/simulate.h>

#include "sim/bdf_steps.h"
#include "sim/checkpoints.h"
#include "sim/run_instants.h"
#include "sim/series_steps.h"

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
  Outcome<HybridState> snapshot() { return checkpoints_.take(); }
  Outcome<Done> resume(HybridState state) { return checkpoints_.restore(std::move(state)); }
  // By position among the inputs of the model; before start() from the start on.
  Outcome<Done> set_inputs(const std::map<std::size_t, double>& values);
  double time() const { return active_.has_begun() ? active_.time() : settings_.start; }
  double value(Leaf leaf);

 private:
  Outcome<Done> initialize();
  void integrate();
  void integrate_safely();
  Outcome<Done> begin();
  Outcome<Done> end(double stop);
  void save_what_was_reached(const Failure& failure);
  bool is_at_end() const { return time() == settings_.stop || active_.state().is_terminated; }
  Outcome<Done> step();
  Outcome<Done> follow(const Step& step);
  Outcome<Done> settle(Step step);
  Outcome<Done> take_inputs();
  Outcome<Done> report_progress();

  RunParts parts_;
  const RunSettings& settings_;
  ActiveSolution active_;
  MethodChoice choice_;
  RunInstants instants_;
  StepGuards guards_;
  SeriesSteps series_;
  BdfSteps bdf_;
  Checkpoints checkpoints_;
  std::set<std::size_t> start_conflict_;  // relations that no side of their limit agrees with
};

}  // namespace hydae
