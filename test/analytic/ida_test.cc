// BDF on the index-reduced equations: published problems, agreement with the Taylor method, and
// constraints that stay satisfied while the states are chosen anew.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

#include <hydae/problems.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

Simulation simulate_with(const Model& model, Solver solver, double tolerance,
                         std::vector<double> times) {
  SimulateOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.stop = *std::max_element(times.begin(), times.end());
  options.times = std::move(times);
  return simulate(model, options);
}

double value_at(const Simulation& run, double t, const std::string& column) {
  for (std::size_t r = run.trajectory.num_rows(); r-- > 0;)
    if (run.trajectory.times()[r] == t)
      return run.trajectory.value(r, *run.trajectory.find_column(column));
  return std::nan("");
}

class StiffReference : public ::testing::TestWithParam<const char*> {};

// Six digits of every quantity that the test set counts, relative to the larger of its value and
// one, at tolerance 1e-8: all but derivatives, and of Andrews' mechanism the angles.
TEST_P(StiffReference, six_digits_at_tolerance_1e_8) {
  const auto problem = find_problem(GetParam());
  ASSERT_FALSE(problem->references().empty());
  const Reference& reference = problem->references().back();
  Model model = problem->make_model();
  // The rod of the slider crank is stiff: deformations of 1e-4 balance the constraint forces, so
  // that six digits of a force take six digits of a deformation.
  if (problem->name() == "crank")
    for (const char* name : {"q1", "q2", "q3", "q4"})
      if (const auto q = model.find_variable(name))
        model.nominal(Expr(model.graph(), model.graph().variable(*q)), 1e-4);
  const Simulation run = simulate_with(model, Solver::kIda, 1e-8, {reference.t});
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_EQ(run.summary.solver, "ida");
  for (const ReferenceValue& known : reference.values) {
    if (known.order > 0) continue;
    if (problem->name() == "andrews" && known.variable.starts_with("lambda")) continue;
    const double got = value_at(run, reference.t, known.variable);
    EXPECT_NEAR(got, known.value, known.accuracy + 1e-6 * std::max(1.0, std::abs(known.value)))
        << known.variable;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, StiffReference,
                         ::testing::Values("chemakzo", "transamp", "crank", "andrews", "robertson",
                                           "vdpol", "caraxis"));

// Largest difference of two runs at the given times, in units of 1 + |value|; values only.
double difference(const Simulation& a, const Simulation& b, const std::vector<double>& times,
                  std::string* where = nullptr) {
  double worst = 0;
  for (const Column& column : a.trajectory.columns()) {
    if (column.name.starts_with("der(")) continue;
    for (double t : times) {
      const double x = value_at(a, t, column.name), y = value_at(b, t, column.name);
      const double error = std::abs(x - y) / (1 + std::abs(x));
      if (error <= worst) continue;
      worst = error;
      if (where != nullptr) *where = column.name;
    }
  }
  return worst;
}

// How much the solution multiplies errors of its start values, all of them together: no method can
// do better than the tolerance times this number.
double condition(const Model& model, std::vector<double> times) {
  const double start = *model.experiment.start_time;
  times.push_back(start);
  const Simulation given = simulate_with(model, Solver::kTaylor, 1e-11, times);
  double sum = 0;
  for (VarId id : ids<VarId>(model.num_variables()))
    for (const StartValue& value : model.all_variables()[id].starts) {
      if (!value.fixed) continue;
      SimulateOptions options;
      options.solver = Solver::kTaylor;
      options.tolerance = 1e-11;
      options.stop = *std::max_element(times.begin(), times.end());
      options.times = times;
      const std::string name = model.variable_name(id, value.order);
      const double here = value_at(given, start, name), step = 1e-6 * (1 + std::abs(here));
      options.start_values.push_back({name, here + step, true});
      sum += difference(given, simulate(model, options), times) / 1e-6;
    }
  return std::max(1.0, sum);
}

class SmoothProblem : public ::testing::TestWithParam<const char*> {};

// Both methods at tolerance 1e-6, the whole interval: ten tolerances, times the condition of the
// problem where that is larger than one.
TEST_P(SmoothProblem, both_solvers_agree_within_ten_tolerances) {
  const auto problem = find_problem(GetParam());
  const Model model = problem->make_model();
  const double start = *model.experiment.start_time, stop = *model.experiment.stop_time;
  const std::vector<double> times = {start + 0.3 * (stop - start), stop};
  const Simulation taylor = simulate_with(model, Solver::kTaylor, 1e-6, times);
  const Simulation ida = simulate_with(model, Solver::kIda, 1e-6, times);
  ASSERT_TRUE(taylor.summary.succeeded()) << taylor.summary.message;
  ASSERT_TRUE(ida.summary.succeeded()) << ida.summary.message;
  std::string where;
  const double worst = difference(taylor, ida, times, &where);
  EXPECT_LE(worst, 10 * 1e-6 * condition(model, times)) << where;
}

INSTANTIATE_TEST_SUITE_P(Problems, SmoothProblem,
                         ::testing::Values("jackiewicz", "kamke", "kepler", "pendulum",
                                           "pendulum_angle", "pendulum_cash_index0", "pleiades",
                                           "van_der_pol", "weissinger", "andrews", "crank_rigid",
                                           "brenan", "arevalo"),
                         [](const auto& instance) { return std::string(instance.param); });

// `auto` stays with the Taylor method where it does well, and leaves it where it does not.
TEST(AutomaticChoice, stays_with_taylor_on_smooth_problems) {
  for (const char* name : {"pendulum", "kepler", "lorenz", "andrews", "caraxis"}) {
    const Model model = find_problem(name)->make_model();
    const Simulation run = simulate_with(model, Solver::kAuto, 1e-6, {*model.experiment.stop_time});
    ASSERT_TRUE(run.summary.succeeded()) << name << run.summary.message;
    EXPECT_EQ(run.summary.solver, "taylor") << name << ": " << run.summary.solver_choice;
    EXPECT_EQ(run.summary.solver_choice, "");
  }
}

TEST(AutomaticChoice, goes_over_to_ida_on_stiff_problems_and_keeps_the_trajectory) {
  for (const char* name : {"robertson", "vdpol"}) {
    const auto problem = find_problem(name);
    const Model model = problem->make_model();
    const Reference& reference = problem->references().back();
    const Simulation run = simulate_with(model, Solver::kAuto, 1e-6, {reference.t});
    ASSERT_TRUE(run.summary.succeeded()) << name << run.summary.message;
    EXPECT_EQ(run.summary.solver, "ida") << name;
    EXPECT_TRUE(run.summary.solver_choice.starts_with("stiff at t = "))
        << run.summary.solver_choice;
    for (const ReferenceValue& known : reference.values) {
      if (known.order > 0) continue;
      EXPECT_NEAR(value_at(run, reference.t, known.variable), known.value,
                  known.accuracy + 1e-4 * std::max(1.0, std::abs(known.value)))
          << name << " " << known.variable;
    }
  }
}

// --- CVODE where the reduced system is an ordinary differential equation

class OdeProblem : public ::testing::TestWithParam<const char*> {};

// Both codes reach six digits at tolerance 1e-8, and neither takes many more steps than the other:
// they use the same formulas and the same error test.
TEST_P(OdeProblem, cvode_does_what_ida_does) {
  const auto problem = find_problem(GetParam());
  const Reference& reference = problem->references().back();
  const Model model = problem->make_model();
  SimulateOptions options;
  options.solver = Solver::kIda;
  options.tolerance = 1e-8;
  options.stop = reference.t;
  options.times = {reference.t};
  const Simulation cvode = simulate(model, options);
  options.bdf.code = BdfCode::kIda;
  const Simulation ida = simulate(model, options);
  ASSERT_TRUE(cvode.summary.succeeded()) << cvode.summary.message;
  ASSERT_TRUE(ida.summary.succeeded()) << ida.summary.message;
  EXPECT_EQ(cvode.summary.bdf, "CVODE");
  EXPECT_EQ(ida.summary.bdf, "IDA");
  EXPECT_LT(cvode.summary.steps, 1.5 * static_cast<double>(ida.summary.steps));
  for (const ReferenceValue& known : reference.values) {
    if (known.order > 0) continue;
    for (const Simulation* run : {&cvode, &ida})
      EXPECT_NEAR(value_at(*run, reference.t, known.variable), known.value,
                  known.accuracy + 1e-6 * std::max(1.0, std::abs(known.value)))
          << run->summary.bdf << " " << known.variable;
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, OdeProblem, ::testing::Values("robertson", "vdpol"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(BdfChoice, constraints_are_for_ida) {
  const Simulation run =
      simulate_with(find_problem("pendulum")->make_model(), Solver::kIda, 1e-6, {1});
  EXPECT_EQ(run.summary.bdf, "IDA");
  EXPECT_EQ(
      simulate_with(find_problem("pendulum")->make_model(), Solver::kTaylor, 1e-6, {1}).summary.bdf,
      "");
}

// A series circuit as components give it, with a mesh of three resistors in it: the capacitor
// discharges through 1 Ohm parallel to (1 + 1) Ohm, 2/3 Ohm in all. v = exp(-3 t / 2).
TEST(BdfChoice, circuit_with_a_linear_loop_is_an_ode) {
  Model m("circuit");
  const Expr v = m.variable("v"), i = m.variable("i"), a = m.variable("a"), b = m.variable("b"),
             u = m.variable("u");
  m.equation(der(v) == -i);
  m.equation(i == a + b);
  m.equation(v == 1 * a);
  m.equation(v - u == 1 * b);
  m.equation(u == 1 * b);
  m.fix(v, 1.0);
  const Simulation run = simulate_with(m, Solver::kIda, 1e-8, {1});
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_EQ(run.summary.bdf, "CVODE");
  EXPECT_NEAR(value_at(run, 1, "v"), std::exp(-1.5), 1e-8);
  EXPECT_NEAR(value_at(run, 1, "b"), std::exp(-1.5) / 2, 1e-8);
  EXPECT_NEAR(value_at(run, 1, "der(v)"), -1.5 * std::exp(-1.5), 1e-8);
}

// v = 1 / (x - 1) with x = t: the state does not feel the pole at t = 1, but the run ends there.
TEST(LinearEquations, pole_that_no_state_feels_ends_the_run) {
  Model m("pole");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v");
  m.equation(der(x) == 1);
  m.equation(u + v == 1);
  m.equation(u + x * v == 2);
  m.fix(x, 0.0);
  const Simulation run = simulate_with(m, Solver::kIda, 1e-6, {0.5, 2});
  EXPECT_EQ(run.summary.status, Status::kSingularJacobian);
  EXPECT_LE(run.summary.t_end, 1);
  EXPECT_NE(run.summary.message.find("stopped at t = 1: the linear equations for `"),
            std::string::npos)
      << run.summary.message;
  EXPECT_NE(run.summary.message.find("` are singular (condition "), std::string::npos)
      << run.summary.message;
  EXPECT_NEAR(value_at(run, 0.5, "v"), -2, 1e-6);
}

// (x - 1) v = (x - 1) 3: singular at t = 1, but v = 3 on both sides.
TEST(LinearEquations, removable_singularity_is_passed) {
  Model m("removable");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v");
  m.equation(der(x) == 1);
  m.equation(u + v == 1);
  m.equation(u + x * v == 1 + (x - 1) * 3);
  m.fix(x, 0.0);
  const Simulation run = simulate_with(m, Solver::kIda, 1e-6, {0.5, 2});
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_NEAR(value_at(run, 2, "v"), 3, 1e-6);
}

// x' = v = 1 / (x - 1) from x = 0: (x - 1)^2 = 1 + 2 t would go on, but from below x - 1 =
// -sqrt(1 + 2 t): backwards in time it ends at t = -1/2. With the sign turned, x' = -v, it is
// x - 1 = -sqrt(1 - 2 t): the end is at t = 1/2.
TEST(LinearEquations, singular_equations_that_states_feel_are_named) {
  Model m("end");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v");
  m.equation(der(x) == -v);
  m.equation(u + v == 1);
  m.equation(u + x * v == 2);
  m.fix(x, 0.0);
  const Simulation run = simulate_with(m, Solver::kIda, 1e-6, {2});
  EXPECT_FALSE(run.summary.succeeded());
  EXPECT_NEAR(run.summary.t_end, 0.5, 1e-3);
}

// Whirling over the top: x''+ x l = 0, y'' + y l = -g, from the lowest point at speed v0, with
// v0^2 > 4 g the pendulum never stops. Energy v^2/2 + g y is constant.
Model whirling_pendulum(double speed) {
  Model m("whirling_pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("lambda");
  m.equation(der(x, 2) + x * l == 0);
  m.equation(der(y, 2) + y * l == -1);
  m.equation(x * x + y * y == 1);
  m.start(x, 0.0);
  m.start(y, -1.0);
  m.fix(x, 0.0);
  m.fix(der(x), speed);
  m.start(der(y), 0.0);
  m.start(l, speed * speed + 1);
  return m;
}

TEST(PendulumByIda, turns_over_the_top_and_keeps_length_and_velocity_constraints) {
  const Model model = whirling_pendulum(2.5);
  std::vector<double> times;
  for (int k = 0; k <= 400; ++k) times.push_back(0.25 * k);
  const Simulation run = simulate_with(model, Solver::kIda, 1e-8, times);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  // A turn takes less than 2 pi / sqrt(2.5^2 - 4) = 4.2: more than 23 turns in 100, four choices of
  // states in each.
  EXPECT_GT(run.summary.state_selections, 80);
  double length = 0, velocity = 0, energy = 0;
  bool is_over_the_top = false;
  for (std::size_t r = 0; r < run.trajectory.num_rows(); ++r) {
    const auto at = [&](const char* name) {
      return run.trajectory.value(r, *run.trajectory.find_column(name));
    };
    const double x = at("x"), y = at("y"), u = at("der(x)"), v = at("der(y)");
    length = std::max(length, std::abs(x * x + y * y - 1));
    velocity = std::max(velocity, std::abs(x * u + y * v));
    energy = std::max(energy, std::abs((u * u + v * v) / 2 + y - (2.5 * 2.5 / 2 - 1)));
    is_over_the_top = is_over_the_top || y > 0.9;
  }
  EXPECT_TRUE(is_over_the_top);
  EXPECT_LT(length, 1e-8);
  EXPECT_LT(velocity, 1e-7);
  // Errors of the steps add up in the energy: each of them may leave 1/500 of the tolerance in the
  // root mean square of six unknowns, in a position or velocity sqrt(6) 2e-11 (1 + 2.5), times the
  // gradient (2.5, 1) of the energy.
  EXPECT_LT(energy, static_cast<double>(run.summary.steps) * std::sqrt(6.0) * 2e-11 * 3.5 *
                        std::hypot(2.5, 1.0));
}

// Released at the height of its pivot, a pendulum of length 1 with g = 1 swings with the period
// 4 K(1/2) = 7.4163. The constraint is an equation of every step: over any number of periods its
// residual stays where Newton's iteration leaves it. That is a tenth of the tolerance of IDA,
// 2e-11, in the root mean square of six unknowns: in one of them at most sqrt(6) 2e-12 (1 +
// |value|), with |value| <= sqrt(2) 1.2e-11. The gradient of x^2 + y^2 = 1 has the 1-norm 2
// sqrt(2), that of its derivative 2 (x u + y v) at most 2 (sqrt(2) + 2): the residual is less than
// 7 * 1.2e-11. Rates of convergence are estimates, good within a factor of ten: 1e-9, a tenth of
// the tolerance. Output meets the constraint to rounding. The test of label `slow` takes 10^4
// periods.
TEST(PendulumByIda, does_not_drift_over_many_periods) {
  const char* given = std::getenv("HYDAE_PERIODS");
  const double periods = given == nullptr ? 20 : std::atof(given), period = 7.416298709205487;
  Model m("swinging_pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("lambda");
  m.equation(der(x, 2) + x * l == 0);
  m.equation(der(y, 2) + y * l == -1);
  m.equation(x * x + y * y == 1);
  m.start(x, 1.0);
  m.fix(y, 0.0);
  m.fix(der(y), 0.0);
  m.start(der(x), 0.0);
  m.start(l, 0.0);
  const Simulation many = simulate_with(m, Solver::kIda, 1e-8, {periods * period});
  ASSERT_TRUE(many.summary.succeeded()) << many.summary.message;
  EXPECT_LT(many.summary.max_constraint_residual, 1e-9);
  const double end = periods * period;
  const double px = value_at(many, end, "x"), py = value_at(many, end, "y");
  EXPECT_NEAR(px * px + py * py, 1, 1e-12);
  EXPECT_NEAR(px * value_at(many, end, "der(x)") + py * value_at(many, end, "der(y)"), 0, 1e-12);
  // In each period it passes the vertical twice, and comes to the horizontal twice.
  EXPECT_GE(many.summary.state_selections, static_cast<long>(2 * periods));
}

}  // namespace
}  // namespace hydae
