// From step to step simulate() allocates nothing as long as nothing happens: the series, the search
// for events and the rows of the result have their room.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/simulate.h>

#include "base/count_allocations_testing.h"

namespace hydae {
namespace {

// Allocations from the end of the second step to the end of the last.
long allocations_of_steps(const Model& model, SimulateOptions options, long least_steps) {
  long steps = 0, before = 0, after = 0;
  options.progress = [&](double) {
    if (++steps == 2) before = num_allocations;
    after = num_allocations;
    return true;
  };
  const Simulation run = simulate(model, options);
  EXPECT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_TRUE(run.summary.events.empty());
  EXPECT_GE(steps, least_steps);
  return after - before;
}

SimulateOptions fine_run_until(double stop) {
  SimulateOptions options;
  options.stop = stop;
  options.tolerance = 1e-9;
  options.points = 1001;
  return options;
}

Model pendulum() {
  Model m("pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda == 9.8);
  m.equation(x * x + y * y == 1);
  m.fix(x, 0.6), m.fix(der(x), 0.8);
  m.start(y, 0.8);
  return m;
}

TEST(Allocation, steps_of_a_smooth_model_allocate_nothing) {
  EXPECT_EQ(allocations_of_steps(pendulum(), fine_run_until(20), 50), 0);
}

TEST(Allocation, nor_do_steps_backwards) {
  EXPECT_EQ(allocations_of_steps(pendulum(), fine_run_until(-20), 50), 0);
}

// A guard that is watched in every step and never crossed.
TEST(Allocation, nor_does_the_search_for_events_that_do_not_come) {
  Model m("watched");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x, 2) == -x * (1 + 0.1 * x * x));
  m.equation(der(y) == select(x > 3, 1.0, -y));
  m.fix(x, 1), m.fix(der(x), 0), m.fix(y, 1);
  EXPECT_EQ(allocations_of_steps(m, fine_run_until(50), 20), 0);
}

}  // namespace
}  // namespace hydae
