// The solution that a run has come to: the series of its committed state or, ahead of them, BDF in
// the same mode. Events belong to the series, whose derivatives the search for a mode and the
// restart ask for.
#pragma once

#include <optional>

#include "sim/bdf_solution.h"
#include "sim/event_instant.h"
#include "sim/run_parts.h"

namespace hydae {

class ActiveSolution {
 public:
  explicit ActiveSolution(RunParts& parts) : parts_(parts), run_(parts.model) {}

  // Its series are those at time() unless BDF is ahead of them.
  Committed& committed() { return run_; }
  HybridState& state() { return run_.state; }
  const HybridState& state() const { return run_.state; }
  TaylorSolution& series() { return *run_.solution; }
  const TaylorSolution& series() const { return *run_.solution; }
  integrate::TaylorStepper& stepper() { return run_.solution->stepper(); }
  const integrate::TaylorStepper& stepper() const { return run_.solution->stepper(); }

  bool has_begun() const { return bdf_ != nullptr || run_.solution != nullptr; }
  StateView view() const {
    if (bdf_ == nullptr) return run_.view();
    return {run_.state, *bdf_solution_, run_.table.numbers()};
  }
  double time() const { return view().time(); }
  const CompiledMode& mode() const { return view().solution.mode(); }
  // Whether the view has values at time().
  bool has_values() const { return bdf_ != nullptr || stepper().is_expanded(); }

  // Null where the series are at work.
  BdfSolver* bdf() { return bdf_; }
  // From the series, where they are.
  Outcome<Done> start_bdf();
  Outcome<Done> start_bdf(const CompiledMode& mode, double t, const BdfSolver::LeafValue& value);
  // Series in the place of BDF, at a time of its last step; where BDF has started they are at hand.
  Outcome<Done> end_bdf(double t);
  // The same, if BDF is ahead.
  Outcome<Done> bring_series(double t) { return bdf_ == nullptr ? Done{} : end_bdf(t); }
  // How far series at t, a time of the last step of BDF, would get in one step; BDF stays ahead.
  double reach_of_series(double t);
  void drop_bdf();

  // Series where they stand, not for a step.
  Outcome<Done> expand_here();
  // The step of the series, as far as it counts, becomes past.
  void extend_histories(double until);

 private:
  RunParts& parts_;
  Committed run_;
  BdfSolver* bdf_ = nullptr;
  std::optional<BdfSolution> bdf_solution_;
};

}  // namespace hydae
