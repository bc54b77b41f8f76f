// Circular functions and their inverses.
#pragma once

#include "ops/entry.h"

namespace hydae::ops {

struct Sin {
  static constexpr Entry entry = {.op = Op::kSin,
                                  .name = "sin",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kSinCos};
  template <class N>
  static N value(const N& a) {
    using std::sin;
    return sin(a);
  }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::cos;
    return cos(a);
  }
};

struct Cos {
  static constexpr Entry entry = {.op = Op::kCos,
                                  .name = "cos",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kSinCos,
                                  .result = 1};
  template <class N>
  static N value(const N& a) {
    using std::cos;
    return cos(a);
  }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::sin;
    return -sin(a);
  }
};

struct Tan {
  static constexpr Entry entry = {.op = Op::kTan,
                                  .name = "tan",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kTan};
  template <class N>
  static N value(const N& a) {
    using std::tan;
    return tan(a);
  }
  template <class N>
  static N slope(const N& v, const N&) {
    return sqr(v) + 1;
  }
};

// (1 - a)(1 + a) keeps its digits near 1, where 1 - a^2 loses them.
template <class N>
N one_minus_square(const N& a) {
  return (1 - a) * (1 + a);
}

struct Asin {
  static constexpr Entry entry = {.op = Op::kAsin,
                                  .name = "asin",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kIntegral};
  template <class N>
  static N value(const N& a) {
    using std::asin;
    return asin(a);
  }
  static bool is_smooth_at(double a) { return std::abs(a) < 1; }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::sqrt;
    return 1 / sqrt(one_minus_square(a));
  }
  template <class N>
  static N denominator(const N& a) {
    return sqrt(1 - sqr(a));
  }
};

struct Acos {
  static constexpr Entry entry = {.op = Op::kAcos,
                                  .name = "acos",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kIntegral,
                                  .scale = -1};
  template <class N>
  static N value(const N& a) {
    using std::acos;
    return acos(a);
  }
  static bool is_smooth_at(double a) { return std::abs(a) < 1; }
  template <class N>
  static N slope(const N&, const N& a) {
    using std::sqrt;
    return -1 / sqrt(one_minus_square(a));
  }
  template <class N>
  static N denominator(const N& a) {
    return sqrt(1 - sqr(a));
  }
};

struct Atan {
  static constexpr Entry entry = {.op = Op::kAtan,
                                  .name = "atan",
                                  .num_operands = 1,
                                  .kind = Kind::kFunction,
                                  .is_builtin = true,
                                  .takes_numbers = true,
                                  .series = SeriesOp::kIntegral};
  template <class N>
  static N value(const N& a) {
    using std::atan;
    return atan(a);
  }
  template <class N>
  static N slope(const N&, const N& a) {
    return 1 / (sqr(a) + 1);
  }
  template <class N>
  static N denominator(const N& a) {
    return 1 + sqr(a);
  }
};

// atan2(y, x) with a = y, b = x: the angle of the point (x, y).
struct Atan2 {
  static constexpr Entry entry = {.op = Op::kAtan2,
                                  .name = "atan2",
                                  .num_operands = 2,
                                  .kind = Kind::kFunction,
                                  .is_total = false,
                                  .is_builtin = true,
                                  .series = SeriesOp::kAtan2};
  static double value(double a, double b) { return std::atan2(a, b); }
  template <class N>
  static N slope_a(const N&, const N& a, const N& b) {
    return b / (sqr(b) + sqr(a));
  }
  template <class N>
  static N slope_b(const N&, const N& a, const N& b) {
    return -(a / (sqr(b) + sqr(a)));
  }
};

}  // namespace hydae::ops
