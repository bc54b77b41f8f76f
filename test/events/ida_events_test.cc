// Hybrid problems with known event times and impulses, integrated by BDF between the events.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "test/events/expect_events.h"

namespace hydae {
namespace {

class EventsByIda : public ::testing::TestWithParam<const char*> {};

// The solution is good to about ten times the tolerance of 1e-9, and so are event times and
// impulses where guards cross zero with a slope of the order of one: 1e-6 leaves room for
// amplification from event to event.
TEST_P(EventsByIda, are_found_with_their_impulses) {
  const auto problem = find_problem(GetParam());
  SimulateOptions options;
  options.solver = Solver::kIda;
  options.tolerance = 1e-9;
  const Simulation run = simulate(problem->make_model(), options);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_EQ(run.summary.solver, "ida");
  expect_known_events(*problem, run, 1e-6);
}

// The same modes in the same order as by the Taylor method.
TEST_P(EventsByIda, modes_are_those_of_the_taylor_method) {
  const auto problem = find_problem(GetParam());
  const auto sequence = [&](Solver solver) {
    SimulateOptions options;
    options.solver = solver;
    options.tolerance = 1e-8;
    return mode_sequence(simulate(problem->make_model(), options));
  };
  EXPECT_EQ(sequence(Solver::kIda), sequence(Solver::kTaylor));
}

INSTANTIATE_TEST_SUITE_P(Problems, EventsByIda,
                         ::testing::Values("bouncing_ball", "index_drop", "state_appears",
                                           "state_removed", "constraints_swap",
                                           "parallel_capacitors", "clutch_motor", "ideal_clutch",
                                           "clutch_benveniste", "gear_shift", "higher_impulse",
                                           "exact_differential", "coupled_masses",
                                           "polynomial_guard", "mesh_events", "cup_and_ball"),
                         [](const auto& instance) { return std::string(instance.param); });

// Stiff: `auto` goes over to BDF. The last event is 3.5e-7 before the stop. Where the time of an
// event is less certain than that, at tolerances of 1e-6, it may come to lie behind the stop; at
// 1e-9 it cannot.
TEST(EventsByIda, an_event_just_before_the_stop_is_found) {
  const auto problem = find_problem("argesim_c5");
  SimulateOptions options;
  options.tolerance = 1e-9;
  const Simulation run = simulate(problem->make_model(), options);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_EQ(run.summary.solver, "ida") << run.summary.solver_choice;
  expect_known_events(*problem, run, 1e-7);
}

// z = t; the guard (z - 1/2)^2 - 1e-6 is negative from 0.499 to 0.501 only. z is linear, so BDF
// takes steps far longer than that, and the guard has the same sign at both ends of the step.
TEST(EventsByIda, a_guard_that_crosses_zero_twice_within_a_step_is_seen) {
  Model m("needle");
  const Expr z = m.variable("z"), x = m.variable("x");
  m.equation(der(z) == 1);
  m.equation(der(x) == select((z - 0.5) * (z - 0.5) < 1e-6, Expr(1.0), Expr(0.0)));
  m.fix(z, 0.0);
  m.fix(x, 0.0);
  SimulateOptions options;
  options.solver = Solver::kIda;
  options.stop = 1;
  options.points = 2;
  const Simulation run = simulate(m, options);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_LT(run.summary.steps, 100);
  ASSERT_EQ(run.summary.events.size(), 2u);
  EXPECT_NEAR(run.summary.events[0].t, 0.499, 1e-9);
  EXPECT_NEAR(run.summary.events[1].t, 0.501, 1e-9);
  EXPECT_NEAR(run.trajectory.series("x").back(), 0.002, 1e-8);
}

}  // namespace
}  // namespace hydae
