// Solutions just after an instant, in modes that are tried: each from the committed left limit.
#pragma once

#include "sim/mode_selector.h"
#include "sim/outcome.h"
#include "sim/state_view.h"
#include "sim/trial.h"
#include "sim/workspaces.h"

namespace hydae {

// For a restart from a left limit with these numbers and discrete values.
RestartInput restart_input(const HybridModel& model, const RunSettings& settings, double t,
                           const LeftLimit& left, const std::vector<double>& discrete);

class TrialSolver {
 public:
  struct Tools {
    const HybridModel& model;
    const RunSettings& settings;
    DiscreteEquations& discrete_part;
    ModeSelector& selector;
    Workspaces& workspaces;
    const GuardSigns& signs;
  };
  explicit TrialSolver(const Tools& tools);

  // Discrete values and the solution in the mode of the choice, in agreement.
  Outcome<Trial> solve(const EventPass& pass, const ModeChoice& choice);
  // What discrete variables with a memory do while the solution stays on a surface: their values on
  // either side, if events that cross it to and fro set them anew each time. Nothing if they never
  // come back, or if a crossing resets a state. `choice`: the other relations.
  std::optional<std::vector<SideValues>> memories_of(const EventPass& pass,
                                                     const ModeChoice& choice, std::size_t surface);
  // The discrete part with the relations as they are, until it is at rest: what has become true is
  // no news any more. Not beyond what the equations would notice.
  void rest(double t, const StateView& view, HybridState& state);
  // Values and conditions of the discrete part at the left limit with the relations of `choice`, at
  // rest. False, and nothing is changed: it is never at rest, or resets a state.
  bool rest_with(const EventPass& pass, const ModeChoice& choice, HybridState& state);
  // The solution in the mode of the choice with given discrete values.
  Outcome<Trial> solve_with(const EventPass& pass, const ModeChoice& choice,
                            const DiscreteOutcome& discrete);

  // Where a guard of the pass vanishes if the equations before the instant are solved anew there,
  // at most `farthest` from the instant: what a step has left of its errors is over. `before`: the
  // solution up to the instant.
  std::optional<double> exact_root(const EventPass& pass, const SolutionPtr& before,
                                   std::size_t relation, double farthest);

  const HybridModel& model() const { return model_; }
  const GuardSigns& signs() const { return signs_; }
  GuardSigns::Subject subject(const EventPass& pass, const Trial& trial) const {
    return {*trial.solution,           pass.state.guards, pass.cause,        &trial.guard_impulses,
            &pass.state.switches.bits, left_of(pass),     pass.guard_errors, &trial.exchanged};
  }

 private:
  static const TaylorSolution* left_of(const EventPass& pass) {
    return pass.before != nullptr && pass.before->stepper().is_expanded() ? pass.before : nullptr;
  }
  // Discrete values and conditions of when-clauses that a pass begins with.
  struct Memory {
    std::vector<double> values;
    std::vector<bool> conditions;
    bool operator==(const Memory&) const = default;
  };
  Outcome<Trial> solve_together(const EventPass& pass, Trial trial, std::vector<VarId> loop);
  Memory memory_before(const EventPass& pass, const ModeChoice& choice);
  std::optional<Memory> crossed(const EventPass& pass, ModeChoice choice, std::size_t surface,
                                int side, Memory memory);
  std::optional<Memory> rested(const EventPass& pass, const ModeChoice& choice, Memory memory);
  EvaluationContext instant_of(const EventPass& pass, const ModeChoice& choice,
                               const std::vector<double>& discrete, const std::vector<double>& pre);
  Outcome<Done> find_solution(const EventPass& pass, Trial& trial);
  Outcome<Done> start(const EventPass& pass, const ModeSelector::Selected& selected, bool goes_on,
                      Trial& trial);
  void read(const EventPass& pass, Trial& trial);
  GuardReading read_signs(const EventPass& pass, const Trial& trial) const;
  std::vector<std::size_t> doubtful_guards(const EventPass& pass, const Trial& trial) const;
  void find_guard_errors(const EventPass& pass, const std::vector<std::size_t>& relations);
  Outcome<DiscreteOutcome> find_discrete(const EventPass& pass, const Trial& trial);
  double error_of(Leaf leaf, const CompiledMode& mode, const EventPass& pass) const;

  const HybridModel& model_;
  const RunSettings& settings_;
  DiscreteEquations& discrete_part_;
  ModeSelector& selector_;
  Workspaces& workspaces_;
  const GuardSigns& signs_;
  SwitchTable table_;
};

// Discrete values that agree in all that the continuous equations read.
bool agree_for_continuous(const HybridModel& model, const std::vector<double>& a,
                          const std::vector<double>& b);
// The discrete Reals in which they do not; none if something else differs, too.
std::vector<VarId> differing_reals(const HybridModel& model, const std::vector<double>& a,
                                   const std::vector<double>& b);

}  // namespace hydae
