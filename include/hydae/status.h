// Module: base
// How a computation ended: success, or the reason why it did not succeed. The names are stable: the
// tool prints them in brackets, and JSON has them as text.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string_view>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

enum class Status : std::uint8_t {
  kSuccess,
  // The initial point.
  kInitializationFailed,
  kConflictingStartValues,
  // A step.
  kStepTooSmall,
  kSingularJacobian,
  kUndefinedFunction,
  kNotConverged,
  kOverflow,
  kSingularity,
  kInconsistentRedundancy,  // an equation that was dropped does not follow from the others
  // The equations after an event.
  kIllPosedMode,
  kRestartFailed,
  kUnderSpecifiedChange,
  kOverSpecifiedChange,
  kSuperlinearImpulse,
  kImpulseTimesJump,
  kImpulseThroughCode,
  kImpactLaw,
  kNoImpactSolution,
  // What acts after an event.
  kModeCycle,
  kAmbiguousSliding,
  kContactCycle,
  kDiscreteLoop,
  kDiscreteCycle,
  kEventIteration,
  kChattering,
  kZeno,
  // The model or the user ended it.
  kAssertionFailed,
  kCancelled,
  kTimeLimit,
  kMemoryLimit,
  // The results.
  kUndefinedValues,
  kOutputFailed,
  // Ended by an exception.
  kOutOfMemory,
  kModelError,
  kInternalError,
};

// "step-too-small".
std::string_view name_of(Status status);
std::optional<Status> find_status(std::string_view name);
std::ostream& operator<<(std::ostream& out, Status status);

}  // namespace hydae
