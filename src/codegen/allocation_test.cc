// Repeated expansions allocate nothing.
#include <gtest/gtest.h>

#include "base/count_allocations_testing.h"
#include "codegen/expansion.h"
#include "codegen/sample_systems_testing.h"

namespace hydae::codegen {
namespace {

void expect_no_allocation(SampleSystem& s, double step) {
  Expansion expansion(s.make_program(), 24);
  if (s.input.num_parameters == 2) expansion.set_parameters(std::vector<double>{9.8, 1.0});
  const std::vector<double> weights(expansion.program().num_state(), 1e8);
  ASSERT_TRUE(
      expansion.expand({.step = step, .order = 24, .state = s.state, .weights = weights}).ok());
  const long before = num_allocations;
  bool is_ok = true;
  for (int k = 0; k < 10; ++k) {
    const ExpandRequest request{.time = 0.1 * k,
                                .step = step / (k + 1),
                                .order = 24 - k,
                                .state = s.state,
                                .weights = weights};
    is_ok &= expansion.expand(request).ok();
  }
  EXPECT_EQ(num_allocations - before, 0);
  EXPECT_TRUE(is_ok);
}

TEST(Allocation, repeated_expansions_allocate_nothing) {
  SampleSystem p = pendulum(0.6, 0.8, 0.8, -0.6), c = car_axis(), a = andrews();
  expect_no_allocation(p, 0.2);
  expect_no_allocation(c, 0.02);
  expect_no_allocation(a, 1e-3);
}

TEST(Allocation, large_blocks_neither) {
  for (int n : {30, 100}) {
    SampleSystem s;
    for (int i = 0; i < n; ++i) {
      s.equation(s.x(i, 1) + 0.3 * s.x((i + 1) % n, 1) * cos(s.x(i)) + s.x(i));
      s.state.push_back(std::sin(3 * i));
    }
    s.input.structure = single_block(std::vector<int>(n, 0), std::vector<int>(n, 1));
    expect_no_allocation(s, 0.1);
  }
}

}  // namespace
}  // namespace hydae::codegen
