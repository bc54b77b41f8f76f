// A mode that is tried at an instant, with its solution. A trial has everything of its own and
// knows the run by constant references only: what is not accepted leaves no trace.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compile/restart.h"
#include "sim/discrete_equations.h"
#include "sim/guard_signs.h"
#include "sim/left_limit.h"

namespace hydae {

// One pass of the event iteration: where all trials of the pass start from.
struct EventPass {
  double t = 0;
  const HybridState& state;  // committed; what pre() reads
  const LeftLimit& left;
  const Cause& cause;
  const std::set<std::size_t>* ticks = nullptr;  // that are due in this pass
  bool is_first = false;                         // of its instant
  // The passes of this instant undo each other for ever: what has a memory may follow a surface.
  bool blends_memories = false;
  const TaylorSolution* before = nullptr;  // the instant; null: not known
  // Of all relations: what their guards change by at the instant if nothing changes for the
  // equations. Found by the first trial of the instant that needs it; null: not asked for.
  std::vector<double>* guard_errors = nullptr;
};

struct Trial {
  ModeChoice choice;
  DiscreteOutcome discrete;
  std::map<std::size_t, bool> exchanged;  // see exchanged_guards()
  SolutionPtr solution;
  GuardReading reading;  // what the solution asks for
  // Of guards and exits: RestartResult::guard_impulses.
  std::vector<std::vector<double>> guard_impulses;
  double largest_jump = 0;  // of what persists, in units of its error
  // What the event sets off undoes its own relations (a threshold that switches the direction):
  // they have their new values for this pass only, and the next pass looks again.
  bool is_undone = false;
  std::vector<ImpulseWeight> impulses;
  std::vector<std::string> warnings;
  std::string note{};  // a warning that is said once, whenever it was first

  // The solution agrees with the switches and holds that it was made with.
  bool is_consistent() const { return reading.wanted == choice; }
};

}  // namespace hydae
