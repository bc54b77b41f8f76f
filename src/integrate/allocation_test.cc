// The step loop allocates nothing: expand, look at the series, advance, take steps back.
#include <cmath>
#include <gtest/gtest.h>

#include "base/count_allocations.h"
#include "codegen/sample_systems.h"
#include "integrate/taylor_stepper.h"

namespace hydae::integrate {
namespace {

using codegen::SampleSystem;

void expect_no_allocation(const SampleSystem& s, double stop, long least_steps) {
  TaylorOptions options;
  options.rtol = 1e-9;
  TaylorStepper stepper(s.make_program(), options,
                        std::vector<double>(s.input.structure.d.size(), 1e-9));
  if (s.input.num_parameters == 2) stepper.set_parameters(std::vector<double>{9.8, 1.0});
  stepper.start(0, s.state, 1);
  const long before = num_allocations;
  double sum = 0;
  bool is_ok = true;
  while (is_ok && stepper.time() < stop) {
    is_ok = stepper.expand(stop);
    sum += stepper.value(0, 1, stepper.reach()) + stepper.radius();
    stepper.advance(stepper.reach());
  }
  EXPECT_EQ(num_allocations - before, 0);
  EXPECT_TRUE(is_ok);
  EXPECT_FALSE(std::isnan(sum));
  EXPECT_GE(stepper.counters().steps, least_steps);
}

TEST(Allocation, whole_runs_allocate_nothing) {
  expect_no_allocation(codegen::pendulum(0.6, 0.8, 0.8, -0.6), 10, 20);
  expect_no_allocation(codegen::car_axis(), 3, 20);
  expect_no_allocation(codegen::andrews(), 0.03, 20);
}

// Dense and sparse factors.
TEST(Allocation, nor_do_large_blocks) {
  for (int n : {30, 100}) {
    SampleSystem s;
    for (int i = 0; i < n; ++i) {
      s.equation(s.x(i, 1) + 0.3 * s.x((i + 1) % n, 1) * cos(s.x(i)) + s.x(i));
      s.state.push_back(std::sin(3 * i));
    }
    s.input.structure = codegen::single_block(std::vector<int>(n, 0), std::vector<int>(n, 1));
    expect_no_allocation(s, 2, 2);
  }
}

}  // namespace
}  // namespace hydae::integrate
