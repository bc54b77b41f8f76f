// Running error analysis of order 0: beside the value of every operation, a bound to first order of
// its error, from the errors of its operands and its own rounding.
#pragma once

#include "codegen/kernels.h"

namespace hydae::codegen {

// errors[place] of the result, at the places of its values; those of the operands must be there.
void add_error_at_zero(const Instr& instr, const double* data, double* errors);

}  // namespace hydae::codegen
