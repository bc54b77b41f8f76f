#include <algorithm>
#include <array>
#include <ostream>

#include <hydae/status.h>

namespace hydae {
namespace {

// In the order of Status.
constexpr std::array kNames = std::to_array<std::string_view>({
    "success",
    "initialization-failed",
    "conflicting-start-values",
    "step-too-small",
    "singular-jacobian",
    "undefined-function",
    "not-converged",
    "overflow",
    "singularity",
    "inconsistent-redundancy",
    "ill-posed-mode",
    "restart-failed",
    "under-specified-change",
    "over-specified-change",
    "superlinear-impulse",
    "impulse-times-jump",
    "impulse-through-code",
    "impact-law",
    "no-impact-solution",
    "mode-cycle",
    "ambiguous-sliding",
    "contact-cycle",
    "discrete-loop",
    "discrete-cycle",
    "event-iteration",
    "chattering",
    "zeno",
    "assertion-failed",
    "cancelled",
    "time-limit",
    "memory-limit",
    "undefined-values",
    "output-failed",
    "out-of-memory",
    "model-error",
    "internal-error",
});
static_assert(kNames.size() == static_cast<std::size_t>(Status::kInternalError) + 1);

}  // namespace

std::string_view name_of(Status status) { return kNames.at(static_cast<std::size_t>(status)); }

std::optional<Status> find_status(std::string_view name) {
  const auto at = std::find(kNames.begin(), kNames.end(), name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Status>(at - kNames.begin());
}

std::ostream& operator<<(std::ostream& out, Status status) { return out << name_of(status); }

}  // namespace hydae
