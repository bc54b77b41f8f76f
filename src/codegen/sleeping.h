// Functions that are as good as constant now and not later. exp(-800) is zero with all its
// coefficients, and so is exp(-(20 (x - 7))^2) at x = 0; at x = 7 it is one. Only the argument
// knows: it is a series of its own, as accurate as the solution. The same holds for tanh and for
// 1/(1 + exp(u)).
#pragma once

#include <span>

#include "codegen/kernels.h"

namespace hydae::codegen {

bool can_sleep(const Instr& instr);

bool is_asleep(const Instr& instr, double argument);

// Whether the operation is asleep at tau = 0 and wakes up before `tau`: then the time at which it
// begins to count; else `tau`. `argument`: coefficients of it.
double wake_time(const Instr& instr, std::span<const double> argument, double tau);

}  // namespace hydae::codegen
