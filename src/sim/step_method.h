// One step of a run, whichever method makes it.
#pragma once

#include <cstdint>

#include "sim/outcome.h"
#include "sim/time_events.h"

namespace hydae {

struct Step {
  enum class End : std::uint8_t {
    kNone,      // no step was made: the other method is to go on from here
    kPlain,     // as far as the method came
    kHandOver,  // the other method goes on from t
    kTimeEvent,
    kCrossing,  // of a guard
  };
  End end = End::kPlain;
  double from = 0, t = 0;
  Cause cause{};  // of the event

  bool has_event() const { return end == End::kTimeEvent || end == End::kCrossing; }
};

class StepMethod {
 public:
  StepMethod() = default;
  virtual ~StepMethod() = default;
  StepMethod(const StepMethod&) = delete;
  StepMethod& operator=(const StepMethod&) = delete;

  // A step up to the first event, at most to `next`. Until it is accepted the solution has values
  // along it.
  virtual Outcome<Step> advance(TimeEvent next) = 0;
  // The solution is at the end of the step; at an event there are series whose left limit it is.
  virtual Outcome<Done> accept(const Step& step) = 0;
};

}  // namespace hydae
