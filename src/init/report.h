// What a person is told about the outcome.
#pragma once

#include <span>

#include "init/gauss_newton.h"

namespace hydae::init {

// Fills everything that follows from the point reached: movements, residual, rank, message and
// help. `report.status` and the attempts are there already.
void describe_point(System& system, const Vector& y, const Options& options, Report& report);

std::string describe_undefined(const System& system, std::span<const int> equations);

}  // namespace hydae::init
