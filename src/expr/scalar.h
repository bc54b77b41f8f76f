// The numbers behind the operations: what a node means when its operands are doubles. Booleans are
// 0 and 1. Shared by constant folding and evaluation, so that the two agree to the last bit.
#pragma once

#include <hydae/expr.h>

namespace hydae {

// Value of an operation with one or two Real or Boolean operands: arithmetic, functions, relations,
// not, and, or. Undefined results come out as NaN or infinity; a relation or logical operation
// that hangs on an undefined operand is NaN.
double apply(Op op, double a, double b = 0);

// Derivatives of apply(op, a, b) = value by a and by b. At a kink of abs, min, max it is
// that of the branch they are lowered to. Zero for piecewise constant operations.
struct Slopes {
  double by_a = 0, by_b = 0;
};
Slopes slopes(Op op, double value, double a, double b = 0);

}  // namespace hydae
