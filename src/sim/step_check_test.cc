// Steps that end where the equations hold: functions that are as good as constant for a while,
// poles, peaks, quotients of nothing by nothing, functions that overflow where their use does not.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <random>

#include <hydae/error.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

using Rate = std::function<Expr(const Expr&)>;

constexpr double kAllowed = 30;  // tolerances: several steps, each with its share

Simulation run_by(const Model& model, Solver solver, double tolerance, double stop = 1) {
  SimulateOptions options;
  options.stop = stop;
  options.tolerance = tolerance;
  options.solver = solver;
  options.points = 2;
  return simulate(model, options);
}

// What asks for steps of its own beside an integral, or for another method.
enum class Beside { kNothing, kOscillator, kStiffState };

// x' = rate(u) with u the time itself or a state u' = 1.
Model integral(const Rate& rate, bool of_state, Beside beside) {
  Model m("m");
  const Expr x = m.variable("x");
  m.fix(x, 0);
  Expr u = m.time();
  if (of_state) {
    u = m.variable("u");
    m.equation(der(u) == 1);
    m.fix(u, 0);
  }
  m.equation(der(x) == rate(u));
  if (beside == Beside::kStiffState) {
    const Expr z = m.variable("z");
    m.equation(der(z) == -1e5 * (z - cos(m.time())));
    m.fix(z, 1);
  }
  if (beside == Beside::kOscillator) {
    const Expr y = m.variable("y");
    m.equation(der(y, 2) == -y);
    m.fix(y, 1), m.fix(der(y), 0);
  }
  return m;
}

void expect_integral(const Rate& rate, double exact, const std::string& what) {
  for (double tolerance : {1e-4, 1e-6, 1e-9})
    for (bool of_state : {false, true})
      for (Beside beside : {Beside::kNothing, Beside::kOscillator, Beside::kStiffState})
        for (Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
          if (beside == Beside::kStiffState && solver == Solver::kTaylor) continue;  // slow
          SCOPED_TRACE(what + (of_state ? " of a state" : " of time") + ", company " +
                       std::to_string(static_cast<int>(beside)) + ", solver " +
                       std::to_string(static_cast<int>(solver)));
          const Simulation s = run_by(integral(rate, of_state, beside), solver, tolerance);
          ASSERT_TRUE(s.summary.succeeded()) << s.summary.message;
          // BDF takes hundreds of steps through a peak.
          const double more = solver == Solver::kTaylor ? 1 : 30;
          EXPECT_NEAR(final_value(s, "x"), exact, more * kAllowed * tolerance) << tolerance;
        }
}

// Integral of tanh(k (t - 0.7)) from 0 to 1: (log cosh 0.3k - log cosh 0.7k)/k, and log cosh z =
// z - log 2 + log(1 + exp(-2z)).
TEST(StepCheck, a_steep_tanh_is_not_stepped_over) {
  const auto log_cosh = [](double z) { return z + std::log1p(std::exp(-2 * z)); };
  for (double k : {10.0, 30.0, 100.0, 300.0, 1e3, 1e4, 1e5, 1e6})
    expect_integral([=](const Expr& u) { return tanh(k * (u - 0.7)); },
                    (log_cosh(0.3 * k) - log_cosh(0.7 * k)) / k, "tanh " + std::to_string(k));
}

// Of 1/(1 + exp(-k(t - 0.7))): (log(1 + exp(0.3k)) - log(1 + exp(-0.7k)))/k = 0.3 + tiny terms. For
// k = 1e4 the exponential is beyond the numbers at the start, its reciprocal is not.
TEST(StepCheck, a_logistic_function_may_overflow_inside) {
  for (double k : {30.0, 300.0, 1e4}) {
    const double exact =
        (0.3 * k + std::log1p(std::exp(-0.3 * k)) - std::log1p(std::exp(-0.7 * k))) / k;
    expect_integral([=](const Expr& u) { return 1 / (1 + exp(-k * (u - 0.7))); }, exact,
                    "logistic " + std::to_string(k));
  }
}

// sqrt(pi)/k, both tails beyond 1e-16 from k = 20 on.
TEST(StepCheck, a_pulse_is_found_however_narrow) {
  for (double k : {20.0, 100.0, 1e3, 1e6})
    expect_integral([=](const Expr& u) { return k * exp(-pow(k * (u - 0.7), 2)); },
                    std::sqrt(std::numbers::pi), "pulse " + std::to_string(k));
}

// The window between two steps of tanh: its width, whatever the steepness.
TEST(StepCheck, a_window_inside_a_step_is_found) {
  expect_integral(
      [](const Expr& u) { return (tanh(1e4 * (u - 0.61)) - tanh(1e4 * (u - 0.63))) / 2; }, 0.02,
      "window");
}

// e/((t-c)^2 + e^2): atan((1-c)/e) + atan(c/e).
TEST(StepCheck, lorentz_peaks_have_their_area) {
  for (double e : {1e-2, 1e-4, 1e-8}) {
    const double c = 0.31;
    expect_integral([=](const Expr& u) { return e / (pow(u - c, 2) + e * e); },
                    std::atan((1 - c) / e) + std::atan(c / e), "peak " + std::to_string(e));
  }
}

// atan(1/(t - c)) jumps from -pi/2 to pi/2 at c. Its integral over 0..1 is F(1-c) - F(-c), F(z) = z
// atan(1/z) + log(1 + z^2)/2.
TEST(StepCheck, an_angle_that_jumps_stays_an_angle) {
  const double c = 0.673;
  const auto f = [](double z) { return z * std::atan(1 / z) + std::log(1 + z * z) / 2; };
  const Simulation s =
      run_by(integral([=](const Expr& u) { return atan(1 / (u - c)); }, false, Beside::kNothing),
             Solver::kAuto, 1e-6);
  ASSERT_TRUE(s.summary.succeeded()) << s.summary.message;
  EXPECT_NEAR(final_value(s, "der(x)"), std::atan(1 / (1 - c)), 1e-4);
  EXPECT_NEAR(final_value(s, "x"), f(1 - c) - f(-c), 1e-4);
}

// Whatever the order and the place, the run ends there.
TEST(StepCheck, no_pole_is_passed) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> place(0.05, 0.95);
  for (int k = 0; k < 100; ++k) {
    const double c = place(random);
    const int order = 1 + k % 4;
    for (bool is_implicit : {false, true}) {
      Model m("m");
      const Expr x = m.variable("x"), y = m.variable("y");
      const Expr power = pow(m.time() - c, order);
      m.equation(der(x) == y);
      if (is_implicit)
        m.equation(y * power == 1);
      else
        m.equation(y == 1 / power);
      m.fix(x, 0);
      const Summary summary = run_by(m, Solver::kAuto, 1e-6).summary;
      EXPECT_FALSE(summary.succeeded()) << "order " << order << ", c = " << c;
      EXPECT_NEAR(summary.t_end, c, 1e-6) << "order " << order;
    }
  }
}

// Rates of the Hodgkin-Huxley model: V/(1 - exp(-V)) is 1 + V/2 + ... near V = 0. Reference by an
// implicit method at 1e-12.
TEST(StepCheck, nothing_over_nothing_is_passed) {
  for (double tolerance : {1e-4, 1e-6, 1e-9})
    for (double start : {-1.0, -1.1, -0.3, -1e-3}) {
      Model m("m");
      const Expr v = m.variable("V"), a = m.variable("a"), x = m.variable("m");
      m.equation(der(v) == 1);
      m.equation(a == v / (1 - exp(-v)));
      m.equation(der(x) == a);
      m.fix(v, start), m.fix(x, 0);
      const Simulation s = run_by(m, Solver::kAuto, tolerance);
      ASSERT_TRUE(s.summary.succeeded()) << s.summary.message << start;
      // z/(1 - exp(-z)) by its series z/2 + z/2 coth(z/2), integrated by Simpson's rule.
      const auto f = [](double z) { return z == 0 ? 1.0 : z / -std::expm1(-z); };
      double sum = 0;
      constexpr int kPanels = 200;
      for (int i = 0; i < kPanels; ++i) {
        const double h = 1.0 / kPanels, z = start + i * h;
        sum += h / 6 * (f(z) + 4 * f(z + h / 2) + f(z + h));
      }
      EXPECT_NEAR(final_value(s, "m"), sum, kAllowed * tolerance) << start;
    }
}

// cos(2x + w) = t/2 with w = acos(t/2): x = 0, where both sides vanish at t = 0 and the slope is
// -2.
TEST(StepCheck, a_regular_equation_at_zero_converges) {
  Model m("m");
  const Expr x = m.variable("x"), w = m.variable("w");
  m.equation(cos(2 * x + w) == m.time() / 2);
  m.equation(w == acos(m.time() / 2));
  m.start(x, 0.5);
  for (Solver solver : {Solver::kAuto, Solver::kTaylor}) {
    const Simulation s = run_by(m, solver, 1e-6);
    ASSERT_TRUE(s.summary.succeeded()) << s.summary.message;
    EXPECT_NEAR(final_value(s, "x"), 0, 1e-12);
  }
}

// Three pulses, at c + k pi: 3 sqrt(pi) w, since sin is its argument where they are. Behind the
// first one the steps of series grow from its width; that is no stiffness, and no step of BDF
// passes the others.
TEST(StepCheck, a_comb_of_pulses_is_not_taken_for_stiffness) {
  constexpr double kWidth = 1e-3;
  // exp(-(sin(d)/w)^2) = exp(-(d/w)^2) (1 + d^4/(3 w^2) + ..), of which the integral is sqrt(pi) w
  // (1 + w^2/4).
  const double exact = 3 * std::sqrt(std::numbers::pi) * (1 + kWidth * kWidth / 4);
  const auto comb = [](const Expr& u) { return exp(-pow(sin(u - 0.77) / kWidth, 2)) / kWidth; };
  for (double tolerance : {1e-4, 1e-6, 1e-9})
    for (Beside beside : {Beside::kNothing, Beside::kOscillator, Beside::kStiffState})
      for (Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
        if (beside == Beside::kStiffState && solver == Solver::kTaylor) continue;  // slow
        const Simulation s = run_by(integral(comb, false, beside), solver, tolerance, 8);
        ASSERT_TRUE(s.summary.succeeded()) << s.summary.message;
        EXPECT_NEAR(final_value(s, "x"), exact, 2 * kAllowed * tolerance) << tolerance;
        const bool is_alone = solver == Solver::kAuto && beside == Beside::kNothing;
        EXPECT_TRUE(!is_alone || s.summary.solver_choice.empty()) << s.summary.solver_choice;
      }
}

// y = sqrt(1 - t) ends at 1 with an infinite slope.
TEST(StepCheck, no_solver_passes_the_end_of_a_solution) {
  for (double tolerance : {1e-4, 1e-6, 1e-9})
    for (Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
      Model m("m");
      const Expr y = m.variable("y");
      m.equation(der(y) == -1 / (2 * y));
      m.fix(y, 1);
      const Summary summary = run_by(m, solver, tolerance, 2).summary;
      EXPECT_FALSE(summary.succeeded()) << tolerance;
      EXPECT_NEAR(summary.t_end, 1, 100 * tolerance) << tolerance;
    }
}

TEST(StepCheck, settings_that_cannot_move_are_refused) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == -x);
  m.fix(x, 1);
  SimulateOptions options;
  options.max_step = 1e-20;
  EXPECT_THROW(simulate(m, options), UsageError);
  options.max_step.reset();
  options.tolerance = 1e-300;
  EXPECT_THROW(simulate(m, options), UsageError);
}

}  // namespace
}  // namespace hydae
