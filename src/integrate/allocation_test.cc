// The step loop allocates nothing: expand, look at the series, advance, take steps back.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "base/count_allocations_testing.h"
#include "codegen/sample_systems_testing.h"
#include "integrate/bdf_stepper.h"
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
  ASSERT_TRUE(stepper.expand(stop) && stepper.settle());  // makes the room for both ends of a step
  const long before = num_allocations;
  double sum = 0;
  bool is_ok = true;
  while (is_ok && stepper.time() < stop) {
    is_ok = stepper.expand(stop) && stepper.settle();
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

// A stiff linear chain of 400 cells: pivots are kept, and steps allocate nothing while they are.
TEST(Allocation, nor_do_steps_of_bdf_with_kept_pivots) {
  constexpr int n = 400;
  BdfProblem p;
  p.size = p.matrix_size = n;
  p.column_start = {0};
  for (int j = 0; j < n; ++j) {
    for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) p.row.push_back(i);
    p.column_start.push_back(static_cast<int>(p.row.size()));
  }
  p.derivative = [](double, const double* y, double* yp) {
    for (int i = 0; i < n; ++i)
      yp[i] = (i > 0 ? y[i - 1] : 1.0) - 2 * y[i] + (i + 1 < n ? y[i + 1] : 0.0);
    return true;
  };
  p.linearize = [](double, double, const double*, const double*) { return true; };
  p.matrix = [](double cj, double* v) {
    for (int j = 0; j < n; ++j)
      for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i)
        *v++ = i == j ? cj + 2 : -1;
  };
  BdfOptions options;
  options.atol.assign(n, 1e-6);
  const auto stepper = make_stepper(std::move(p), options);
  stepper->start(0, std::vector<double>(n, 0.0), std::vector<double>(n, 0.0));
  while (stepper->time() < 1) stepper->step(100);
  const long before = num_allocations, steps = stepper->counters().steps;
  for (int k = 0; k < 10; ++k) ASSERT_EQ(stepper->step(100), BdfStatus::kStepped);
  EXPECT_EQ(num_allocations - before, 0);
  EXPECT_EQ(stepper->counters().steps, steps + 10);
}

}  // namespace
}  // namespace hydae::integrate
