// The numbers behind the operations: what a node means when its operands are doubles. Booleans are
// 0 and 1. Shared by constant folding and evaluation, so that the two agree to the last bit.
#pragma once

#include <hydae/expr.h>

namespace hydae {

// Value of an operation with one or two Real or Boolean operands: arithmetic, functions, relations,
// not, and, or. Undefined results come out as NaN or infinity.
double apply(Op op, double a, double b = 0);

}  // namespace hydae
