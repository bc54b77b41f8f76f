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
  const TermId g = tape.add(tape.mul(tape.exp(x), tape.sin(tape.mul(tape.time(), y))),
                            tape.sqrt(tape.add(tape.mul(x, x), tape.parameter(0))));
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
      program_of(tape, {tape.sub(tape.sqrt(tape.mul(x, x)), tape.constant(1))}, 1), 8);
  std::ranges::fill(outputs.input(0), 0.0);
  outputs.input(0)[1] = 1;
  EXPECT_FALSE(outputs.expand(0));
  EXPECT_EQ(outputs.evaluate(0), -1.0);
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
