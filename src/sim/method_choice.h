// Who makes the next step: the Taylor method or BDF. What the model says stands at the start
// (solver_choice.h); this is what the run itself shows, where the choice is left to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "integrate/fastest_motion.h"
#include "sim/active_solution.h"
#include "sim/singularity.h"
#include "sim/solver_choice.h"
#include "sim/stiffness.h"

namespace hydae {

class MethodChoice {
 public:
  // Throws ModelError where the user asks for a method that the model is not for.
  MethodChoice(RunParts& parts, ActiveSolution& active);

  // False: no series are made at all.
  bool has_series() const { return choice_.has_series; }
  bool uses_bdf() const { return choice_.uses_bdf; }
  const std::string& reason() const { return choice_.reason; }

  // Not while the series have work to do, and not as long as guards start from zero.
  bool is_turn_of_bdf();
  // BDF hands over: the series go on until there.
  void leave_to_series(double until) { series_until_ = until; }

  // At the end of a step that the Taylor method has chosen itself, before it is accepted: BDF is to
  // go on from the start of this step, and from now on.
  bool is_held_up_by_stiffness();
  // The Taylor method has given up: BDF is to go on, or the failure is that of the run.
  Outcome<Done> go_on_by_bdf(Failure failure);
  // Why it has.
  const std::optional<Failure>& end_of_series() const { return end_of_series_; }

  SingularityWatch& singularity() { return singularity_; }
  const SingularityWatch& singularity() const { return singularity_; }
  // At an event: what was seen before is of another solution.
  void forget();
  // A run goes on from a state.
  void resume(const HybridState& state);

 private:
  bool is_left_to_run() const;
  bool is_pole_of_state(const SingularityWatch::Forecast& forecast) const;
  bool is_slowed_by_stiffness();
  void observe_stiffness();

  RunParts& parts_;
  ActiveSolution& active_;
  SolverChoice choice_;
  SingularityWatch singularity_;
  StiffnessWatch stiffness_;
  integrate::FastestMotion fastest_;
  std::optional<Failure> end_of_series_;
  std::optional<double> series_until_;
  std::vector<double> tolerances_;  // of the state; kept for its room
};

}  // namespace hydae
