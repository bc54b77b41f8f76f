// All that changes while a hybrid model runs, as a value: a copy is a snapshot, and whoever has a
// copy can try what he likes. What can be computed from it (series, tables of numbers, modes) is
// not part of it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/history.h"
#include "sim/mode_choice.h"
#include "sim/pinned_guard.h"
#include "sim/zeno.h"

namespace hydae {

// The relation of a contact has two guards, the gap while it is open and the force while it is
// closed. What is known of the one that it does not stand for at the moment.
struct OtherGuard {
  bool is_gap = false;
  bool is_seen = false;       // else the sizes are those of what it is computed from
  std::vector<double> sizes;  // see GuardMemory
  double scale = 0;
};

// What is known about guards from the past of the run.
struct GuardMemory {
  // Largest |g^(n)|/n! so far, for each relation: what rounding errors are measured by.
  std::vector<std::vector<double>> sizes;
  // After an event: how many leading coefficients of each output are zero there but for rounding.
  // Guards first, then exits; empty once a step was made.
  std::vector<int> known_zeros;
  // Of each guard: what the last event took for zero. A guard that is held there does not leave it.
  std::vector<double> residues;
  // Of each guard: the largest error that a step has made in it since it was last located.
  std::vector<double> noise;
  // Of each guard: its size where the run began.
  std::vector<double> scales;
  // Of each guard: whether the start has given it a size, by its value or its first derivatives.
  // Else it is moved by errors before it is moved by anything else.
  std::vector<bool> is_given;
  std::map<std::size_t, OtherGuard> others;  // by relation of a contact
  // Of each guard: the length in time of the parts of a step in which its series converges.
  std::vector<double> lengths;
};

// What the force of a contact does to its gap: contact_switches.h.
enum class ContactKind : std::uint8_t {
  kUnknown,
  kImpact,  // it acts through a second derivative: bodies collide
  // Nothing collides:
  kRate,     // through one derivative: a diode and a capacitor, a freewheel
  kValue,    // at once: a diode and a resistor
  kInverse,  // it has the gap for its derivative: a diode and a coil
};

struct HybridState {
  // Of the solution, as a snapshot has them: its time and the values of the entries of the mode's
  // program, or of all derivatives that it solves for where it has none. The series of a run at
  // work are ahead of them.
  double t = 0;
  std::vector<double> point;
  std::vector<double> scales;  // of the unknowns: what absolute tolerances are relative to
  bool uses_bdf = false;       // between events
  double last_step = 0;        // before the last event: a guess for the first one behind it
  Switches switches;
  std::vector<PinnedGuard> pins;
  std::vector<double> discrete;    // by VarId; of continuous variables: zero
  std::vector<bool> conditions;    // of when-clauses: whether they are true
  std::vector<History> histories;  // of delays
  std::vector<PastPiece> pieces;  // that the equations read until the next event: of the histories,
                                  // then of the signals of inputs
  GuardMemory guards;
  ZenoWatch zeno;                          // events that may accumulate
  std::vector<ContactKind> contact_kinds;  // as far as they were needed; empty: none was
  std::vector<VarId> resets;   // of the last event: targets of reinit, carriers of impulses
  bool is_terminated = false;  // by terminate()

  ModeChoice choice() const { return {switches, pins}; }
};

}  // namespace hydae
