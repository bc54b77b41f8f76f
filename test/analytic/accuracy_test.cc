// What the error does when the tolerance is made smaller, and what is conserved.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numbers>

#include "test/analytic/reference_error.h"

namespace hydae {
namespace {

// Of a variable on its way, at least one. Tolerances refer to the size at the beginning of a step,
// not to a value near zero that the variable passes later.
std::map<std::string, double> sizes_of(const Problem& problem) {
  SimulateOptions options = at_tolerance(problem, 1e-13);
  options.times.clear();
  const Trajectory overview = simulate(problem.make_model(), options).trajectory;
  std::map<std::string, double> sizes;
  for (const Column& column : overview.columns()) {
    double& size = sizes.emplace(column.name, 1.0).first->second;
    for (double x : overview.series(column.name)) size = std::max(size, std::abs(x));
  }
  return sizes;
}

// What becomes of an error in the state: the largest change of a known value when one of the fixed
// start values is moved, both relative to their sizes. The fixed values are as many as there are
// degrees of freedom: the rest of the state is projected.
double condition_of(const Problem& problem, const std::map<std::string, double>& sizes) {
  constexpr double kMove = 1e-6;
  const Model model = problem.make_model();
  SimulateOptions options = at_tolerance(problem, 1e-13);
  const Simulation base = simulate(model, options);
  double condition = 1;
  for (const Variable& variable : model.all_variables())
    for (const StartValue& start : variable.starts) {
      if (!start.fixed) continue;
      const std::string column = derivative_name(variable.name, start.order);
      const double value = base.trajectory.value(0, *base.trajectory.find_column(column));
      options.start_values = {{column, value + kMove * sizes.at(column), true}};
      const Simulation moved = simulate(model, options);
      EXPECT_TRUE(moved.summary.succeeded()) << column << ": " << moved.summary.message;
      for (const KnownValue& known : known_values(problem, base.trajectory)) {
        const double change = value_at(moved.trajectory, known.t, known.column) -
                              value_at(base.trajectory, known.t, known.column);
        condition = std::max(condition, std::abs(change) / sizes.at(known.column) / kMove);
      }
    }
  return condition;
}

class ConvergenceTest : public ::testing::TestWithParam<const char*> {};

// Every step may add 0.3 tolerances to a variable, relative to its size, and some rounding errors;
// on the way to the end the problem multiplies them by its condition. Single runs are often luckier
// than that, and not equally lucky at each tolerance: what falls with the tolerance is the bound.
// One more step stands for the polynomial between two steps.
TEST_P(ConvergenceTest, error_falls_with_the_tolerance) {
  const auto problem = find_problem(GetParam());
  const std::map<std::string, double> sizes = sizes_of(*problem);
  const double condition = condition_of(*problem, sizes);
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-13}) {
    const Simulation run = simulate(problem->make_model(), at_tolerance(*problem, tolerance));
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message << " at tolerance " << tolerance;
    const double of_step = 0.3 * tolerance + 10 * std::numeric_limits<double>::epsilon();
    const double bound = condition * static_cast<double>(run.summary.steps + 1) * of_step;
    for (const KnownValue& known : known_values(*problem, run.trajectory)) {
      const double error = value_at(run.trajectory, known.t, known.column) - known.value;
      EXPECT_LE(std::abs(error), bound * sizes.at(known.column) + known.accuracy)
          << known.column << " at t = " << known.t << ", tolerance " << tolerance << ", condition "
          << condition;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, ConvergenceTest,
                         ::testing::Values("pendulum", "caraxis", "andrews", "chemakzo", "transamp",
                                           "crank", "crank_oscillatory", "robot_arm", "crane_servo",
                                           "crane_path", "jay_index2", "jay_index2_nonlinear",
                                           "jay_index3", "arevalo"),
                         [](const auto& instance) { return std::string(instance.param); });

// Diodes that block make exactly zero of exp(-1000), and 15 V later they conduct: no coefficient
// tells that before. Steps of 0.3 tolerances add up; the capacitor forgets them, its time constant
// is r2 r3 = 0.05.
TEST(RectifierBridge, diodes_that_begin_to_conduct_are_not_stepped_over) {
  const auto problem = find_problem("rectifier_bridge");
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Simulation run = simulate(problem->make_model(), at_tolerance(*problem, tolerance));
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message << " at tolerance " << tolerance;
    const ReferenceError error = reference_error(*problem, run.trajectory);
    EXPECT_LE(error.error,
              0.3 * tolerance * static_cast<double>(run.summary.steps + 1) + error.of_reference)
        << error.column << " at tolerance " << tolerance;
  }
}

// The path of the arm is given to t = 1.5 exactly; its singularity is where cos(e^t - t) = 3 -
// sqrt(5) for the first time, t = 1.54462600004.
TEST(RobotArm, reaches_1_5_and_forecasts_its_singularity) {
  for (double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    SimulateOptions options;
    options.stop = 1.5;
    options.tolerance = tolerance;
    options.solver = Solver::kTaylor;
    const Model model = find_problem("robot_arm")->make_model();
    const Simulation run = simulate(model, options);
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
    EXPECT_NEAR(run.trajectory.series("x1").back(), 1 - std::exp(1.5), 100 * tolerance);
    EXPECT_NEAR(run.trajectory.series("x3").back(), std::exp(1.5) - 1.5, 100 * tolerance);
    ASSERT_TRUE(run.summary.singularity) << tolerance;
    EXPECT_NEAR(run.summary.singularity->t, 1.54462600004, 1e-4);
  }
}

TEST(RobotArm, does_not_step_over_its_singularity) {
  for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    SimulateOptions options;
    options.stop = 2;
    options.tolerance = tolerance;
    options.solver = Solver::kTaylor;
    const Simulation run = simulate(find_problem("robot_arm")->make_model(), options);
    EXPECT_FALSE(run.summary.succeeded()) << tolerance;
    EXPECT_NEAR(run.summary.t_end, 1.54462600004, 1e-4) << tolerance;
  }
}

// theta'' = -sin theta from pi/2 at rest: theta is even in t and its curvature starts at -1, so
// that every second coefficient vanishes and the fourth derivative -cos(theta) theta'' - ... does,
// too. A control that trusts the last coefficients takes a first step of 10; the singularities of
// the solution are 1.85 away.
TEST(PendulumInAngleForm, gaps_of_the_series_do_not_fool_the_first_step) {
  for (double tolerance : {1e-4, 1e-6, 1e-9, 1e-12}) {
    Model m("angle");
    const Expr theta = m.variable("theta");
    m.equation(der(theta, 2) == -sin(theta));
    m.fix(theta, std::numbers::pi / 2), m.fix(der(theta), 0);
    SimulateOptions options;
    options.stop = 100;
    options.tolerance = options.atol = tolerance;
    double first = 0;
    options.progress = [&](double t) {
      if (first == 0) first = t;
      return true;
    };
    const Simulation run = simulate(m, options);
    ASSERT_TRUE(run.summary.succeeded());
    EXPECT_GT(first, 0.05) << tolerance;
    EXPECT_LT(first, 1.85) << tolerance;
    // Energy theta'^2/2 - cos theta = 0.
    const double omega = run.trajectory.series("der(theta)").back();
    const double energy = 0.5 * omega * omega - std::cos(run.trajectory.series("theta").back());
    EXPECT_LT(std::abs(energy), 100 * tolerance) << tolerance;
  }
}

// Released horizontally, a pendulum of length L has the period 4 K(sin(pi/4)) sqrt(L/g) with K =
// 1.8540746773013719. Energy: (x'^2 + y'^2)/2 - g y, y downwards; zero at the start, and g L is its
// natural unit.
TEST(Pendulum, conserves_energy_over_10000_periods) {
  const Model model = find_problem("pendulum")->make_model();
  const double g = model.parameters()[*model.find_parameter("G")].value;
  const double L = model.parameters()[*model.find_parameter("L")].value;
  const double period = 4 * 1.8540746773013719 * std::sqrt(L / g);
  SimulateOptions options;
  options.stop = 1e4 * period;
  options.tolerance = options.atol = 1e-16;
  options.points = 2001;
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  const auto y = run.trajectory.series("y"), vx = run.trajectory.series("der(x)"),
             vy = run.trajectory.series("der(y)");
  double worst = 0;
  for (std::size_t r = 0; r < y.size(); ++r)
    worst = std::max(worst, std::abs(0.5 * (vx[r] * vx[r] + vy[r] * vy[r]) - g * y[r]));
  EXPECT_LT(worst, 1e-11 * g * L);
}

}  // namespace
}  // namespace hydae
