// One instant at which something switches, while it is dealt with.
#pragma once

#include <set>
#include <vector>

#include <hydae/simulate.h>

#include "compile/restart.h"
#include "sim/cause.h"
#include "sim/left_limit.h"
#include "sim/mode_choice.h"

namespace hydae {

struct Event {
  double t = 0;
  double row = 0;  // time of its rows: where its left limit was recorded, or later
  Cause cause;
  LeftLimit first_left;  // before the event
  LeftLimit left;        // before the pass of the event iteration
  ModeChoice before;     // the event
  std::vector<Impulse> impulses;
  int pass = 0;                  // how many of the event iteration have been accepted
  bool is_exact = false;         // its guards have the values that the equations give them
  bool blends_memories = false;  // see EventPass
  bool has_new_resets = false;   // of the pass before
  bool is_stepped_over = false;  // it has no mode, but a moment later there is one
  std::vector<VarId> resets;     // targets of reinit, carriers of impulses
  std::set<std::vector<double>> tried_contacts{};  // discrete values, at this instant
};

// Adds to the impulse of the same variable and order, if there is one.
void add_impulse(const Model& model, VarId variable, const ImpulseWeight& weight,
                 std::vector<Impulse>& impulses);

}  // namespace hydae
