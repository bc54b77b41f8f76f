// Functions with kinks and jumps. A kSwitching one is a where the relation `decides` holds between
// a and b (0 if it has one operand), else b (-a): its derivative is that of the branch, at the
// kink, too. Steps have derivative zero.
#pragma once

#include <algorithm>

#include "ops/entry.h"

namespace hydae::ops {

struct Abs {
  static constexpr Entry entry = {.op = Op::kAbs,
                                  .name = "abs",
                                  .num_operands = 1,
                                  .kind = Kind::kSwitching,
                                  .is_builtin = true};
  static constexpr Op decides = Op::kGreaterEqual;
  static double value(double a) { return std::abs(a); }
};

struct Min {
  static constexpr Entry entry = {
      .op = Op::kMin, .name = "min", .num_operands = 2, .kind = Kind::kSwitching};
  static constexpr Op decides = Op::kLessEqual;
  static double value(double a, double b) { return std::isnan(b) ? b : std::min(a, b); }
};

struct Max {
  static constexpr Entry entry = {
      .op = Op::kMax, .name = "max", .num_operands = 2, .kind = Kind::kSwitching};
  static constexpr Op decides = Op::kGreaterEqual;
  static double value(double a, double b) { return std::isnan(b) ? b : std::max(a, b); }
};

struct Sign {
  static constexpr Entry entry = {
      .op = Op::kSign, .name = "sign", .num_operands = 1, .kind = Kind::kStep, .is_builtin = true};
  static double value(double a) { return a > 0 ? 1 : a < 0 ? -1 : a; }
};

struct Floor {
  static constexpr Entry entry = {
      .op = Op::kFloor, .name = "floor", .num_operands = 1, .kind = Kind::kStep};
  static double value(double a) { return std::floor(a); }
};

struct Ceil {
  static constexpr Entry entry = {
      .op = Op::kCeil, .name = "ceil", .num_operands = 1, .kind = Kind::kStep};
  static double value(double a) { return std::ceil(a); }
};

struct Trunc {
  static constexpr Entry entry = {
      .op = Op::kTrunc, .name = "trunc", .num_operands = 1, .kind = Kind::kStep};
  static double value(double a) { return std::trunc(a); }
};

}  // namespace hydae::ops
