// Roots, exponential function, logarithms.
#pragma once

#include <numbers>

#include "ops/entry.h"

namespace hydae::ops {

struct Sqrt {
  static constexpr Entry entry = {.op = Op::kSqrt,
                                  .name = "sqrt",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .series = SeriesOp::kSqrt};
  template <class N>
  static N value(const N& a) {
    using std::sqrt;
    return sqrt(a);
  }
  static bool is_smooth_at(double a) { return a > 0; }
  template <class N>
  static N slope(const N& v, const N&) {
    return 0.5 / v;
  }
};

struct Exp {
  static constexpr Entry entry = {.op = Op::kExp,
                                  .name = "exp",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kExp};
  template <class N>
  static N value(const N& a) {
    using std::exp;
    return exp(a);
  }
  template <class N>
  static N slope(const N& v, const N&) {
    return v;
  }
};

struct Log {
  static constexpr Entry entry = {.op = Op::kLog,
                                  .name = "log",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kIntegral};
  template <class N>
  static N value(const N& a) {
    using std::log;
    return log(a);
  }
  static bool is_smooth_at(double a) { return a > 0; }
  template <class N>
  static N slope(const N&, const N& a) {
    return 1 / a;
  }
  template <class N>
  static N denominator(const N& a) {
    return a;
  }
};

struct Log10 {
  static constexpr Entry entry = {.op = Op::kLog10,
                                  .name = "log10",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kIntegral,
                                  .scale = 1 / std::numbers::ln10};
  template <class N>
  static N value(const N& a) {
    using std::log10;
    return log10(a);
  }
  static bool is_smooth_at(double a) { return a > 0; }
  template <class N>
  static N slope(const N&, const N& a) {
    return entry.scale / a;
  }
  template <class N>
  static N denominator(const N& a) {
    return a;
  }
};

}  // namespace hydae::ops
