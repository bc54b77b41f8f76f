// Every operation of the table against values in extended precision, its derivatives against
// differences. The adversary is an operation that was added and is not treated somewhere.
#include "ops/operation.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "ops/list.h"

namespace hydae::ops {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
const double kNan = std::nan("");

std::vector<Op> all_ops() {
  std::vector<Op> list;
  for (int k = 0; k < kNumOps; ++k) list.push_back(static_cast<Op>(k));
  return list;
}

bool is_analytic_op(Op op) {
  return entry(op).kind == Kind::kArithmetic || entry(op).kind == Kind::kFunction;
}

// By the functions of the library in 64 bits of mantissa, which share nothing with the table.
long double reference(Op op, long double a, long double b) {
  switch (op) {
    case Op::kNeg: return -a;
    case Op::kAdd: return a + b;
    case Op::kSub: return a - b;
    case Op::kMul: return a * b;
    case Op::kDiv: return a / b;
    case Op::kPow: return std::pow(a, b);
    case Op::kSqrt: return std::sqrt(a);
    case Op::kExp: return std::exp(a);
    case Op::kLog: return std::log(a);
    case Op::kLog10: return std::log10(a);
    case Op::kSin: return std::sin(a);
    case Op::kCos: return std::cos(a);
    case Op::kTan: return std::tan(a);
    case Op::kAsin: return std::asin(a);
    case Op::kAcos: return std::acos(a);
    case Op::kAtan: return std::atan(a);
    case Op::kAtan2: return std::atan2(a, b);
    case Op::kSinh: return std::sinh(a);
    case Op::kCosh: return std::cosh(a);
    case Op::kTanh: return std::tanh(a);
    case Op::kAbs: return a < 0 ? -a : a;
    case Op::kSign: return (a > 0) - (a < 0);
    case Op::kMin: return a < b ? a : b;
    case Op::kMax: return a < b ? b : a;
    case Op::kFloor: return std::floor(a);
    case Op::kCeil: return std::ceil(a);
    case Op::kTrunc: return std::trunc(a);
    case Op::kLess: return a < b;
    case Op::kLessEqual: return a <= b;
    case Op::kGreater: return a > b;
    case Op::kGreaterEqual: return a >= b;
    case Op::kEqual: return a == b;
    case Op::kNotEqual: return a != b;
    case Op::kNot: return a == 0;
    case Op::kAnd: return a != 0 && b != 0;
    case Op::kOr: return a != 0 || b != 0;
    default: return std::nanl("");
  }
}

// Numbers of several sizes and both signs; with 0, 1 and equal pairs for relations and Booleans.
const std::vector<double> kPoints = {-30.25, -2,   -1,   -0.999, -0.3,  -1e-9, 0,
                                     1e-12,  0.25, 0.5,  0.75,   0.999, 1,     1.5,
                                     2,      3,    7.25, 40,     1e3,   12345, 1.5e6};

TEST(Operations, have_one_entry_each) {
  int num_on_numbers = 0;
  for (const Op op : all_ops()) {
    EXPECT_EQ(entry(op).op, op);
    EXPECT_STREQ(op_name(op), entry(op).name);
    EXPECT_EQ(num_operands(op), entry(op).num_operands);
    const bool is_on_numbers =
        entry(op).kind != Kind::kLeaf && entry(op).kind != Kind::kSpecial && op != Op::kSample;
    num_on_numbers += is_on_numbers;
  }
  EXPECT_EQ(num_on_numbers,
            kNumOps - 14);  // 7 leaves; select, sample, delay, homotopy, smooth, calls
}

TEST(Operations, have_the_values_of_the_library_to_two_units_in_the_last_place) {
  for (const Op op : all_ops()) {
    if (entry(op).kind == Kind::kLeaf || entry(op).kind == Kind::kSpecial || op == Op::kSample)
      continue;
    for (const double a : kPoints)
      for (const double b : kPoints) {
        const double expected = static_cast<double>(reference(op, a, b));
        const double value = apply(op, a, b);
        if (!std::isfinite(expected))
          EXPECT_FALSE(std::isfinite(value)) << op_name(op) << " of " << a << ", " << b;
        else
          EXPECT_NEAR(value, expected, 2 * kEpsilon * std::abs(expected))
              << op_name(op) << " of " << a << ", " << b;
        if (entry(op).num_operands == 1) break;
      }
  }
}

// Differences of values in extended precision: h^2 f'''/6 and 1e-19/h are below 1e-12 of the larger
// of slope and value for these functions and points, but next to singularities.
TEST(Operations, have_the_slopes_of_their_values) {
  const std::vector<double> points = {-1.5, -0.6, -0.2, 0.3, 0.7, 1.25, 2.5};
  const long double h = 1e-6L;
  int num_checked = 0;
  for (const Op op : all_ops()) {
    if (!is_analytic_op(op) && entry(op).kind != Kind::kSwitching) continue;
    for (const double a : points)
      for (const double b : points) {
        const double value = apply(op, a, b);
        const bool is_unary = entry(op).num_operands == 1;
        const long double by_a = (reference(op, a + h, b) - reference(op, a - h, b)) / (2 * h);
        const long double by_b = (reference(op, a, b + h) - reference(op, a, b - h)) / (2 * h);
        if (!std::isfinite(value) || (!is_unary && a == b)) continue;
        const Slopes s = slopes(op, value, a, b);
        const double scale = 1 + std::abs(value);
        EXPECT_NEAR(s.by_a, static_cast<double>(by_a), 1e-9 * (scale + std::abs(s.by_a)))
            << op_name(op) << " of " << a << ", " << b;
        if (!is_unary && std::isfinite(static_cast<double>(by_b))) {
          EXPECT_NEAR(s.by_b, static_cast<double>(by_b), 1e-9 * (scale + std::abs(s.by_b)))
              << op_name(op) << " of " << a << ", " << b;
        }
        ++num_checked;
        if (is_unary) break;
      }
  }
  EXPECT_GT(num_checked, 300);
}

// asin' = 1/sqrt(1 - a^2): with 1 - a = 2^-40 exactly it is 2^20/sqrt(2 - 2^-40); 1 - a^2 in
// doubles would have lost half its digits.
TEST(Operations, slopes_of_inverse_sines_keep_their_digits_near_one) {
  const double a = 1 - std::ldexp(1.0, -40);
  const double expected = std::ldexp(1.0, 20) / std::sqrt(2 - std::ldexp(1.0, -40));
  EXPECT_NEAR(slopes(Op::kAsin, apply(Op::kAsin, a), a).by_a, expected, 4 * kEpsilon * expected);
  EXPECT_NEAR(slopes(Op::kAcos, apply(Op::kAcos, a), a).by_a, -expected, 4 * kEpsilon * expected);
}

TEST(Operations, at_a_kink_have_the_slope_of_the_branch_that_is_taken) {
  EXPECT_EQ(slopes(Op::kAbs, 0, 0).by_a, 1);
  EXPECT_EQ(slopes(Op::kMin, 2, 2, 2).by_a, 1);
  EXPECT_EQ(slopes(Op::kMax, 2, 2, 2).by_b, 0);
  EXPECT_EQ(deciding_relation(Op::kAbs), Op::kGreaterEqual);
  EXPECT_EQ(deciding_relation(Op::kMin), Op::kLessEqual);
  EXPECT_EQ(deciding_relation(Op::kMax), Op::kGreaterEqual);
}

TEST(Operations, steps_have_no_slope) {
  for (const Op op : all_ops()) {
    if (!is_step(op) || op == Op::kSample) continue;
    const Slopes s = slopes(op, apply(op, 0.5, 1), 0.5, 1);
    EXPECT_EQ(s.by_a, 0) << op_name(op);
    EXPECT_EQ(s.by_b, 0) << op_name(op);
  }
}

// x^b at x = 0: the slope by b is the limit 0, not 0 times log 0.
TEST(Operations, a_power_of_zero_does_not_depend_on_its_exponent) {
  EXPECT_EQ(slopes(Op::kPow, 0, 0, 3).by_b, 0);
}

TEST(Operations, what_hangs_on_an_undefined_number_is_undefined) {
  for (const Op op : all_ops()) {
    if (!is_relation(op) && op != Op::kMin && op != Op::kMax) continue;
    EXPECT_TRUE(std::isnan(apply(op, kNan, 1))) << op_name(op);
    EXPECT_TRUE(std::isnan(apply(op, 1, kNan))) << op_name(op);
  }
  EXPECT_EQ(apply(Op::kAnd, kNan, 0), 0);
  EXPECT_EQ(apply(Op::kOr, 1, kNan), 1);
  EXPECT_TRUE(std::isnan(apply(Op::kAnd, kNan, 1)));
  EXPECT_TRUE(std::isnan(apply(Op::kOr, 0, kNan)));
  EXPECT_TRUE(std::isnan(apply(Op::kNot, kNan)));
}

TEST(Operations, functions_that_are_total_are_finite_and_smooth_everywhere) {
  for (const Op op : all_ops()) {
    if (!is_function(op) || entry(op).num_operands != 1) continue;
    bool is_total = true;
    for (const double a : {-1e3, -1.0, -1e-3, 0.0, 1e-3, 1.0, 2.0}) {
      const double value = apply(op, a);
      const bool overflows = std::isinf(value) && std::abs(a) > 700;
      is_total = is_total && (overflows || std::isfinite(value)) && is_smooth_at(op, a);
    }
    // tan has its poles between the numbers.
    EXPECT_EQ(entry(op).is_total, is_total && op != Op::kTan) << op_name(op);
  }
}

// Each function names the recurrence of its power series; the Taylor engine tests them all.
TEST(Operations, functions_have_a_power_series) {
  for (const Op op : all_ops())
    EXPECT_EQ(entry(op).series != SeriesOp::kSum, is_function(op)) << op_name(op);
}

}  // namespace
}  // namespace hydae::ops
