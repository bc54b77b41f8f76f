// Messages of assertions and terminate at an instant: the numbers in them have the values they have
// there.
#pragma once

#include <string>

#include "sim/evaluation_context.h"

namespace hydae {

std::string message_at(const HybridModel& model, const std::string& message,
                       const EvaluationContext& instant);

// "assertion at t = 0.5 (tank.mo:14:3): the tank is full".
std::string assertion_text(const HybridModel& model, double t, SourceRange source,
                           const std::string& text);

}  // namespace hydae
