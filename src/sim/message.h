// Messages of assertions and terminate at an instant: the numbers in them have the values they have
// there.
#pragma once

#include <string>

#include "sim/evaluation_context.h"

namespace hydae {

std::string message_at(const HybridModel& model, const std::string& message,
                       const EvaluationContext& instant);

}  // namespace hydae
