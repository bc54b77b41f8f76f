// The solution as polynomials: values and derivatives anywhere, both limits at events.
#include <array>
#include <cmath>
#include <random>

#include <hydae/error.h>
#include <hydae/solution.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

constexpr std::array kDenseSolvers{Solver::kAuto, Solver::kTaylor, Solver::kIda};
constexpr std::array kDenseTolerances{1e-4, 1e-6, 1e-9};

DenseSolution dense(const Model& m, double stop, Solver solver = Solver::kTaylor,
                    double tolerance = 1e-9, double start = 0) {
  DenseSolution solution;
  SimulateOptions options;
  options.start = start, options.stop = stop;
  options.solver = solver;
  options.tolerance = tolerance;
  options.points = 2;
  options.sinks.solution = &solution;
  const Simulation done = simulate(m, options);
  EXPECT_TRUE(done.summary.succeeded()) << done.summary.message;
  EXPECT_EQ(solution.end(), stop);
  return solution;
}

// x = cos t, v = -sin t; energy is an observed variable, 1/2 throughout; minus_x an alias.
Model observed_oscillator() {
  Model m("oscillator");
  const Expr x = m.variable("x"), v = m.variable("v"), energy = m.variable("energy");
  m.equation(der(x) == v);
  m.equation(der(v) == -x);
  m.equation(energy == (x * x + v * v) / 2);
  m.alias({"minus_x", m.graph().leaf_of(x.id()).variable, -1, "", "", {}});
  m.fix(x, 1), m.fix(v, 0);
  return m;
}

// Errors of the run itself grow with time: a hundred tolerances over three periods by BDF.
TEST(DenseSolution, has_values_and_derivatives_at_any_time) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> anywhere(0, 20);
  for (Solver solver : kDenseSolvers)
    for (double tolerance : kDenseTolerances) {
      const DenseSolution solution = dense(observed_oscillator(), 20, solver, tolerance);
      const double allowed = 300 * tolerance;
      for (int k = 0; k < 300; ++k) {
        const double t = k == 0 ? 0 : k == 1 ? 20 : anywhere(random);
        EXPECT_NEAR(solution.value("x", t), std::cos(t), allowed) << t;
        EXPECT_NEAR(solution.value("minus_x", t), -std::cos(t), allowed) << t;
        EXPECT_NEAR(solution.value("der(v)", t), -std::cos(t), allowed) << t;
        EXPECT_NEAR(solution.value("energy", t), 0.5, allowed) << t;
        // One digit or two are lost by the derivative of a polynomial of degree eight. BDF begins
        // with steps over which x changes by rounding only: there its slope is lost.
        if (t == 0 && solver == Solver::kIda) continue;
        EXPECT_NEAR(solution.derivative("x", t), -std::sin(t), 10 * allowed) << t;
      }
    }
}

// Pieces follow the run, not only the mathematics: where rows are asked for, they are what the rows
// are, to a part of the tolerance.
TEST(DenseSolution, agrees_with_the_rows_of_the_same_run) {
  for (Solver solver : kDenseSolvers)
    for (double tolerance : kDenseTolerances) {
      DenseSolution solution;
      SimulateOptions options;
      options.stop = 20, options.points = 333;
      options.solver = solver, options.tolerance = tolerance;
      options.sinks.solution = &solution;
      const Simulation done = simulate(observed_oscillator(), options);
      for (std::size_t r = 0; r < done.trajectory.num_rows(); ++r) {
        const auto values = solution.values(done.trajectory.times()[r]);
        for (std::size_t k = 0; k < values.size(); ++k)
          EXPECT_NEAR(values[k], done.trajectory.value(r, k), 0.2 * tolerance);
      }
    }
}

// A ball falls from 1 with g = 10: it hits at sqrt(0.2) with sqrt(20), and leaves with half of it.
TEST(DenseSolution, has_both_limits_at_events) {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v"), n = counter(m, "n");
  m.equation(der(h) == v);
  m.equation(der(v) == -10);
  m.when(when({h < 0}, {reinit(v, -0.5 * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0);
  for (Solver solver : kDenseSolvers)
    for (double tolerance : kDenseTolerances) {
      const DenseSolution solution = dense(m, 0.8, solver, tolerance);
      ASSERT_EQ(solution.event_times().size(), 1u);
      const double t = solution.event_times()[0], allowed = 100 * tolerance;
      EXPECT_NEAR(t, std::sqrt(0.2), allowed);
      EXPECT_NEAR(solution.value("v", t, Limit::kLeft), -std::sqrt(20), allowed);
      EXPECT_NEAR(solution.value("v", t), std::sqrt(20) / 2, allowed);
      EXPECT_NEAR(solution.value("h", t, Limit::kLeft), 0, allowed);
      EXPECT_EQ(solution.value("n", t, Limit::kLeft), 0);
      EXPECT_EQ(solution.value("n", t, Limit::kRight), 1);
      const double s = 0.7 - t;
      EXPECT_NEAR(solution.value("h", 0.7), std::sqrt(20) / 2 * s - 5 * s * s, allowed);
    }
}

// x' = x backwards from e at 1.
TEST(DenseSolution, of_a_run_backwards) {
  Model m("growth");
  const Expr x = m.variable("x");
  m.equation(der(x) == x);
  m.fix(x, std::exp(1));
  const DenseSolution solution = dense(m, -1, Solver::kTaylor, 1e-9, 1);
  EXPECT_EQ(solution.start(), 1);
  for (double t : {1.0, 0.99, 0.5, -0.3, -1.0}) {
    EXPECT_NEAR(solution.value("x", t), std::exp(t), 1e-8);
    EXPECT_NEAR(solution.value("x", t, Limit::kLeft), std::exp(t), 1e-8);
    EXPECT_NEAR(solution.derivative("x", t), std::exp(t), 1e-7);
  }
}

// The ball that comes to rest: after the limit of its impacts, sum of a geometric series, it lies.
TEST(DenseSolution, goes_through_events_that_accumulate) {
  Model m("resting");
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == select(h > 0, -10, 0));
  m.when(when({h <= 0}, {reinit(v, -0.5 * pre(v))}));
  m.fix(h, 1), m.fix(v, 0);
  DenseSolution solution;
  SimulateOptions options;
  options.stop = 3;
  options.sinks.solution = &solution;
  const Simulation done = simulate(m, options);
  for (double t = solution.start(); t <= solution.end(); t += 0.01) {
    EXPECT_TRUE(std::isfinite(solution.value("h", t)));
    EXPECT_GT(solution.value("h", t), -1e-5) << t;
    EXPECT_LT(solution.value("h", t), 1 + 1e-9) << t;
  }
}

// A quantity that is rounding errors costs a bounded number of pieces.
TEST(DenseSolution, noise_is_not_followed) {
  Model m("noise");
  const Expr x = m.variable("x"), y = m.variable("y"), noise = m.variable("noise");
  m.equation(der(x) == y);
  m.equation(der(y) == -x);
  m.equation(noise == (x + 0.1) - 0.1 - x);
  m.fix(x, 1), m.fix(y, 0);
  const DenseSolution solution = dense(m, 20), quiet = dense(observed_oscillator(), 20);
  EXPECT_LE(solution.num_pieces(), 10 * quiet.num_pieces());
}

TEST(DenseSolution, refuses_other_times_and_names) {
  const DenseSolution solution = dense(observed_oscillator(), 1);
  EXPECT_THROW(solution.value("x", 1.5), UsageError);
  EXPECT_THROW(solution.value("x", -1e-9), UsageError);
  EXPECT_THROW(solution.value("x", NAN), UsageError);
  EXPECT_THROW(solution.value("y", 0.5), UsageError);
  EXPECT_THROW(DenseSolution().value("x", 0), UsageError);
}

}  // namespace
}  // namespace hydae
