// The instants of a run: its start, its events, inputs that are set from outside, its end. Each
// begins with a left limit and ends with series and a state that agree.
#pragma once

#include <set>

#include "sim/active_solution.h"
#include "sim/event_handler.h"
#include "sim/method_choice.h"

namespace hydae {

class RunInstants {
 public:
  RunInstants(RunParts& parts, ActiveSolution& active, MethodChoice& choice)
      : parts_(parts), active_(active), choice_(choice), events_(parts, active.committed()) {}

  // The first passes after initialization: ticks that are due, and what changes because initial()
  // is over. `conflict`: relations that no side of their limit agrees with.
  Outcome<Done> begin(const std::set<std::size_t>& conflict);
  // An event at t, the end of a step.
  Outcome<Done> process(double t, Cause cause);
  // After an event: if events of its kind accumulate at once, goes on from their limit.
  Outcome<Done> close_accumulation() { return events_.close_accumulation(); }
  // Inputs that somebody has changed, where the run stands.
  Outcome<Done> take_inputs();
  // The pass in which terminal() is true.
  Outcome<Done> end();

 private:
  Cause cause_of_start(const std::set<std::size_t>& conflict);
  bool has_event_at_start(const Cause& start);
  bool is_other_mode(const ModeSelector::Selected& selected) const;
  bool has_other_equations();
  bool has_terminal_equations();
  DiscreteOutcome last_values(double t);

  RunParts& parts_;
  ActiveSolution& active_;
  MethodChoice& choice_;
  EventHandler events_;
};

}  // namespace hydae
