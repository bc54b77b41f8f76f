#include "integrate/taylor_stepper.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "codegen/sample_systems_testing.h"
#include "integrate/step_size.h"

namespace hydae::integrate {
namespace {

using codegen::andrews;
using codegen::car_axis;
using codegen::pendulum;
using codegen::SampleSystem;
using codegen::scalar_blocks;

TaylorStepper make_stepper(const SampleSystem& s, double tolerance, int order = 0) {
  TaylorOptions options;
  options.rtol = tolerance;
  options.order = order;
  return TaylorStepper(s.make_program(), options,
                       std::vector<double>(s.input.structure.d.size(), tolerance));
}

// Steps to `stop`; after it the expansion at `stop` is valid. False if the stepper gave up.
bool run(TaylorStepper& stepper, double stop) {
  while (stepper.time() != stop) {
    if (!stepper.expand(stop) || !stepper.settle()) return false;
    stepper.advance(stepper.reach());
  }
  return stepper.expand(stop + (stop == 0 ? 1 : std::abs(stop)));
}

// theta'' = -9.81 sin(theta) from pi/2 at rest: only every fourth coefficient is not zero.
SampleSystem lacunary() {
  SampleSystem s;
  s.equation(s.x(0, 2) + 9.81 * sin(s.x(0)));
  s.input.structure = scalar_blocks({0}, {2});
  s.state = {std::numbers::pi / 2, 0};
  return s;
}

TEST(TaylorStepper, order_follows_from_the_tolerance) {
  EXPECT_EQ(order_for_tolerance(1e-6), 20);  // round(9 + 0.77 ln(1/tol)), at most 32
  EXPECT_EQ(order_for_tolerance(1e-9), 25);
  EXPECT_EQ(order_for_tolerance(1e-12), 30);
  EXPECT_EQ(order_for_tolerance(0.9), 9);
  EXPECT_EQ(order_for_tolerance(1e-16), 32);
  EXPECT_EQ(order_for_tolerance(0), 32);
}

TEST(TaylorStepper, expands_once_at_a_time_whatever_the_limit) {
  SampleSystem s = lacunary();
  TaylorStepper stepper = make_stepper(s, 1e-6);
  stepper.start(0, s.state, 1);
  ASSERT_TRUE(stepper.expand(100));
  const double reach = stepper.reach();
  ASSERT_TRUE(stepper.expand(reach / 2));
  EXPECT_EQ(stepper.reach(), reach / 2);
  ASSERT_TRUE(stepper.expand(100));
  EXPECT_EQ(stepper.reach(), reach);
  EXPECT_EQ(stepper.counters().expansions, 1);
  stepper.advance(reach);
  ASSERT_TRUE(stepper.expand(100));
  EXPECT_EQ(stepper.counters().expansions, 2);
}

TEST(TaylorStepper, gaps_in_the_series_do_not_fool_the_step_choice) {
  SampleSystem s = lacunary();
  for (int order = 8; order <= 25; ++order) {
    TaylorStepper stepper = make_stepper(s, 1e-6, order);
    stepper.start(0, s.state, 1);
    ASSERT_TRUE(stepper.expand(100));
    EXPECT_GT(stepper.reach(), 0.05) << order;
    EXPECT_LT(stepper.reach(), 0.5) << order;
    // Energy theta'^2/2 - 9.81 cos(theta) = 0 along the run.
    ASSERT_TRUE(run(stepper, 20));
    const double theta = stepper.value(0, 0, 20), omega = stepper.value(0, 1, 20);
    EXPECT_NEAR(omega * omega / 2 - 9.81 * std::cos(theta), 0, 1e-3) << order;
  }
}

// x'' + x l = 0, y'' + y l + 1 = 0 from (1, 0) with velocity (0, 1): 30-digit values at t = 1.
TEST(TaylorStepper, pendulum_of_index_3_reaches_its_reference) {
  SampleSystem s = pendulum(1, 0, 0, 1);
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    TaylorStepper stepper = make_stepper(s, tolerance);
    stepper.set_parameters(std::vector<double>{-1.0, 1.0});
    stepper.start(0, s.state, 1);
    ASSERT_TRUE(run(stepper, 1));
    EXPECT_NEAR(stepper.value(0, 0, 1), 8.67348640600439321734e-1, 10 * tolerance);
    EXPECT_NEAR(stepper.value(1, 0, 1), 4.97701050479672929353e-1, 10 * tolerance);
    EXPECT_NEAR(stepper.value(0, 1, 1), -3.37480180609545196091e-2, 10 * tolerance);
    EXPECT_NEAR(stepper.value(1, 1, 1), 5.88130114652500075408e-2, 10 * tolerance);
    EXPECT_NEAR(stepper.value(2, 0, 1), -4.93103151439018788061e-1, 10 * tolerance);
  }
}

// End values recomputed by extrapolation in 80-bit arithmetic.
TEST(TaylorStepper, car_axis_reaches_its_reference) {
  const double exact[] = {.0493455784275240, .4969894602300081, 1.041742524885426,
                          .3739110272653658};
  const double slope[] = {-.0770583684035918, .00744686659207200, .0175568157535417,
                          .7703410437796018};
  SampleSystem s = car_axis();
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    TaylorStepper stepper = make_stepper(s, tolerance);
    stepper.start(0, s.state, 1);
    ASSERT_TRUE(run(stepper, 3));
    for (int j = 0; j < 4; ++j) {
      EXPECT_NEAR(stepper.value(j, 0, 3), exact[j], 10 * tolerance) << j;
      EXPECT_NEAR(stepper.value(j, 1, 3), slope[j], 100 * tolerance) << j;  // stiff springs
    }
  }
}

TEST(TaylorStepper, andrews_mechanism_reaches_its_reference) {
  const double exact[] = {15.8107711951537, -15.7563710584119, .0408222401196459, -.534730116342079,
                          .524409965879954, .534730116342079,  1.04808074104194};
  SampleSystem s = andrews();
  for (double tolerance : {1e-6, 1e-9, 1e-12}) {
    TaylorStepper stepper = make_stepper(s, tolerance);
    stepper.start(0, s.state, 1);
    ASSERT_TRUE(run(stepper, 0.03));
    for (int j = 0; j < 7; ++j) {
      EXPECT_NEAR(stepper.value(j, 0, 0.03), exact[j], 100 * tolerance) << j;
    }
  }
}

// Ten thousand periods (2.0 s each) of a pendulum at the tightest tolerance: E = v^2/2 - g y.
TEST(TaylorStepper, energy_does_not_drift) {
  SampleSystem s = pendulum(0.6, 0.8, 0, 0);
  TaylorStepper stepper = make_stepper(s, 1e-15);
  stepper.set_parameters(std::vector<double>{9.81, 1.0});
  stepper.start(0, s.state, 1);
  const double stop = 20000;
  ASSERT_TRUE(run(stepper, stop));
  const double vx = stepper.value(0, 1, stop), vy = stepper.value(1, 1, stop);
  const double energy = (vx * vx + vy * vy) / 2 - 9.81 * stepper.value(1, 0, stop);
  EXPECT_NEAR(energy / (-9.81 * 0.8), 1, 1e-11);
}

TEST(TaylorStepper, runs_backwards_to_where_it_came_from) {
  SampleSystem s = car_axis();
  TaylorStepper stepper = make_stepper(s, 1e-10);
  stepper.start(0, s.state, 1);
  ASSERT_TRUE(run(stepper, 1));
  const std::vector<double> there(stepper.state().begin(), stepper.state().end());
  TaylorStepper back = make_stepper(s, 1e-10);
  back.start(1, there, -1);
  ASSERT_TRUE(run(back, 0));
  for (std::size_t e = 0; e < s.state.size(); ++e) {
    EXPECT_NEAR(back.state()[e], s.state[e], 1e-7);  // oscillation of period 0.14: 7 of them
  }
}

// x'' = 2 has x = t^2: exact in one expansion, at every time inside the step.
TEST(TaylorStepper, polynomial_is_exact_and_dense_output_has_all_derivatives) {
  SampleSystem s;
  s.equation(s.x(0, 2) - 2);
  s.input.structure = scalar_blocks({0}, {2});
  s.state = {0, 0};
  TaylorStepper stepper = make_stepper(s, 1e-8);
  stepper.start(0, s.state, 1, 4);
  ASSERT_TRUE(stepper.expand(16));
  EXPECT_EQ(stepper.reach(), 16);
  for (double t : {0.0, 0.5, 3.0, 16.0}) {
    EXPECT_EQ(stepper.value(0, 0, t), t * t);
    EXPECT_EQ(stepper.value(0, 1, t), 2 * t);
    EXPECT_EQ(stepper.value(0, 2, t), 2);
    EXPECT_EQ(stepper.value(0, 3, t), 0);
  }
  EXPECT_TRUE(std::isinf(stepper.radius()));
}

TEST(TaylorStepper, longest_step_is_kept) {
  SampleSystem s = lacunary();
  TaylorOptions options;
  options.max_step = 0.01;
  TaylorStepper stepper(s.make_program(), options, {1e-6});
  stepper.start(0, s.state, 1);
  for (int k = 0; k < 10; ++k) {
    ASSERT_TRUE(stepper.expand(1));
    ASSERT_TRUE(stepper.settle());
    EXPECT_LE(stepper.reach() - stepper.time(), 0.01 * (1 + 1e-15));
    stepper.advance(stepper.reach());
  }
}

// x' = x^2, x(0) = 1 has the pole t = 1; the radius of convergence at t is 1 - t.
TEST(TaylorStepper, stops_before_a_pole_and_sees_it_coming) {
  SampleSystem s;
  s.equation(s.x(0, 1) - sqr(s.x(0)));
  s.input.structure = scalar_blocks({0}, {1});
  s.state = {1};
  TaylorStepper stepper = make_stepper(s, 1e-9);
  stepper.start(0, s.state, 1);
  ASSERT_TRUE(stepper.expand(2));
  EXPECT_NEAR(stepper.radius(), 1, 0.2);
  EXPECT_FALSE(run(stepper, 2));
  EXPECT_NEAR(stepper.time(), 1, 1e-9);
}

// x x' = -1, x(0) = 1: x = sqrt(1 - 2t), where the matrix x vanishes at t = 1/2.
TEST(TaylorStepper, stops_at_a_singular_matrix) {
  SampleSystem s;
  s.equation(s.x(0) * s.x(0, 1) + 1);
  s.input.structure = scalar_blocks({0}, {1});
  s.state = {1};
  TaylorStepper stepper = make_stepper(s, 1e-9);
  stepper.start(0, s.state, 1);
  EXPECT_FALSE(run(stepper, 1));
  EXPECT_NEAR(stepper.time(), 0.5, 1e-6);
}

// x' = -sqrt(x) - 1 reaches x = 0, where the square root is not differentiable, at 2 - 2 log 2.
TEST(TaylorStepper, stops_where_a_function_is_undefined) {
  SampleSystem s;
  s.equation(s.x(0, 1) + sqrt(s.x(0)) + 1);
  s.input.structure = scalar_blocks({0}, {1});
  s.state = {1};
  TaylorStepper stepper = make_stepper(s, 1e-9);
  stepper.start(0, s.state, 1);
  EXPECT_FALSE(run(stepper, 1));
  EXPECT_NEAR(stepper.time(), 2 - 2 * std::log(2.0), 1e-6);
}

// A time scale far below and far above the first guess of the step.
TEST(TaylorStepper, finds_the_scale_of_the_first_step) {
  for (double rate : {1e-12, 1e-3, 1.0, 1e6, 1e12, 1e18}) {
    SampleSystem s;
    s.equation(s.x(0, 1) + rate * s.x(0));
    s.input.structure = scalar_blocks({0}, {1});
    s.state = {1};
    TaylorStepper stepper = make_stepper(s, 1e-9);
    stepper.start(0, s.state, 1);
    ASSERT_TRUE(run(stepper, 2 / rate)) << rate;
    EXPECT_NEAR(stepper.value(0, 0, 2 / rate), std::exp(-2.0), 1e-8) << rate;
  }
}

}  // namespace
}  // namespace hydae::integrate
