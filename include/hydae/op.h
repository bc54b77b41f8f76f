// Module: ops
// The operations that expressions are made of. What each of them is (its value, its derivatives,
// its text, its power series) stands in src/ops, one entry per operation.
#pragma once

#include <cstdint>

#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

enum class Op : std::uint8_t {
  // leaves
  kConstant,   // a double, or a Boolean 0 or 1
  kParameter,  // ParamId
  kTime,
  kVariable,  // VarId, derivative order >= 0
  kPre,       // VarId, derivative order: value before the event
  kInitial,   // true while initializing
  kTerminal,  // true in the last evaluation
  // arithmetic
  kNeg,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kPow,
  // elementary functions
  kSqrt,
  kExp,
  kLog,
  kLog10,
  kSin,
  kCos,
  kTan,
  kAsin,
  kAcos,
  kAtan,
  kAtan2,
  kSinh,
  kCosh,
  kTanh,
  // switching functions: they are lowered to relations and selects before they are run
  kAbs,
  kSign,
  kMin,
  kMax,
  // event counters: the largest integer <= x, the smallest >= x, x without its fraction
  kFloor,
  kCeil,
  kTrunc,
  // relations on Real; the flag `silent` says that no event is generated (noEvent)
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kEqual,
  kNotEqual,
  // Boolean
  kNot,
  kAnd,
  kOr,
  kSelect,  // if a then b else c; b and c may be Real or Boolean
  // operators with a meaning of their own in the simulation
  kSample,          // sample(start, interval)
  kDelay,           // delay(expression, delay time, maximum delay time)
  kHomotopy,        // homotopy(actual, simplified)
  kSmooth,          // smooth(order, expression)
  kCall,            // output number `output` of external function `function` applied to arguments
  kCallDerivative,  // its partial derivative by argument `input`, or by `input` and `second_input`
};
inline constexpr int kNumOps = static_cast<int>(Op::kCallDerivative) + 1;

const char* op_name(Op op);  // "add", "sin", ...

// Number of operands; -1 for kCall and kCallDerivative, which have as many as the function.
int num_operands(Op op);
constexpr bool is_relation(Op op) { return Op::kLess <= op && op <= Op::kNotEqual; }
constexpr bool is_call(Op op) { return op == Op::kCall || op == Op::kCallDerivative; }
// a op b is b op a.
constexpr bool is_commutative(Op op) {
  return op == Op::kAdd || op == Op::kMul || op == Op::kMin || op == Op::kMax || op == Op::kEqual ||
         op == Op::kNotEqual || op == Op::kAnd || op == Op::kOr;
}

}  // namespace hydae
