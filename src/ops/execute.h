// One instruction on numbers: its value and its derivatives by its operands. What is frequent and
// cheap is inlined, the rest goes through the table of operations. Internal to the interpreters.
#pragma once

#include "ops/list.h"
#include "ops/machine.h"
#include "ops/operation.h"

namespace hydae::ops {

inline double select(double condition, double then_value, double else_value) {
  if (std::isnan(condition)) return condition;
  return condition != 0 ? then_value : else_value;
}

// A share of 0 or 1 does not look at the other operand, which may be undefined.
inline double mix(double actual, double simplified, double share) {
  if (share == 1) return actual;
  if (share == 0) return simplified;
  return share * actual + (1 - share) * simplified;
}

inline double execute(const Instruction& i, const double* r, Machine& machine) {
  const Register a = i.in[0], b = i.in[1], c = i.in[2];
  switch (i.code) {
    case code_of(Op::kAdd): return Add::value(r[a], r[b]);
    case code_of(Op::kSub): return Sub::value(r[a], r[b]);
    case code_of(Op::kMul): return Mul::value(r[a], r[b]);
    case code_of(Op::kDiv): return Div::value(r[a], r[b]);
    case code_of(Op::kNeg): return Neg::value(r[a]);
    case kMulAdd: return r[a] * r[b] + r[c];
    case kMulSub: return r[a] * r[b] - r[c];
    case kSubMul: return r[c] - r[a] * r[b];
    case code_of(Op::kSqrt): return Sqrt::value(r[a]);
    case code_of(Op::kAbs): return Abs::value(r[a]);
    case code_of(Op::kMin): return Min::value(r[a], r[b]);
    case code_of(Op::kMax): return Max::value(r[a], r[b]);
    case code_of(Op::kLess): return Less::value(r[a], r[b]);
    case code_of(Op::kLessEqual): return LessEqual::value(r[a], r[b]);
    case code_of(Op::kGreater): return Greater::value(r[a], r[b]);
    case code_of(Op::kGreaterEqual): return GreaterEqual::value(r[a], r[b]);
    case code_of(Op::kAnd): return And::value(r[a], r[b]);
    case code_of(Op::kOr): return Or::value(r[a], r[b]);
    case code_of(Op::kSelect): return select(r[a], r[b], r[c]);
    case code_of(Op::kHomotopy): return mix(r[a], r[b], r[c]);
    case code_of(Op::kCall):
    case code_of(Op::kCallDerivative): return machine.call(a);
    default: return apply(static_cast<Op>(i.code), r[a], r[b]);
  }
}

// Derivatives of the value in register `out` by the operands, in their order. `is_wanted`: bit k is
// set if operand k counts; what is expensive and not wanted stays 0.
inline void find_slopes(const Instruction& i, unsigned is_wanted, const Machine& machine,
                        double* slopes_out) {
  const double* const r = machine.registers().data();
  const Register a = i.in[0], b = i.in[1], c = i.in[2];
  const auto put = [slopes_out](double by_a, double by_b, double by_c) {
    slopes_out[0] = by_a;
    slopes_out[1] = by_b;
    slopes_out[2] = by_c;
  };
  switch (i.code) {
    case code_of(Op::kAdd): return put(1, 1, 0);
    case code_of(Op::kSub): return put(1, -1, 0);
    case code_of(Op::kMul): return put(r[b], r[a], 0);
    case code_of(Op::kNeg): return put(-1, 0, 0);
    case kMulAdd: return put(r[b], r[a], 1);
    case kMulSub: return put(r[b], r[a], -1);
    case kSubMul: return put(-r[b], -r[a], 1);
    case code_of(Op::kPow):
      return put(is_wanted & 1 ? Pow::slope_a(r[i.out], r[a], r[b]) : 0,
                 is_wanted & 2 ? Pow::slope_b(r[i.out], r[a], r[b]) : 0, 0);
    case code_of(Op::kSelect):
      if (std::isnan(r[a])) return put(0, r[a], r[a]);
      return put(0, r[a] != 0, r[a] == 0);
    case code_of(Op::kHomotopy): return put(r[c], 1 - r[c], 0);
    case code_of(Op::kCall):
    case code_of(Op::kCallDerivative): return machine.call_slopes(a, slopes_out);
    default: {
      const Slopes found = slopes(static_cast<Op>(i.code), r[i.out], r[a], r[b]);
      return put(found.by_a, found.by_b, 0);
    }
  }
}

}  // namespace hydae::ops
