// All operations on numbers, and tables made of them. Adding a function: a name in hydae/op.h, a
// struct in the header of its family, its place in this list.
#pragma once

#include <array>

#include "ops/arithmetic.h"
#include "ops/exponential.h"
#include "ops/hyperbolic.h"
#include "ops/logic.h"
#include "ops/switching.h"
#include "ops/trigonometric.h"

namespace hydae::ops {

template <class... Operations>
struct List {};

using Operations =
    List<Neg, Add, Sub, Mul, Div, Pow, Sqrt, Exp, Log, Log10, Sin, Cos, Tan, Asin, Acos, Atan,
         Atan2, Sinh, Cosh, Tanh, Abs, Sign, Min, Max, Floor, Ceil, Trunc, Less, LessEqual, Greater,
         GreaterEqual, Equal, NotEqual, Not, And, Or>;

// It has `slope`, or `slope_a` and `slope_b`.
template <class O>
inline constexpr bool is_analytic =
    O::entry.kind == Kind::kArithmetic || O::entry.kind == Kind::kFunction;

// By operation: Make<O>::value; `missing` for what is not in the list.
template <class T, template <class> class Make, class... O>
constexpr std::array<T, kNumOps> table_of(List<O...>, T missing) {
  std::array<T, kNumOps> table{};
  table.fill(missing);
  ((table[static_cast<std::size_t>(O::entry.op)] = Make<O>::value), ...);
  return table;
}

}  // namespace hydae::ops
