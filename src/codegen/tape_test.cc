#include "codegen/tape.h"

#include <cmath>
#include <gtest/gtest.h>

#include "ops/operation.h"

namespace hydae::codegen {
namespace {

TEST(Tape, equal_terms_are_one_term_whatever_the_order_of_operands) {
  TapeBuilder tape;
  const TermId x = tape.variable(0, 2), p = tape.parameter(1);
  EXPECT_EQ(tape.mul(x, p), tape.mul(p, x));
  EXPECT_EQ(tape.add(tape.unary(Op::kSin, x), p), tape.add(p, tape.unary(Op::kSin, x)));
  EXPECT_NE(tape.div(x, p), tape.div(p, x));
  EXPECT_NE(tape.variable(0, 1), x);
}

TEST(Tape, zeros_and_ones_vanish_where_that_is_exact) {
  TapeBuilder tape;
  const TermId x = tape.variable(0, 0);
  EXPECT_EQ(tape.add(x, tape.constant(0)), x);
  EXPECT_EQ(tape.mul(tape.constant(1), x), x);
  EXPECT_EQ(tape.mul(tape.constant(0), x), tape.constant(0));
  EXPECT_EQ(tape.constant(-0.0), tape.constant(0));
  EXPECT_EQ(tape.pow(x, 1.0), x);
  EXPECT_EQ(tape.pow(x, 0.0), tape.constant(1));
  EXPECT_EQ(tape.sub(tape.constant(2), tape.constant(5)), tape.constant(-3));
}

TEST(Tape, a_term_keeps_the_tag_it_was_first_made_for) {
  TapeBuilder tape;
  tape.set_tag(7);
  const TermId s = tape.unary(Op::kSin, tape.variable(0, 0));
  tape.set_tag(8);
  EXPECT_EQ(tape.unary(Op::kSin, tape.variable(0, 0)), s);
  EXPECT_EQ(tape.term(s).tag, 7);
  EXPECT_EQ(tape.term(tape.unary(Op::kCos, tape.variable(0, 0))).tag, 8);
}

TEST(Tape, operations_on_numbers_follow_the_mathematical_library) {
  EXPECT_EQ(ops::apply(Op::kAtan2, 1.0, -1.0), std::atan2(1.0, -1.0));
  EXPECT_EQ(ops::apply(Op::kPow, 2.0, 0.3), std::pow(2.0, 0.3));
  EXPECT_EQ(ops::apply(Op::kLog10, 1000.0, 0), 3.0);
  EXPECT_TRUE(std::isnan(ops::apply(Op::kSqrt, -1.0, 0)));
}

}  // namespace
}  // namespace hydae::codegen
