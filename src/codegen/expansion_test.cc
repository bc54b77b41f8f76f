#include "codegen/expansion.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

#include <hydae/error.h>

#include "codegen/residual_check_testing.h"
#include "codegen/sample_systems_testing.h"

namespace hydae::codegen {
namespace {

// Residuals of a backward stable expansion: a few epsilon per convolution term and solve.
constexpr double kRounding = 2000;

TEST(Expansion, pendulum_residuals_vanish_to_rounding) {
  SampleSystem s = pendulum(0.6, 0.8, 0.8, -0.6);
  const std::vector<double> parameters = {9.8, 1.0};
  Expansion expansion(s.make_program(), 24);
  expansion.set_parameters(parameters);
  const ExpandResult r = expansion.expand({.time = 0, .step = 0.2, .order = 24, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion, parameters), kRounding);
}

TEST(Expansion, car_axis_residuals_vanish_to_rounding) {
  SampleSystem s = car_axis();
  Expansion expansion(s.make_program(), 24);
  const ExpandResult r = expansion.expand({.time = 0, .step = 0.03, .order = 24, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding);
}

TEST(Expansion, andrews_residuals_vanish_to_rounding) {
  SampleSystem s = andrews();
  Expansion expansion(s.make_program(), 24);
  const ExpandResult r = expansion.expand({.time = 0, .step = 2e-3, .order = 24, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding);
  // Accelerations of the published problem at t = 0: 14222.4439199541138705911625887 and
  // -10666.8329399655854029433719415 for beta and Theta.
  const double h2 = expansion.scale() * expansion.scale();
  EXPECT_NEAR(2 * expansion.series(0)[2] / h2, 14222.4439199541138705911625887, 1e-6);
  EXPECT_NEAR(2 * expansion.series(1)[2] / h2, -10666.8329399655854029433719415, 1e-6);
}

// The modified two pendula of DAESA: local offsets, leads 4 and 2, and two blocks that are not
// quasilinear (the square of u in f6, which determines u; the cube of the third derivative of v in
// f5).
TEST(Expansion, modified_two_pendula_with_nonlinear_blocks) {
  SampleSystem s;
  const Sym x = s.x(0), y = s.x(1), lambda = s.x(2), u = s.x(3), v = s.x(4), mu = s.x(5);
  s.equation(s.x(0, 2) + x * lambda);
  s.equation(s.x(1, 2) + y * lambda - 9.8);
  s.equation(sqr(x) + sqr(y) - 1);
  s.equation(s.x(3, 2) + u * mu);
  s.equation(pow(s.x(4, 3), 3.0) + v * mu - 9.8);
  s.equation(sqr(u) + sqr(v) - sqr(12 + 0.1 * lambda) + s.x(2, 2));
  s.input.structure.c = {4, 4, 6, 0, 0, 2};
  s.input.structure.d = {6, 6, 4, 2, 3, 0};
  s.input.structure.blocks = {
      {{0, 1, 2}, {0, 1, 2}, 4}, {{5}, {3}, 2}, {{3}, {5}, 0}, {{4}, {4}, 0}};
  const auto program = s.make_program();
  EXPECT_TRUE(program->is_quasilinear(0));
  EXPECT_FALSE(program->is_quasilinear(1));
  EXPECT_TRUE(program->is_quasilinear(2));
  EXPECT_FALSE(program->is_quasilinear(3));
  // x, x', y, y', v, v', v'', and guesses of u and the third derivative of v: as DAESA says.
  const std::vector<JetEntry> entries = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {4, 0},
                                         {4, 1}, {4, 2}, {3, 0}, {4, 3}};
  EXPECT_EQ(std::vector<JetEntry>(program->entries().begin(), program->entries().end()), entries);
  EXPECT_EQ(program->num_state(), 7);
  s.state = {0.6, 0.4, 0.8, -0.3, 1, 0.2, 0.1, 7, 2};
  Expansion expansion(program, 16);
  const ExpandResult r = expansion.expand({.step = 0.1, .order = 16, .state = s.state});
  ASSERT_TRUE(r.ok()) << to_string(r);
  EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding);
}

TEST(Expansion, singular_matrix_is_reported_with_its_block) {
  SampleSystem s = pendulum(0, 0, 1, 0);  // the constraint has no gradient at the origin
  Expansion expansion(s.make_program(), 8);
  const ExpandResult r = expansion.expand({.order = 8, .state = s.state});
  EXPECT_EQ(r.status, ExpandStatus::kSingularBlock);
  EXPECT_EQ(r.block, 0);
  EXPECT_GE(r.condition, 1e14);

  // Second block: (sin^2 + cos^2 - 1) x_1' = 1, singular by cancellation only.
  SampleSystem t;
  t.equation(t.x(0, 1) - 1);
  t.equation((sqr(sin(t.x(0))) + sqr(cos(t.x(0))) - 1) * t.x(1, 1) - 1);
  t.input.structure = scalar_blocks({0, 0}, {1, 1});
  Expansion second(t.make_program(), 8);
  const std::vector<double> state = {0.7, 0};
  const ExpandResult q = second.expand({.order = 8, .state = state});
  EXPECT_EQ(q.status, ExpandStatus::kSingularBlock);
  EXPECT_EQ(q.block, 1);
}

TEST(Expansion, undefined_functions_are_reported_with_tag_and_argument) {
  struct Case {
    std::function<Sym(Sym)> f;
    Op op;
    double at;        // value of x
    double argument;  // reported
  };
  const std::vector<Case> cases = {
      {[](Sym x) { return sqrt(x); }, Op::kSqrt, -1, -1},
      {[](Sym x) { return sqrt(x); }, Op::kSqrt, 0, 0},  // not differentiable
      {[](Sym x) { return log(x); }, Op::kLog, 0, 0},
      {[](Sym x) { return log10(x); }, Op::kLog10, -2, -2},
      {[](Sym x) { return 1.0 / x; }, Op::kDiv, 0, 0},
      {[](Sym x) { return (x + 1) / x; }, Op::kDiv, 0, 0},
      {[](Sym x) { return asin(x); }, Op::kAsin, 1, 1},
      {[](Sym x) { return acos(x); }, Op::kAcos, -1.5, -1.5},
      {[](Sym x) { return pow(x, 1.5); }, Op::kPow, -3, -3},
      {[](Sym x) { return pow(x, -2.0); }, Op::kPow, 0, 0},
      {[](Sym x) { return pow(x, x); }, Op::kLog, -1, -1},
      {[](Sym x) { return atan2(x, 2 * x); }, Op::kAtan2, 0, 0},
      {[](Sym x) { return exp(x); }, Op::kExp, 800, 800},  // overflow
      {[](Sym x) { return sinh(x); }, Op::kSinh, -800, -800},
  };
  for (const Case& c : cases) {
    SampleSystem s;
    s.tape.set_tag(1);
    const Sym x = s.x(0), slope = s.x(0, 1);
    s.tape.set_tag(42);
    const Sym value = c.f(x);
    s.tape.set_tag(2);
    s.equation(slope - value);
    s.input.structure = scalar_blocks({0}, {1});
    Expansion expansion(s.make_program(), 6);
    const std::vector<double> bad = {c.at}, good = {0.5};
    const ExpandResult r = expansion.expand({.order = 6, .state = bad});
    EXPECT_EQ(r.status, ExpandStatus::kUndefinedFunction) << op_name(c.op);
    EXPECT_EQ(r.op, c.op) << op_name(c.op);
    EXPECT_EQ(r.tag, 42) << op_name(c.op);
    EXPECT_EQ(r.argument, c.argument) << op_name(c.op);
    // The workspace is as good as new.
    ASSERT_TRUE(expansion.expand({.step = 0.25, .order = 6, .state = good}).ok());
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding);
  }
}

TEST(Expansion, undefined_parameter_expressions_are_reported) {
  SampleSystem s;
  const Sym p = s.p(0);
  s.tape.set_tag(5);
  const Sym inverse = 1.0 / p;
  s.equation(s.x(0, 1) - inverse * s.x(0));
  s.input.structure = scalar_blocks({0}, {1});
  s.input.num_parameters = 1;
  Expansion expansion(s.make_program(), 6);
  const std::vector<double> state = {1};
  const ExpandResult r = expansion.expand({.order = 6, .state = state});  // parameters are zero
  EXPECT_EQ(r.status, ExpandStatus::kUndefinedFunction);
  EXPECT_EQ(r.op, Op::kDiv);
  EXPECT_EQ(r.tag, 5);
  expansion.set_parameters(std::vector<double>{2});
  ASSERT_TRUE(expansion.expand({.step = 1, .order = 6, .state = state}).ok());
  EXPECT_DOUBLE_EQ(expansion.series(0)[3], 1.0 / 48);  // exp(t/2)
}

TEST(Expansion, overflow_is_reported) {
  SampleSystem s;
  s.equation(s.x(0, 1) - sqr(s.x(0)));
  s.input.structure = scalar_blocks({0}, {1});
  Expansion expansion(s.make_program(), 6);
  const std::vector<double> state = {1e200};
  EXPECT_EQ(expansion.expand({.order = 6, .state = state}).status, ExpandStatus::kNotFinite);
  const std::vector<double> not_a_number = {std::nan("")};
  EXPECT_EQ(expansion.expand({.order = 6, .state = not_a_number}).status, ExpandStatus::kNotFinite);
}

// A point off the circle of radius 1 and a velocity that is not tangential: the projection is the
// nearest point in the mass metric, here radial; the velocity loses its radial part.
TEST(Expansion, projection_moves_the_state_to_the_constraints) {
  SampleSystem s = pendulum(0.6 * 1.001, 0.8 * 1.001, 0.8 + 0.06, -0.6 + 0.08);
  Expansion expansion(s.make_program(), 12);
  expansion.set_parameters(std::vector<double>{9.8, 1.0});
  const std::vector<double> weights(4, 1e12);
  const ExpandResult r =
      expansion.expand({.step = 0.1, .order = 12, .state = s.state, .weights = weights});
  ASSERT_TRUE(r.ok()) << to_string(r);
  EXPECT_NEAR(expansion.state()[0], 0.6, 1e-15);
  EXPECT_NEAR(expansion.state()[2], 0.8, 1e-15);
  EXPECT_NEAR(expansion.state()[1], 0.8, 1e-14);
  EXPECT_NEAR(expansion.state()[3], -0.6, 1e-14);
  EXPECT_NEAR(expansion.displacement()[1], -0.06, 1e-14);
  EXPECT_NEAR(r.displacement, 0.08 * 1e12, 1);
  EXPECT_LE(r.sweeps, 5);
}

TEST(Expansion, without_weights_there_is_one_sweep) {
  SampleSystem s = pendulum(0.6 * 1.001, 0.8 * 1.001, 0.8, -0.6);
  Expansion expansion(s.make_program(), 12);
  expansion.set_parameters(std::vector<double>{9.8, 1.0});
  const ExpandResult r = expansion.expand({.step = 0.1, .order = 12, .state = s.state});
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.sweeps, 1);
  EXPECT_NEAR(expansion.state()[0], 0.6, 1e-6);  // an error of the square of the displacement
}

// Outputs may contain derivatives beyond d_j: that of the multiplier is known one stage later.
TEST(Expansion, outputs_are_series_of_their_own) {
  SampleSystem s = pendulum(0.6, 0.8, 0.8, -0.6);
  const Sym energy = 0.5 * (sqr(s.x(0, 1)) + sqr(s.x(1, 1))) - s.p(0) * s.x(1);
  s.output(energy);
  s.output(s.x(2, 1));
  s.output(s.x(0) * s.x(2, 2));
  s.output(s.c(3));
  s.output(s.t());
  s.output(s.x(0, 2) + s.x(0) * s.x(2));  // the first residual
  const auto program = s.make_program();
  EXPECT_EQ(program->output_shift(0), 0);
  EXPECT_EQ(program->output_shift(1), 1);
  EXPECT_EQ(program->output_shift(2), 2);
  Expansion expansion(program, 10);
  expansion.set_parameters(std::vector<double>{9.8, 1.0});
  ASSERT_TRUE(expansion.expand({.time = 3, .step = 0.25, .order = 10, .state = s.state}).ok());
  const double h = expansion.scale();
  EXPECT_NEAR(expansion.output_series(0)[0], 0.5 - 9.8 * 0.8, 1e-14);  // energy is constant
  for (int m = 1; m < 10; ++m) EXPECT_NEAR(expansion.output_series(0)[m], 0, 1e-13);
  ASSERT_EQ(expansion.output_series(1).size(), 9U);
  for (int m = 0; m < 9; ++m) {
    EXPECT_DOUBLE_EQ(expansion.output_series(1)[m], (m + 1) / h * expansion.series(2)[m + 1]);
  }
  ASSERT_EQ(expansion.output_series(2).size(), 8U);
  EXPECT_DOUBLE_EQ(expansion.output_series(2)[0], 0.6 * 2 / h / h * expansion.series(2)[2]);
  EXPECT_EQ(expansion.output_series(3)[0], 3);
  EXPECT_EQ(expansion.output_series(3)[1], 0);
  EXPECT_EQ(expansion.output_series(4)[0], 3);
  EXPECT_EQ(expansion.output_series(4)[1], h);
  for (int m = 0; m < 10; ++m) EXPECT_NEAR(expansion.output_series(5)[m], 0, 1e-13);
}

TEST(Expansion, backwards_and_forwards_coefficients_differ_by_powers_of_the_scale) {
  SampleSystem s = car_axis();
  const auto program = s.make_program();
  Expansion forwards(program, 14), backwards(program, 14);
  ASSERT_TRUE(forwards.expand({.time = 0.4, .step = 0.03, .order = 14, .state = s.state}).ok());
  ASSERT_TRUE(backwards.expand({.time = 0.4, .step = -0.12, .order = 14, .state = s.state}).ok());
  EXPECT_LT(backwards.scale(), 0);
  for (int j = 0; j < 6; ++j) {
    double factor = 1;  // powers of two: exact
    for (std::size_t m = 0; m < forwards.series(j).size(); ++m) {
      EXPECT_EQ(backwards.series(j)[m], forwards.series(j)[m] * factor) << j << ' ' << m;
      factor *= backwards.scale() / forwards.scale();
    }
  }
}

// x_i' + (0.3 + x_i/100)(x_{i-1}' + x_{i+1}') + x_i^3 = sin(t+i) on a ring: one block.
TEST(Expansion, blocks_of_all_sizes_leave_no_residual) {
  for (int n : {2, 5, 13, 24, 25, 48, 60, 200}) {
    SampleSystem s;
    for (int i = 0; i < n; ++i) {
      const Sym left = s.x((i + n - 1) % n, 1), right = s.x((i + 1) % n, 1);
      const Sym coupling = (0.3 + 0.01 * s.x(i)) * (left + right);
      s.equation(s.x(i, 1) + coupling + pow(s.x(i), 3.0) - sin(s.t() + i));
      s.state.push_back(std::sin(3 * i));
    }
    s.input.structure = single_block(std::vector<int>(n, 0), std::vector<int>(n, 1));
    Expansion expansion(s.make_program(), 15);
    const ExpandResult r =
        expansion.expand({.time = 1, .step = 0.25, .order = 15, .state = s.state});
    ASSERT_TRUE(r.ok()) << n << ": " << to_string(r);
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding) << n;
  }
}

// Block 1 has a constraint (c = 1) and a matrix that contains x_0' of block 0: its guess may be
// NaN.
//   x_0' = -x_0 + sin t,  x_1' (2 + x_0') + x_2 x_1 = 0,  x_1^2 = 1 + 0.1 x_0
TEST(Expansion, unknown_guesses_are_found) {
  SampleSystem s;
  s.equation(s.x(0, 1) + s.x(0) - sin(s.t()));
  s.equation(s.x(1, 1) * (2 + s.x(0, 1)) + s.x(2) * s.x(1));
  s.equation(sqr(s.x(1)) - 1 - 0.1 * s.x(0));
  s.input.structure.c = {0, 0, 1};
  s.input.structure.d = {1, 1, 0};
  s.input.structure.blocks = {{{0}, {0}, 0}, {{1, 2}, {1, 2}, 0}};
  const auto program = s.make_program();
  ASSERT_EQ(program->num_state(), 2);
  ASSERT_EQ(program->entries().size(), 3U);
  EXPECT_EQ(program->entries()[2], (JetEntry{0, 1}));
  Expansion expansion(program, 12);
  const std::vector<double> weights(2, 1e10);
  for (double guess : {std::nan(""), 0.3, -0.4}) {
    s.state = {0.5, 1.02, guess};
    const ExpandResult r = expansion.expand(
        {.time = 1, .step = 0.25, .order = 12, .state = s.state, .weights = weights});
    ASSERT_TRUE(r.ok()) << to_string(r);
    EXPECT_NEAR(expansion.state()[1], std::sqrt(1.05), 1e-15);
    EXPECT_NEAR(expansion.state()[2], std::sin(1) - 0.5, 1e-15);
    EXPECT_LT(residual_in_epsilons(s.tape, s.input, expansion), kRounding);
  }
}

// exp(w) - 1 + 2 w = x - 3/10, where x is the double next to 3/10: the solution is below 1e-16,
// where exp(w) - 1 is zero and Newton's method, with the slope 3 instead of 2, converges linearly.
TEST(Expansion, an_iteration_ends_where_residuals_are_rounding) {
  TapeBuilder tape;
  const Sym w{&tape, tape.variable(0)}, x{&tape, tape.variable(1)}, dx{&tape, tape.variable(1, 1)};
  ProgramInput input;
  input.structure = {{0, 0}, {0, 1}, {{{0}, {0}, 0}, {{1}, {1}, 0}}};
  input.residuals = {(exp(w) - 1.0 + 2.0 * w - (x - 0.3)).id, dx.id};
  Expansion expansion(std::make_shared<const Program>(tape, input), 4);
  const std::vector<double> state = {std::nextafter(0.3, 1.0), 3e-15};  // x and the guess of w
  const ExpandResult result = expansion.expand({.time = 0, .step = 1, .order = 4, .state = state});
  ASSERT_TRUE(result.ok()) << to_string(result);
  EXPECT_NEAR(expansion.series(0)[0], 0, 1e-15);
}

TEST(Expansion, misuse_is_refused) {
  SampleSystem s = pendulum(1, 0, 0, 0);
  const auto program = s.make_program();
  Expansion expansion(program, 8);
  const std::vector<double> three(3);
  EXPECT_THROW(expansion.expand({.order = 8, .state = three}), UsageError);
  EXPECT_THROW(expansion.expand({.order = 9, .state = s.state}), UsageError);
  EXPECT_THROW(expansion.expand({.step = 0, .order = 8, .state = s.state}), UsageError);
  EXPECT_THROW(expansion.expand({.order = 8, .state = s.state, .weights = three}), UsageError);
  EXPECT_THROW(expansion.set_parameters(three), UsageError);
  EXPECT_THROW(Expansion(program, 0), UsageError);

  SampleSystem wrong_offsets = pendulum(1, 0, 0, 0);
  wrong_offsets.input.structure = single_block({0, 0, 2}, {1, 2, 0});
  EXPECT_THROW(wrong_offsets.make_program(), UsageError);
  SampleSystem wrong_order = pendulum_chain(2);
  std::swap(wrong_order.input.structure.blocks[0], wrong_order.input.structure.blocks[1]);
  EXPECT_THROW(wrong_order.make_program(), UsageError);
  SampleSystem missing = pendulum(1, 0, 0, 0);
  missing.input.structure.blocks[0].variables.pop_back();
  EXPECT_THROW(missing.make_program(), UsageError);
}

// z = 3 x - 1000 is zero at x = 1000/3, and known to the last digits of 1000 only: those of x, of 3
// x and of the difference, each of them between half a digit and one, so that together they are
// less than eight. The equations for y and z are solved by a matrix, in which all of their terms
// are.
TEST(Expansion, shows_what_rounding_in_the_equations_makes_of_a_small_difference) {
  SampleSystem s;
  s.equation(s.x(0, 1) - 1);
  s.equation(s.x(1) - 3.0 * s.x(0));
  s.equation(s.x(2) - s.x(1) + 1000);
  s.input.structure.c = {0, 0, 0};
  s.input.structure.d = {1, 0, 0};
  s.input.structure.blocks = {{{1, 2}, {1, 2}, 0}, {{0}, {0}, 0}};
  s.state = {1000.0 / 3};
  Expansion expansion(s.make_program(), 3, RowTerms::kAll);
  ExpandRequest request{.time = 0, .step = 1, .order = 3, .state = s.state};
  ASSERT_TRUE(expansion.expand(request).ok());
  const double z = expansion.series(2)[0], slope = expansion.series(2)[1];
  constexpr double kDigit = 1000 * std::numeric_limits<double>::epsilon();
  double largest = 0;
  for (request.disturbance = 1; request.disturbance <= 3; ++request.disturbance) {
    ASSERT_TRUE(expansion.expand(request).ok());
    largest = std::max(largest, std::abs(expansion.series(2)[0] - z));
    EXPECT_LT(std::abs(expansion.series(2)[1] - slope), 1e-14);  // 3, of terms as large
  }
  EXPECT_GT(largest, 0.1 * kDigit);
  EXPECT_LT(largest, 8 * kDigit);
  request.disturbance = 0;
  ASSERT_TRUE(expansion.expand(request).ok());
  EXPECT_EQ(expansion.series(2)[0], z);
}

}  // namespace
}  // namespace hydae::codegen
