// Messages of assertions and terminate at an instant: the numbers in them have the values they have
// there.
#pragma once

#include <string>

#include "sim/instant.h"

namespace hydae {

std::string message_at(const HybridModel& model, const std::string& message,
                       const Instant& instant);

}  // namespace hydae
