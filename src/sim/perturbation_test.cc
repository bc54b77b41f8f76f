// No event is missed, whatever the phase and the steps: problems with roots on step ends, close
// together, flat, double.
#include <cstdlib>
#include <random>

#include "sim/run_testing.h"

namespace hydae {
namespace {

int scale() {
  const char* text = std::getenv("HYDAE_PERTURBATIONS");
  return text == nullptr ? 100 : std::atoi(text);
}

Simulation run_perturbed(const Model& model, double start, double stop, std::mt19937& random) {
  std::uniform_real_distribution<double> step(0.01, 0.5);
  // Not below the degree of the guards: their series would be cut and so would be the accuracy of
  // the times.
  std::uniform_int_distribution<int> order(10, 24);
  SimulateOptions options;
  options.start = start;
  options.stop = stop;
  options.tolerance = options.atol = 1e-9;
  options.max_step = step(random);
  options.order = order(random);
  options.points = 2;
  return simulate(model, options);
}

// u' = 1, counting the roots of a polynomial with nine simple roots; the phase shifts all of them.
TEST(Perturbation, nine_roots_on_or_off_the_mesh) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> shift(-0.05, 0.05);
  for (int trial = 0; trial < scale(); ++trial) {
    const double phase = trial % 4 == 0 ? 0 : shift(random);
    Model m("nine");
    const Expr u = m.variable("u"), n = counter(m, "n");
    Expr g = 1;
    for (int k = 1; k <= 9; ++k) g = g * (u - (0.1 * k + phase));
    m.equation(der(u) == 1);
    m.when(when({g > 0, g < 0}, {assign(n, pre(n) + 1)}));
    m.fix(u, 0);
    const Simulation simulation = run_perturbed(m, 0, 1, random);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    ASSERT_EQ(simulation.summary.events.size(), 9u) << trial << " phase " << phase;
    for (int k = 1; k <= 9; ++k)
      ASSERT_NEAR(event_times(simulation)[static_cast<std::size_t>(k - 1)], 0.1 * k + phase, 1e-9);
  }
}

// Two thresholds very close together: both fire.
TEST(Perturbation, two_events_close_together) {
  std::mt19937 random(12);
  std::uniform_real_distribution<double> where(0.05, 0.9), exponent(-9, -2);
  for (int trial = 0; trial < scale(); ++trial) {
    const double first = where(random), distance = std::pow(10, exponent(random));
    Model m("close");
    const Expr u = m.variable("u"), n = counter(m, "n"), k = counter(m, "k");
    m.equation(der(u) == 1);
    m.when(when({u > first}, {assign(n, pre(n) + 1)}));
    m.when(when({u > first + distance}, {assign(k, pre(k) + 1)}));
    m.fix(u, 0);
    const Simulation simulation = run_perturbed(m, 0, 1, random);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    ASSERT_EQ(final_value(simulation, "n"), 1) << trial;
    ASSERT_EQ(final_value(simulation, "k"), 1) << trial;
    ASSERT_EQ(simulation.summary.events.size(), 2u) << trial << " distance " << distance;
  }
}

// Free fall onto a flat guard u^3: the time is that of u, as well as a triple root can be known.
TEST(Perturbation, flat_root) {
  std::mt19937 random(13);
  std::uniform_real_distribution<double> height(1, 50);
  for (int trial = 0; trial < scale(); ++trial) {
    const double h = height(random), t = std::sqrt(2 * h / 9.8);
    Model m("flat");
    const Expr u = m.variable("u"), n = counter(m, "n");
    m.equation(der(u, 2) == -9.8);
    m.when(when({pow(u, 3) < 0}, {assign(n, pre(n) + 1)}));
    m.fix(u, h), m.fix(der(u), 0);
    const Simulation simulation = run_perturbed(m, 0, t + 0.3, random);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    ASSERT_EQ(simulation.summary.events.size(), 1u) << trial;
    // |u^3| < rho near the root: dt = rho^(1/3) / |u'|, with rho of rounding size.
    ASSERT_NEAR(event_times(simulation)[0], t, 1e-4);
  }
}

// (x - 1/2)^2 - eps: two events for eps > 0, none for eps < 0.
TEST(Perturbation, double_root_splits_or_vanishes) {
  std::mt19937 random(14);
  std::uniform_real_distribution<double> exponent(-10, -2), phase(-0.2, 0.2);
  for (int trial = 0; trial < scale(); ++trial) {
    const double size = std::pow(10, exponent(random)), eps = trial % 2 == 0 ? size : -size;
    const double centre = 0.5 + phase(random);
    Model m("double");
    const Expr x = m.variable("x"), n = counter(m, "n");
    const Expr g = sqr(x - centre) - eps;
    m.equation(der(x) == 1);
    m.when(when({g<0, g> 0}, {assign(n, pre(n) + 1)}));
    m.fix(x, 0);
    const Simulation simulation = run_perturbed(m, 0, 1, random);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    ASSERT_EQ(simulation.summary.events.size(), eps > 0 ? 2u : 0u) << trial << " eps " << eps;
    if (eps > 0) {
      ASSERT_NEAR(event_times(simulation)[0], centre - std::sqrt(eps), 1e-9);
    }
  }
}

TEST(Grazing, an_exact_touch_is_told_and_not_switched) {
  Model m("touch");
  const Expr x = m.variable("x"), n = counter(m, "n");
  m.equation(der(x) == 1);
  m.when(when({sqr(x - 0.5) < 0}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  const Simulation simulation = run(m, 1, 1e-9);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_TRUE(simulation.summary.events.empty());
  ASSERT_EQ(simulation.summary.warnings.size(), 1u);
  EXPECT_EQ(simulation.summary.warnings[0].rfind("grazing at t = 0.5", 0), 0u)
      << simulation.summary.warnings[0];
}

}  // namespace
}  // namespace hydae
