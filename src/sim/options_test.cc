// What the options of simulate() promise.
#include <cmath>
#include <gmock/gmock.h>

#include <hydae/error.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

using ::testing::ElementsAre;

// x'' = -x, x(0) = 1, x'(0) = 0: x = cos t.
Model oscillator() {
  Model m("oscillator");
  const Expr x = m.variable("x");
  m.equation(der(x, 2) == -x);
  m.fix(x, 1), m.fix(der(x), 0);
  return m;
}

std::vector<double> step_ends(SimulateOptions options, double stop) {
  std::vector<double> ends{options.start.value_or(0)};
  options.stop = stop;
  options.progress = [&](double t) {
    ends.push_back(t);
    return true;
  };
  EXPECT_TRUE(simulate(oscillator(), options).summary.succeeded());
  return ends;
}

TEST(SimulateOptions, max_step_bounds_every_step) {
  SimulateOptions options;
  const std::vector<double> free = step_ends(options, 10);
  options.max_step = 0.25;
  const std::vector<double> bounded = step_ends(options, 10);
  double longest_free = 0, longest_bounded = 0;
  for (std::size_t k = 1; k < free.size(); ++k)
    longest_free = std::max(longest_free, free[k] - free[k - 1]);
  for (std::size_t k = 1; k < bounded.size(); ++k)
    longest_bounded = std::max(longest_bounded, bounded[k] - bounded[k - 1]);
  EXPECT_GT(longest_free, 1);
  EXPECT_LE(longest_bounded, 0.25 * (1 + 1e-12));
  EXPECT_EQ(bounded.back(), 10);
}

TEST(SimulateOptions, a_given_order_is_used) {
  for (int order : {8, 12, 25, 40}) {
    SimulateOptions options;
    options.order = order;
    options.stop = 10;
    options.tolerance = 1e-9;
    const Simulation run = simulate(oscillator(), options);
    EXPECT_EQ(run.summary.order, order);
    EXPECT_NEAR(run.trajectory.series("x").back(), std::cos(10.0), 1e-8);
  }
}

// A higher order takes fewer steps: for order p a step is about p/e for this entire solution.
TEST(SimulateOptions, a_higher_order_takes_fewer_steps) {
  SimulateOptions options;
  options.tolerance = 1e-9;
  options.order = 10;
  const std::size_t many = step_ends(options, 50).size();
  options.order = 30;
  EXPECT_LT(2 * step_ends(options, 50).size(), many);
}

TEST(SimulateOptions, backwards_is_the_same_solution) {
  SimulateOptions options;
  options.start = 0;
  options.stop = -7;
  options.tolerance = 1e-11;
  options.points = 8;
  const Simulation run = simulate(oscillator(), options);
  ASSERT_TRUE(run.summary.succeeded());
  EXPECT_THAT(run.trajectory.times(), ElementsAre(0, -1, -2, -3, -4, -5, -6, -7));
  for (std::size_t r = 0; r < run.trajectory.num_rows(); ++r)
    EXPECT_NEAR(run.trajectory.value(r, 0), std::cos(run.trajectory.times()[r]), 1e-10);
}

TEST(SimulateOptions, progress_is_called_after_each_step_in_order) {
  const std::vector<double> ends = step_ends({}, 20);
  for (std::size_t k = 1; k < ends.size(); ++k) EXPECT_GT(ends[k], ends[k - 1]);
  EXPECT_EQ(ends.back(), 20);
}

TEST(SimulateOptions, a_cancelled_run_keeps_what_it_has) {
  SimulateOptions options;
  options.stop = 100;
  options.interval = 0.5;
  options.progress = [](double t) { return t < 30; };
  const Simulation run = simulate(oscillator(), options);
  EXPECT_EQ(run.summary.status, Status::kCancelled);
  EXPECT_GE(run.summary.t_end, 30);
  EXPECT_LT(run.summary.t_end, 40);
  EXPECT_GT(run.trajectory.num_rows(), 59u);
  EXPECT_LE(run.trajectory.times().back(), run.summary.t_end);
}

// x' = -x from 1e-8: with the nominal value 1 the absolute tolerance 1e-6 is all there is to meet,
// with the nominal value 1e-8 the error must be below about 1e-14 all the way.
TEST(SimulateOptions, nominal_values_scale_the_absolute_tolerance) {
  const auto error = [](double nominal, double* steps) {
    Model m("small");
    const Expr x = m.variable("x");
    m.equation(der(x) == -x * (1 + 1e-8 / (x + 1e-8)));  // not entire: no series ends by itself
    m.fix(x, 1e-8);
    m.nominal(x, nominal);
    SimulateOptions options;
    options.stop = 3;
    options.tolerance = options.atol = 1e-6;
    options.order = 8;
    const Simulation run = simulate(m, options);
    *steps = static_cast<double>(run.summary.steps);
    // With u = 1e8 x: u' = -u (u + 2)/(u + 1), so u (u + 2) = 3 exp(-2t).
    const double truth = 1e-8 * (std::sqrt(1 + 3 * std::exp(-6.0)) - 1);
    return std::abs(run.trajectory.series("x").back() - truth);
  };
  double few = 0, many = 0;
  EXPECT_LT(error(1, &few), 1e-6);
  EXPECT_LT(error(1e-8, &many), 1e-14);
  EXPECT_GT(many, few);
}

TEST(SimulateOptions, that_make_no_sense_are_refused) {
  const auto with = [](auto change) {
    SimulateOptions options;
    change(options);
    simulate(oscillator(), options);
  };
  EXPECT_THROW(with([](auto& o) { o.tolerance = 0; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.tolerance = 2; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.tolerance = 1e-300; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.atol = -1; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.stop = std::nan(""); }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.max_step = -1; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.order = -3; }), UsageError);
  EXPECT_THROW(with([](auto& o) { o.start_values = {{"y", 1, true}}; }), UsageError);
}

}  // namespace
}  // namespace hydae
