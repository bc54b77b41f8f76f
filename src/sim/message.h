// Messages of assertions and terminate at an instant: the numbers in them have the values they have
// there.
#pragma once

#include <string>

#include "sim/evaluation_context.h"

namespace hydae {

std::string message_at(const HybridModel& model, const std::string& message,
                       const EvaluationContext& instant);
// The same of an assertion, with the line of the model that says it: "too hot (tank.mo:14:3)".
std::string assertion_at(const HybridModel& model, const std::string& message, SourceRange source,
                         const EvaluationContext& instant);

}  // namespace hydae
