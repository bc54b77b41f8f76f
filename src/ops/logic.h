// Relations and Boolean operations on 0 and 1. What hangs on an undefined number is undefined.
#pragma once

#include <limits>

#include "ops/entry.h"

namespace hydae::ops {

inline double if_ordered(double a, double b, bool value) {
  return std::isunordered(a, b) ? std::numeric_limits<double>::quiet_NaN() : value;
}

struct Less {
  static constexpr Entry entry = {
      .op = Op::kLess, .name = "less", .num_operands = 2, .kind = Kind::kStep, .infix = " < "};
  static double value(double a, double b) { return if_ordered(a, b, a < b); }
};

struct LessEqual {
  static constexpr Entry entry = {.op = Op::kLessEqual,
                                  .name = "less_equal",
                                  .num_operands = 2,
                                  .kind = Kind::kStep,
                                  .infix = " <= "};
  static double value(double a, double b) { return if_ordered(a, b, a <= b); }
};

struct Greater {
  static constexpr Entry entry = {.op = Op::kGreater,
                                  .name = "greater",
                                  .num_operands = 2,
                                  .kind = Kind::kStep,
                                  .infix = " > "};
  static double value(double a, double b) { return if_ordered(a, b, a > b); }
};

struct GreaterEqual {
  static constexpr Entry entry = {.op = Op::kGreaterEqual,
                                  .name = "greater_equal",
                                  .num_operands = 2,
                                  .kind = Kind::kStep,
                                  .infix = " >= "};
  static double value(double a, double b) { return if_ordered(a, b, a >= b); }
};

struct Equal {
  static constexpr Entry entry = {
      .op = Op::kEqual, .name = "equal", .num_operands = 2, .kind = Kind::kStep, .infix = " == "};
  static double value(double a, double b) { return if_ordered(a, b, a == b); }
};

struct NotEqual {
  static constexpr Entry entry = {.op = Op::kNotEqual,
                                  .name = "not_equal",
                                  .num_operands = 2,
                                  .kind = Kind::kStep,
                                  .infix = " <> "};
  static double value(double a, double b) { return if_ordered(a, b, a != b); }
};

struct Not {
  static constexpr Entry entry = {
      .op = Op::kNot, .name = "not", .num_operands = 1, .kind = Kind::kStep};
  static double value(double a) { return std::isnan(a) ? a : a == 0; }
};

// false and anything is false, even if it is undefined.
struct And {
  static constexpr Entry entry = {
      .op = Op::kAnd, .name = "and", .num_operands = 2, .kind = Kind::kStep, .infix = " and "};
  static double value(double a, double b) { return a == 0 || b == 0 ? 0 : if_ordered(a, b, true); }
};

struct Or {
  static constexpr Entry entry = {
      .op = Op::kOr, .name = "or", .num_operands = 2, .kind = Kind::kStep, .infix = " or "};
  static double value(double a, double b) {
    return Not::value(And::value(Not::value(a), Not::value(b)));
  }
};

}  // namespace hydae::ops
