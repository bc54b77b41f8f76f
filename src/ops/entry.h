// What one elementary operation is, in one place. An operation is a struct with
//
//     static constexpr Entry entry = {.op = Op::kTanh, .name = "tanh", ...};
//     template <class N> static N value(const N& a);              (a, b for two operands)
//     template <class N> static N slope(const N& v, const N& a);  dv/da, where v is the value
//
// and, as its kind asks, what follows below. Formulas are written once for everything that has
// + - * / and the functions: with doubles they are values and derivatives at a point, with
// expressions (expr) the symbolic derivative, with intervals (codegen) enclosures. What is no
// function has its value for doubles only. The families of operations are in arithmetic.h,
// exponential.h, trigonometric.h, hyperbolic.h, switching.h and logic.h; list.h has all of them.
#pragma once

#include <cmath>

#include <hydae/op.h>

#include "ops/series_op.h"

namespace hydae::ops {

// What an operation is as a function of its operands.
enum class Kind : std::uint8_t {
  kLeaf,
  kArithmetic,  // analytic; simplified, printed and expanded in ways of its own
  kFunction,    // analytic, written name(a) or name(a, b)
  kSwitching,   // one of two expressions, as the relation `decides` says: abs, min, max
  kStep,        // constant where it is continuous: its derivative is zero
  kSpecial,     // selects, calls, operators of the simulation
};

struct Entry {
  Op op = Op::kConstant;
  const char* name = "";
  int num_operands = 0;
  Kind kind = Kind::kSpecial;
  const char* infix = nullptr;  // how it is written between its operands; else name(...)
  // Defined, with all derivatives, for all real operands (as far as they do not overflow).
  bool is_total = true;
  // A function of Modelica under this name; its operands and its value have no unit.
  bool is_builtin = false, takes_numbers = false;
  // kFunction: its power series is result number `result` of this recurrence. kIntegral stands for
  // v' b = scale a', where b is `denominator` of the operation.
  SeriesOp series = SeriesOp::kSum;
  int result = 0;
  double scale = 1;
};

// Functions of doubles that formulas use beside those of <cmath>.
inline double sqr(double a) { return a * a; }
inline double pow(double base, double exponent) {
  return exponent == 2 ? base * base : std::pow(base, exponent);
}
// `other`, but 0 where a is 0 and `other` has no value.
inline double zero_at_zero(double a, double other) { return a == 0 ? 0 : other; }

}  // namespace hydae::ops
