// The table of operations at run time: names, values, derivatives in numbers (entry.h says what an
// operation is).
#pragma once

#include <span>
#include <string_view>

#include "ops/entry.h"

namespace hydae::ops {

const Entry& entry(Op op);
std::span<const Entry> entries();
// The function of Modelica with this name; null if there is none here.
const Entry* find_builtin(std::string_view name);

// Value of an operation with one or two Real or Boolean operands: arithmetic, functions, relations,
// not, and, or. Undefined results come out as NaN or infinity; a relation or logical operation
// that hangs on an undefined operand is NaN.
double apply(Op op, double a, double b = 0);

// Derivatives of apply(op, a, b) = value by a and by b. At a kink of abs, min, max it is that of
// the branch they are lowered to. Zero for steps.
struct Slopes {
  double by_a = 0, by_b = 0;
};
Slopes slopes(Op op, double value, double a, double b = 0);

// A function of one operand has a power series around this point.
bool is_smooth_at(Op op, double a);

// The relation that says which way abs, min or max goes.
Op deciding_relation(Op op);

inline bool is_step(Op op) { return entry(op).kind == Kind::kStep; }
inline bool is_function(Op op) { return entry(op).kind == Kind::kFunction; }

}  // namespace hydae::ops
