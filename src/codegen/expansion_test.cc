#include "codegen/expansion.h"

#include <gtest/gtest.h>

#include "codegen/residual_check.h"
#include "codegen/sample_systems.h"

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

}  // namespace
}  // namespace hydae::codegen
