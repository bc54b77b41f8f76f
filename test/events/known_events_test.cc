// Hybrid problems with known event times and impulses.
#include <gtest/gtest.h>
#include <set>

#include "test/events/expect_events.h"

namespace hydae {
namespace {

class KnownEventsTest : public ::testing::TestWithParam<const char*> {};

Simulation run_problem(const Problem& problem, double tolerance) {
  SimulateOptions options;
  options.solver = Solver::kTaylor;
  options.tolerance = tolerance;
  options.atol = tolerance;
  return simulate(problem.make_model(), options);
}

// Event times are roots of polynomials that the series gives to rounding: 1e-11 is their claim.
TEST_P(KnownEventsTest, are_found_with_their_impulses) {
  const auto problem = find_problem(GetParam());
  const Simulation run = run_problem(*problem, 1e-13);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  expect_known_events(*problem, run, 1e-11);
}

TEST_P(KnownEventsTest, mode_sequence_does_not_depend_on_the_tolerance) {
  const auto problem = find_problem(GetParam());
  EXPECT_EQ(mode_sequence(run_problem(*problem, 1e-6)),
            mode_sequence(run_problem(*problem, 1e-13)));
}

INSTANTIATE_TEST_SUITE_P(
    Problems, KnownEventsTest,
    ::testing::Values("bouncing_ball", "index_drop", "state_appears", "state_removed",
                      "constraints_swap", "parallel_capacitors", "clutch_motor", "ideal_clutch",
                      "clutch_benveniste", "gear_shift", "higher_impulse", "exact_differential",
                      "coupled_masses", "polynomial_guard", "mesh_events", "flat_root",
                      "argesim_c5", "bouncing_ball_zeno", "breaking_pendulum", "cup_and_ball",
                      "close_roots", "stick_slip", "dry_brake", "coulomb_oscillator", "relay",
                      "relay_spiral", "three_masses", "rocking_block", "overflow_tank", "two_tanks",
                      "coupled_clutches"),
    [](const auto& instance) { return std::string(instance.param); });

// Clutches that lock and break away, by both solvers: closed-form integrals between events that
// were bisected. Errors of event times add up over nine of them.
TEST(CoupledClutches, have_their_speeds_at_the_end) {
  const auto problem = find_problem("coupled_clutches");
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      SimulateOptions options;
      options.solver = solver;
      options.tolerance = tolerance;
      const Simulation run = simulate(problem->make_model(), options);
      ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
      EXPECT_EQ(run.summary.events.size(), 9u);
      EXPECT_NEAR(run.trajectory.series("w1").back(), 3.2470582724188, 1000 * tolerance);
      for (const char* name : {"w2", "w3", "w4"})
        EXPECT_NEAR(run.trajectory.series(name).back(), 2.4631871666496, 1000 * tolerance);
    }
}

// 2^n modes are possible; each car switches for itself and few of them are met.
TEST(AirBrake, modes_are_met_and_not_enumerated) {
  const Simulation run = run_problem(*find_problem("air_brake(12)"), 1e-6);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_LE(run.summary.modes_visited, static_cast<int>(run.summary.events.size()) + 12 + 2);
}

// The pressure reaches about fifty cars within the two seconds: the guards of the cars behind are
// rounding errors, which must not switch anything, and more cars there change nothing.
TEST(AirBrake, cars_that_no_pressure_has_reached_do_not_switch) {
  const Simulation shorter = run_problem(*find_problem("air_brake(80)"), 1e-6);
  const Simulation longer = run_problem(*find_problem("air_brake(250)"), 1e-6);
  ASSERT_TRUE(shorter.summary.succeeded()) << shorter.summary.message;
  ASSERT_TRUE(longer.summary.succeeded()) << longer.summary.message;
  EXPECT_EQ(shorter.summary.events.size(), longer.summary.events.size());
  for (const char* name : {"u1", "v1", "u20", "v20"})
    EXPECT_NEAR(shorter.trajectory.series(name).back(), longer.trajectory.series(name).back(), 1e-5)
        << name;
}

// Equations as printed in the paper, from its guesses: an independent high-precision computation
// finds 22 events on (0, 5] in 6 modes. At the start der(q2) is zero, where `der(q2) >= 0` is true,
// and falls: that is one more, from a seventh mode.
TEST(ParallelRobot, visits_six_modes_and_keeps_the_torques_in_their_limits) {
  const auto problem = find_problem("parallel_robot");
  const Simulation run = run_problem(*problem, 1e-12);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  ASSERT_EQ(run.summary.events.size(), 23u);
  EXPECT_EQ(run.summary.events[0].t, 0.0);
  std::set<std::string> modes;
  for (std::size_t k = 1; k < run.summary.events.size(); ++k)
    modes.insert({run.summary.events[k].from_mode, run.summary.events[k].to_mode});
  EXPECT_EQ(modes.size(), 6u);
}

}  // namespace
}  // namespace hydae
