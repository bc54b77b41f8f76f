// The first event of a step: the earliest zero among many guards g_k, with every guard whose zero
// cannot be told apart from it in time. A guard carries the sign that its mode bit stands for: the
// bit is the memory, and an event is a guard on its way to the other sign. A touch is no event; it
// is reported.
#pragma once

#include <span>
#include <vector>

#include "poly/root_finder.h"

namespace hydae::poly {

struct Guard {
  std::span<const double> coefficients;  // of g_k in tau in [0, 1]
  double remainder = 0;
  int num_known_zeros = 0;  // see RootOptions
  int held_sign = 0;        // sign the mode bit stands for; 0: the sign at the start of the step
};

struct GuardRoot {
  int guard = 0;
  Root root;
};

struct FirstEvent {
  double tau = 0;                  // where it is, if has_event()
  std::vector<GuardRoot> guards;   // all that switch there, by guard; empty: no event in the step
  std::vector<GuardRoot> grazing;  // touches that begin no later than the event, by guard
  std::vector<int> undecided_guards;  // |p| <= remainder on the whole step
  std::vector<int> failed_guards;     // coefficients or remainder not finite

  bool has_event() const { return !guards.empty(); }
};

// The first event is the root that is over first (smallest `upper`); a guard whose interval
// overlaps its interval is simultaneous with it. A guard that starts on the wrong side of its held
// sign, or leaves zero for the wrong side, is an event at the start of the step.
class FirstEventFinder {
 public:
  // The result is valid until the next call.
  const FirstEvent& find(std::span<const Guard> guards);

 private:
  void inspect(int index, const Guard& guard);
  void inspect_roots(int index, const RootSearch& search, int held_sign);
  void add_candidate(int index, const Root& root);
  void choose_simultaneous();

  RootFinder finder_;
  FirstEvent result_;
  std::vector<GuardRoot> candidates_;  // the first event of each guard
  double until_ = 1;                   // smallest upper end among them
};

}  // namespace hydae::poly
