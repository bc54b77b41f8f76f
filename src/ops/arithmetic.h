// Sums, products, quotients, powers.
#pragma once

#include "ops/entry.h"

namespace hydae::ops {

struct Neg {
  static constexpr Entry entry = {
      .op = Op::kNeg, .name = "neg", .num_operands = 1, .kind = Kind::kArithmetic};
  static double value(double a) { return -a; }
  template <class N>
  static N slope(const N&, const N&) {
    return -1;
  }
};

struct Add {
  static constexpr Entry entry = {
      .op = Op::kAdd, .name = "add", .num_operands = 2, .kind = Kind::kArithmetic, .infix = " + "};
  static double value(double a, double b) { return a + b; }
  template <class N>
  static N slope_a(const N&, const N&, const N&) {
    return 1;
  }
  template <class N>
  static N slope_b(const N&, const N&, const N&) {
    return 1;
  }
};

struct Sub {
  static constexpr Entry entry = {
      .op = Op::kSub, .name = "sub", .num_operands = 2, .kind = Kind::kArithmetic, .infix = " - "};
  static double value(double a, double b) { return a - b; }
  template <class N>
  static N slope_a(const N&, const N&, const N&) {
    return 1;
  }
  template <class N>
  static N slope_b(const N&, const N&, const N&) {
    return -1;
  }
};

struct Mul {
  static constexpr Entry entry = {
      .op = Op::kMul, .name = "mul", .num_operands = 2, .kind = Kind::kArithmetic, .infix = "*"};
  static double value(double a, double b) { return a * b; }
  template <class N>
  static N slope_a(const N&, const N&, const N& b) {
    return b;
  }
  template <class N>
  static N slope_b(const N&, const N& a, const N&) {
    return a;
  }
};

struct Div {
  static constexpr Entry entry = {.op = Op::kDiv,
                                  .name = "div",
                                  .num_operands = 2,
                                  .kind = Kind::kArithmetic,
                                  .infix = "/",
                                  .is_total = false};
  static double value(double a, double b) { return a / b; }
  template <class N>
  static N slope_a(const N&, const N&, const N& b) {
    return 1 / b;
  }
  template <class N>
  static N slope_b(const N& v, const N&, const N& b) {
    return -(v / b);
  }
};

struct Pow {
  static constexpr Entry entry = {.op = Op::kPow,
                                  .name = "pow",
                                  .num_operands = 2,
                                  .kind = Kind::kArithmetic,
                                  .infix = "^",
                                  .is_total = false};
  static double value(double a, double b) { return pow(a, b); }
  template <class N>
  static N slope_a(const N&, const N& a, const N& b) {
    return b * pow(a, b - 1);
  }
  // a^b log(a), which tends to 0 where a does.
  template <class N>
  static N slope_b(const N& v, const N& a, const N&) {
    using std::log;
    return zero_at_zero(a, v * log(a));
  }
};

}  // namespace hydae::ops
