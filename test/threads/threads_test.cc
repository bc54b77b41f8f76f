// Runs of one compiled model on several threads: under ThreadSanitizer (preset tsan) without a
// word, and with the results of serial runs, bit by bit.
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include <hydae/compiled_model.h>
#include <hydae/events.h>

namespace hydae {
namespace {

// Events of many kinds: impacts with a counter, a limiter that slides, a delay, a diode, a pendulum
// of index 3, a variable that is only observed.
Model busy_model() {
  Model m("busy");
  const Expr k = m.parameter("k", 1);
  const Expr h = m.variable("h"), v = m.variable("v"), n = integer(m, "n", 0);
  m.equation(der(h) == v);
  m.equation(der(v) == -10 + 0.1 * sin(3 * k * m.time()));
  m.when(when({h < 0}, {reinit(v, -0.9 * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0);
  const Expr s = m.variable("s");
  m.equation(der(s) == select(s > 0.3 * k, -1, 1) + 0.2 * sin(m.time()));
  m.fix(s, 0);
  const Expr u = m.variable("u"), i = m.variable("i"), c = m.variable("c");
  m.equation(u == sin(6 * k * m.time()) - c);
  m.equation(i == select(u > 0, u, 0.01 * u));
  m.equation(der(c) == i - 0.2 * c);
  m.fix(c, 0);
  const Expr x = m.variable("x"), y = m.variable("y"), l = m.variable("l");
  m.equation(der(x, 2) + x * l == 0);
  m.equation(der(y, 2) + y * l + 10 * k == 0);
  m.equation(x * x + y * y == 1);
  m.fix(x, 0.6), m.start(y, -0.8), m.fix(der(x), 0);
  const Expr energy = m.variable("energy");
  m.equation(energy == v * v / 2 + 10 * h);
  return m;
}

SimulateOptions options_for(std::size_t number, Solver solver) {
  SimulateOptions options;
  options.stop = 1.5;
  options.points = 16;
  options.solver = solver;
  options.parameters = {{"k", 0.5 + 0.25 * static_cast<double>(number)}};
  return options;
}

void expect_same(const Simulation& a, const Simulation& b, std::size_t number) {
  ASSERT_EQ(a.summary.message, b.summary.message) << number;
  EXPECT_EQ(a.summary.steps, b.summary.steps) << number;
  ASSERT_EQ(a.trajectory.num_rows(), b.trajectory.num_rows()) << number;
  for (const Column& column : a.trajectory.columns())
    EXPECT_EQ(a.trajectory.series(column.name), b.trajectory.series(column.name))
        << column.name << " of run " << number;
}

class Threads : public testing::TestWithParam<Solver> {};

TEST_P(Threads, have_the_results_of_serial_runs_bit_by_bit) {
  constexpr std::size_t kThreads = 8;
  const Model model = busy_model();
  const CompiledModel compiled(model);
  std::vector<Simulation> together(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < kThreads; ++k)
      threads.emplace_back(
          [&, k] { together[k] = simulate(compiled, options_for(k, GetParam())); });
  }
  for (std::size_t k = 0; k < kThreads; ++k) {
    EXPECT_EQ(together[k].summary.message, "");
    EXPECT_FALSE(together[k].summary.events.empty());
    expect_same(together[k], simulate(model, options_for(k, GetParam())), k);
  }
  EXPECT_EQ(compiled.counters().forms, 1);
}

// No compiled model: the model itself is only read.
TEST_P(Threads, may_run_one_model_at_once) {
  const Model model = busy_model();
  std::vector<Simulation> together(2);
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < together.size(); ++k)
      threads.emplace_back([&, k] { together[k] = simulate(model, options_for(k, GetParam())); });
  }
  for (std::size_t k = 0; k < together.size(); ++k)
    expect_same(together[k], simulate(model, options_for(k, GetParam())), k);
}

INSTANTIATE_TEST_SUITE_P(Solvers, Threads,
                         testing::Values(Solver::kTaylor, Solver::kIda, Solver::kAuto));

}  // namespace
}  // namespace hydae
