// Infinitely many events before a finite time: the run goes on from their limit. What holds the
// guards there is in the model (a mode of rest, a contact), or a reaction in the place of the
// resets.
#pragma once

#include <optional>
#include <vector>

#include "sim/contact_response.h"
#include "sim/event_instant.h"
#include "sim/trial_solver.h"
#include "sim/zeno.h"

namespace hydae {

// After each event: for the watch of the state.
void observe_event(const Event& event, const TaylorSolution& solution, HybridState& state);

class ZenoClosure {
 public:
  ZenoClosure(TrialSolver& trials, ContactResponse& contacts)
      : trials_(trials), model_(trials.model()), contacts_(contacts) {}

  // The event at the limit, to be accepted: its left limit and a mode in which nothing more
  // happens.
  struct Closed {
    HybridState state;  // without the switches of the trial
    Event event;
    Trial trial;
  };
  Outcome<Closed> close(const Accumulation& limit, const Committed& run);
  // The event at the limit as it stands, with the state before it.
  Event event_at(const Accumulation& limit, const Committed& run) const;

 private:
  void move_to_guards(const Accumulation& limit, const Committed& run, LeftLimit& left) const;
  void close_contacts(const Event& event, const EvaluationContext& now, HybridState& state);
  std::optional<Trial> hold_by_reactions(const EventPass& pass, const std::vector<bool>& flight,
                                         const Trial& trial);
  ModeChoice with_reactions(const std::vector<std::size_t>& pushed, const std::vector<EqId>& rows,
                            int sign, const std::vector<bool>& flight, ModeChoice choice) const;
  std::vector<EqId> reaction_rows(const CompiledMode& mode, const HybridState& state) const;

  TrialSolver& trials_;
  const HybridModel& model_;
  ContactResponse& contacts_;
};

}  // namespace hydae
