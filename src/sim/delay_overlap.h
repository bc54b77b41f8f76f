// delay() by less than a step: the signal of the step at hand is read by the step itself. A delay
// time may begin at zero or come down to it; steps no longer than the delay would never get there.
// The series of the signal about the start of the step takes the place of a piece of the past, and
// step and piece are made in turn until they agree: each round makes at least one more coefficient
// right, unless the signal depends on its own delayed value at once.
#pragma once

#include "sim/delay_memory.h"
#include "sim/event_instant.h"
#include "sim/outcome.h"

namespace hydae {

class DelayOverlap {
 public:
  DelayOverlap(const HybridModel& model, DelayMemory& memory, double rtol);

  // In the place of expand() of the stepper, whose failures it has.
  Outcome<Done> expand(Committed& run, double limit);
  // Behind an event at t: whether a signal without delay has another value than its past, which it
  // reads. From now on it reads itself.
  bool read_present(Committed& run, double t) const;
  // A delay is, or was just now, shorter than a step: no work for BDF.
  bool is_near(Committed& run, double limit);

 private:
  std::vector<std::size_t> find_near(const Committed& run);
  bool continues_past(const Committed& run, const std::vector<std::size_t>& near);
  void load(Committed& run) const;
  Outcome<Done> read_past(Committed& run, double limit);
  Outcome<Done> expand_plainly(Committed& run, double limit) const;
  Outcome<bool> agree(Committed& run, const std::vector<std::size_t>& near, double limit) const;
  PastPiece piece_ahead(const TaylorSolution& solution, std::size_t delay) const;

  const HybridModel& model_;
  DelayMemory& memory_;
  double rtol_;
  std::vector<std::size_t> varying_;  // delays whose lag changes
};

}  // namespace hydae
