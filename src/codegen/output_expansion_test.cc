#include "codegen/output_expansion.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hydae::codegen {
namespace {

std::shared_ptr<const Program> program_of(const TapeBuilder& tape, std::vector<TermId> outputs,
                                          int num_variables) {
  ProgramInput input;
  input.outputs = std::move(outputs);
  input.structure.d.assign(static_cast<std::size_t>(num_variables), 0);
  input.num_parameters = 1;
  return std::make_shared<const Program>(tape, input);
}

double at(std::span<const double> series, double tau) {
  double sum = 0;
  for (std::size_t n = series.size(); n-- > 0;) sum = sum * tau + series[n];
  return sum;
}

// x = 1 + tau/2, y = tau - tau^2 with t = 3 + tau/10.
TEST(OutputExpansion, gives_the_series_of_a_composition_with_given_polynomials) {
  TapeBuilder tape;
  const TermId x = tape.variable(0), y = tape.variable(1);
  const TermId g =
      tape.add(tape.mul(tape.unary(Op::kExp, x), tape.unary(Op::kSin, tape.mul(tape.time(), y))),
               tape.unary(Op::kSqrt, tape.add(tape.mul(x, x), tape.parameter(0))));
  OutputExpansion outputs(program_of(tape, {tape.sub(x, y), g}, 2), 20);
  outputs.set_parameters(std::vector{2.0});
  outputs.set_time(3, 0.1);
  ASSERT_EQ(outputs.inputs_of(1).size(), 2u);
  std::ranges::fill(outputs.input(0), 0.0);
  std::ranges::fill(outputs.input(1), 0.0);
  outputs.input(0)[0] = 1, outputs.input(0)[1] = 0.5;
  outputs.input(1)[1] = 1, outputs.input(1)[2] = -1;
  ASSERT_TRUE(outputs.expand(1));
  for (double tau : {0.0, 0.1, 0.3}) {
    const double xt = 1 + tau / 2, yt = tau - tau * tau, t = 3 + tau / 10;
    EXPECT_NEAR(at(outputs.series(1), tau),
                std::exp(xt) * std::sin(t * yt) + std::sqrt(xt * xt + 2), 1e-9);
  }
  // The other output is made by itself: x - y = 1 - tau/2 + tau^2.
  ASSERT_TRUE(outputs.expand(0));
  EXPECT_DOUBLE_EQ(outputs.series(0)[1], -0.5);
  EXPECT_DOUBLE_EQ(outputs.series(0)[2], 1.0);
}

TEST(OutputExpansion, an_output_without_a_series_has_a_value) {
  TapeBuilder tape;
  const TermId x = tape.variable(0);
  OutputExpansion outputs(
      program_of(tape, {tape.sub(tape.unary(Op::kSqrt, tape.mul(x, x)), tape.constant(1))}, 1), 8);
  std::ranges::fill(outputs.input(0), 0.0);
  outputs.input(0)[1] = 1;
  EXPECT_FALSE(outputs.expand(0));
  EXPECT_EQ(outputs.evaluate(0), -1.0);
}

// (t - 1e7) sin(x) at t = 1e7 + 1/2 moves by cos(x)/2 with x, although the tape has it multiplied
// out: 1e7 sin(x) twice, and both move together.
TEST(OutputExpansion, errors_that_cancel_do_not_add_up) {
  TapeBuilder tape;
  const TermId x = tape.variable(0);
  OutputExpansion outputs(
      program_of(tape,
                 {tape.mul(tape.sub(tape.time(), tape.constant(1e7)), tape.unary(Op::kSin, x))}, 1),
      4);
  outputs.set_time(1e7 + 0.5, 1);
  outputs.input(0)[0] = 1;
  outputs.evaluate(0);
  EXPECT_NEAR(outputs.error_of_value(0, std::vector{1e-4}, 0), 0.5e-4 * std::cos(1.0), 1e-8);
  EXPECT_NEAR(outputs.error_of_value(0, std::vector{0.0}, 1e-3), 1e-3 * std::sin(1.0), 1e-8);
}

// Each function against a difference of it.
TEST(OutputExpansion, the_gradient_is_that_of_the_functions) {
  TapeBuilder tape;
  const TermId x = tape.variable(0), y = tape.variable(1);
  const std::vector<TermId> terms = {
      tape.mul(x, y),
      tape.mul(x, x),
      tape.unary(Op::kSin, x),
      tape.unary(Op::kCos, x),
      tape.unary(Op::kTan, x),
      tape.unary(Op::kSinh, x),
      tape.unary(Op::kCosh, x),
      tape.unary(Op::kTanh, x),
      tape.unary(Op::kExp, x),
      tape.div(x, y),
      tape.div(tape.constant(1), x),
      tape.unary(Op::kSqrt, x),
      tape.pow(x, 1.7),
      tape.pow(x, tape.parameter(0)),
      tape.unary(Op::kLog, x),
      tape.unary(Op::kLog10, x),
      tape.unary(Op::kAsin, x),
      tape.unary(Op::kAcos, x),
      tape.unary(Op::kAtan, x),
      tape.atan2(x, y),
      tape.mul(tape.unary(Op::kTan, x), tape.div(y, tape.unary(Op::kTanh, x)))};
  OutputExpansion outputs(program_of(tape, terms, 2), 4);
  outputs.set_parameters(std::vector{3.0});
  const auto value = [&](int k, double a, double b) {
    outputs.input(0)[0] = a;
    if (outputs.inputs_of(k).size() > 1) outputs.input(1)[0] = b;
    return outputs.evaluate(k);
  };
  const double a = 0.4, b = 0.7, h = 1e-6;
  for (int k = 0; k < static_cast<int>(terms.size()); ++k) {
    const double by_x = (value(k, a + h, b) - value(k, a - h, b)) / (2 * h);
    const double by_y = (value(k, a, b + h) - value(k, a, b - h)) / (2 * h);
    value(k, a, b);
    EXPECT_NEAR(outputs.error_of_value(k, std::vector{1.0, 0.0}, 0), std::abs(by_x), 1e-8) << k;
    EXPECT_NEAR(outputs.error_of_value(k, std::vector{0.0, 1.0}, 0), std::abs(by_y), 1e-8) << k;
  }
}

// g = x^2 - y at x = 3, y = 5: dg = 6 dx + dy.
TEST(OutputExpansion, errors_of_the_inputs_reach_the_value_by_its_derivatives) {
  TapeBuilder tape;
  const TermId x = tape.variable(0), y = tape.variable(1);
  OutputExpansion outputs(program_of(tape, {tape.sub(tape.mul(x, x), y)}, 2), 4);
  outputs.input(0)[0] = 3;
  outputs.input(1)[0] = 5;
  outputs.evaluate(0);
  EXPECT_NEAR(outputs.error_of_value(0, std::vector{1e-6, 2e-6}, 0), 8e-6, 1e-12);
  EXPECT_LT(outputs.error_of_value(0, std::vector{0.0, 0.0}, 0), 1e-14);
}

}  // namespace
}  // namespace hydae::codegen
