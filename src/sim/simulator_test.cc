#include <cmath>

#include <hydae/error.h>
#include <hydae/simulator.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

// A bouncing ball on a table that swings, with a counter, a limiter that slides at its limit and a
// delayed signal: events of all kinds before and behind any place.
Model busy_model() {
  Model m("busy");
  const Expr h = m.variable("h"), v = m.variable("v"), s = m.variable("s"), y = m.variable("y"),
             twice = m.variable("twice"), n = counter(m, "n");
  m.equation(der(h) == v);
  m.equation(der(v) == -kGravity + 0.1 * sin(3 * m.time()));
  m.equation(der(s) == select(s > 0.3, -1, 1) + 0.2 * sin(m.time()));
  m.equation(der(y) == select(y > 0.5, -2, 1) * (1 + 0.1 * s));
  m.equation(twice == 2 * h + s);
  m.when(when({h < 0}, {reinit(v, -0.9 * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0), m.fix(s, 0), m.fix(y, 0);
  return m;
}

constexpr std::array kNames{"h", "v", "s", "y", "twice", "n", "der(h)"};

void expect_same(const Simulator& a, const Simulator& b) {
  EXPECT_EQ(a.time(), b.time());
  for (const char* name : kNames) EXPECT_EQ(a.value(name), b.value(name)) << name;
}

// h = 1 - g t^2 / 2 until it is zero.
TEST(Simulator, has_the_values_of_all_variables_where_it_stands) {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v"), energy = m.variable("energy");
  m.equation(der(h) == v);
  m.equation(der(v) == -10);
  m.equation(energy == v * v / 2 + 10 * h);
  m.fix(h, 1), m.fix(v, 0);
  Simulator simulator(m);
  ASSERT_EQ(simulator.initialize(), Status::kSuccess) << simulator.message();
  EXPECT_EQ(simulator.value("h"), 1);
  ASSERT_EQ(simulator.advance_to(0.25), Status::kSuccess) << simulator.message();
  EXPECT_EQ(simulator.time(), 0.25);
  EXPECT_NEAR(simulator.value("h"), 1 - 5 * 0.0625, 1e-15);
  EXPECT_NEAR(simulator.value("der(h)"), -2.5, 1e-15);
  EXPECT_NEAR(simulator.value("energy"), 10, 1e-14);
  EXPECT_THROW(simulator.value("x"), UsageError);
  EXPECT_THROW(simulator.advance_to(0.1), UsageError);
}

TEST(Simulator, goes_on_from_a_state_bit_by_bit_here_and_elsewhere) {
  const Model m = busy_model();
  Simulator first(m);
  ASSERT_EQ(first.initialize(), Status::kSuccess) << first.message();
  for (double t : {0.2, 0.7, 1.1, 1.9}) {
    ASSERT_EQ(first.advance_to(t), Status::kSuccess) << first.message();
    const Simulator::State state = first.state();
    EXPECT_EQ(state.time(), t);
    Simulator second(m);
    ASSERT_EQ(second.initialize(), Status::kSuccess);
    ASSERT_EQ(second.set_state(state), Status::kSuccess) << second.message();
    ASSERT_EQ(first.advance_to(t + 3), Status::kSuccess) << first.message();
    ASSERT_EQ(second.advance_to(t + 3), Status::kSuccess) << second.message();
    expect_same(first, second);
    ASSERT_EQ(first.set_state(state), Status::kSuccess);
    EXPECT_EQ(first.time(), t);
    ASSERT_EQ(first.advance_to(t + 3), Status::kSuccess);
    expect_same(first, second);
    ASSERT_EQ(first.set_state(state), Status::kSuccess);
  }
}

// They share the modes, and one does not disturb the other.
TEST(Simulator, several_of_one_compiled_model_are_independent) {
  const Model m = busy_model();
  const CompiledModel compiled(m);
  Simulator alone(m), first(compiled), second(compiled);
  for (Simulator* simulator : {&alone, &first, &second})
    ASSERT_EQ(simulator->initialize(), Status::kSuccess);
  ASSERT_EQ(second.advance_to(2.5), Status::kSuccess);
  for (double t : {0.7, 1.9}) {
    ASSERT_EQ(alone.advance_to(t), Status::kSuccess);
    ASSERT_EQ(first.advance_to(t), Status::kSuccess);
    expect_same(alone, first);
  }
  EXPECT_EQ(compiled.counters().forms, 1);
}

TEST(Simulator, comes_to_where_simulate_comes) {
  const Model m = busy_model();
  SimulateOptions options;
  options.stop = 4;
  options.tolerance = options.atol = 1e-11;
  Simulator simulator(m, options);
  ASSERT_EQ(simulator.initialize(), Status::kSuccess);
  for (int k = 1; k <= 40; ++k)
    ASSERT_EQ(simulator.advance_to(0.1 * k), Status::kSuccess) << simulator.message();
  options.solver = Solver::kTaylor;
  const Simulation whole = simulate(m, options);
  ASSERT_TRUE(whole.summary.succeeded()) << whole.summary.message;
  // Ten bounces of 0.9: errors grow by no more than the sum of the jumps.
  for (const char* name : kNames)
    EXPECT_NEAR(simulator.value(name), whole.trajectory.series(name).back(), 1e-8) << name;
}

}  // namespace
}  // namespace hydae
