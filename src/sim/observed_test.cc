// Variables that nothing reads: results serve them like all others.
#include <gmock/gmock.h>
#include <numbers>

#include "sim/run_testing.h"

namespace hydae {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SimulateOptions until(double stop, int points) {
  SimulateOptions options;
  options.stop = stop;
  options.points = points;
  options.tolerance = options.atol = 1e-10;
  return options;
}

// i = t: the effective value sqrt(i^2) = |t| has no Taylor series at the start.
Model effective_value() {
  Model m("effective");
  const Expr i = m.variable("i"), I = m.variable("I");
  m.equation(der(i) == 1);
  m.equation(I == sqrt(i * i));
  m.fix(i, 0);
  return m;
}

TEST(Observed, needs_no_series) {
  for (Solver solver : {Solver::kTaylor, Solver::kIda, Solver::kAuto}) {
    const Model m = effective_value();
    SimulateOptions options = until(2, 3);
    options.solver = solver;
    const Simulation simulation = simulate(m, options);
    EXPECT_EQ(simulation.summary.status, Status::kSuccess);
    EXPECT_THAT(simulation.summary.warnings, IsEmpty());
    const std::vector<double> I = simulation.trajectory.series("I");
    ASSERT_EQ(I.size(), 3u);
    EXPECT_EQ(I[0], 0);
    EXPECT_NEAR(I[1], 1, 1e-9);
    EXPECT_NEAR(I[2], 2, 1e-9);
  }
}

// I = |t| wrapped into 0 .. 2: without events nothing needs the series of I, with them each of the
// times 2, 4 is one.
TEST(Observed, rounding_may_be_without_events) {
  Model m = effective_value();
  const Expr I(m.graph(), m.graph().variable(*m.find_variable("I"))), w = m.variable("w");
  m.equation(w == I - 2 * no_event(floor(I / 2)));
  const Simulation simulation = simulate(m, until(5, 6));
  ASSERT_EQ(simulation.summary.status, Status::kSuccess) << simulation.summary.message;
  EXPECT_THAT(simulation.summary.events, IsEmpty());
  EXPECT_NEAR(simulation.trajectory.series("w")[3], 1, 1e-9);
  EXPECT_NEAR(simulation.trajectory.series("w")[5], 1, 1e-9);

  Model other("counting");
  const Expr i = other.variable("i"), n = other.variable("n");
  other.equation(der(i) == 1);
  other.equation(n == floor(i / 2));
  other.fix(i, 0);
  EXPECT_EQ(simulate(other, until(5, 6)).summary.events.size(), 2u);
}

// L = i/i is undefined where i = 0, at the start only.
TEST(Observed, undefined_values_are_nan_with_one_warning_and_no_success) {
  Model m("quotient");
  const Expr i = m.variable("i"), L = m.variable("L");
  m.equation(der(i) == 1);
  m.equation(L == 3 * i / i, "inductance");
  m.fix(i, 0);
  const Simulation simulation = simulate(m, until(1, 5));
  EXPECT_EQ(simulation.summary.status, Status::kUndefinedValues);
  EXPECT_EQ(simulation.summary.message, "the results are not all numbers: `L` is nan at t = 0");
  EXPECT_EQ(simulation.summary.t_end, 1);
  ASSERT_EQ(simulation.summary.warnings.size(), 1u);
  EXPECT_EQ(simulation.summary.warnings[0],
            "`L` is undefined at t = 0: `3*i/i`, in equation `inductance`; the results hold nan "
            "there");
  const std::vector<double> L_values = simulation.trajectory.series("L");
  EXPECT_TRUE(std::isnan(L_values[0]));
  for (std::size_t k = 1; k < L_values.size(); ++k) EXPECT_DOUBLE_EQ(L_values[k], 3);
}

TEST(Observed, a_model_may_have_nothing_else) {
  for (Solver solver : {Solver::kTaylor, Solver::kIda}) {
    Model m("clock");
    const Expr y = m.variable("y"), z = m.variable("z");
    m.equation(y == 2 * m.time());
    m.equation(z == y + 1);
    SimulateOptions options = until(1, 3);
    options.solver = solver;
    const Simulation simulation = simulate(m, options);
    EXPECT_EQ(simulation.summary.status, Status::kSuccess);
    EXPECT_THAT(simulation.trajectory.series("z"), ElementsAre(1, 2, 3));
  }
}

TEST(Observed, aliases_and_choices_of_variables_see_it) {
  Model m = effective_value();
  m.alias({"minus", *m.find_variable("I"), -1, "A", "", {}});
  SimulateOptions options = until(2, 2);
  options.variables = {"min*"};
  const Simulation simulation = simulate(m, options);
  ASSERT_EQ(simulation.trajectory.columns().size(), 1u);
  EXPECT_NEAR(simulation.trajectory.series("minus").back(), -2, 1e-9);
}

TEST(Observed, a_value_given_at_the_start_is_met) {
  const Model m = [] {
    Model model("m");
    const Expr x = model.variable("x"), y = model.variable("y");
    model.equation(der(x) == 0);
    model.equation(y == 2 * x);
    return model;
  }();
  SimulateOptions options = until(1, 2);
  options.start_values = {{"y", 6, true}};
  EXPECT_NEAR(final_value(simulate(m, options), "x"), 3, 1e-12);
}

// v jumps from 1 to 2 at t = 1: w = v^2 + t has the limits 2 and 5.
TEST(Observed, events_have_both_limits) {
  Model m("jump");
  const Expr x = m.variable("x"), v = m.variable("v"), w = m.variable("w");
  m.equation(der(x) == v);
  m.equation(v == select(m.time() < 1, 1, 2));
  m.equation(w == v * v + m.time());
  m.fix(x, 0);
  const Simulation simulation = simulate(m, until(2, 2));
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  const EventRecord& event = simulation.summary.events[0];
  EXPECT_DOUBLE_EQ(right_limit(event, "w"), 5);
  EXPECT_THAT(simulation.trajectory.series("w"), ElementsAre(1, 2, 5, 6));
}

// Capacitors C1 = 1 at 3 V and C2 = 2 at 0 V are joined at t = 1: v = 1 and a charge of 2 flows at
// once. P = 5 i shows five times that impulse, and E = v1 i the impulse 2 * mean(v1) = 2 * 2 = 4,
// for v1 falls from 3 to 1 while the charge flows.
Model joined_capacitors(bool is_squared) {
  Model m("capacitors");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i"), P = m.variable("P"),
             E = m.variable("E");
  m.equation(der(v1) == -i);
  m.equation(2 * der(v2) == i);
  m.equation(select(m.time() < 1, i, v1 - v2) == 0);
  m.equation(P == 5 * i);
  m.equation(E == (is_squared ? i * i : v1 * i));
  m.fix(v1, 3), m.fix(v2, 0);
  return m;
}

TEST(Observed, impulses_are_seen) {
  const Simulation simulation = simulate(joined_capacitors(false), until(2, 2));
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  const EventRecord& event = simulation.summary.events[0];
  EXPECT_NEAR(impulse_of(event, "i"), 2, 1e-9);
  EXPECT_NEAR(impulse_of(event, "P"), 10, 1e-9);
  EXPECT_NEAR(impulse_of(event, "E"), 4, 1e-9);
}

TEST(Observed, an_impulse_squared_is_told) {
  const Simulation simulation = simulate(joined_capacitors(true), until(2, 2));
  EXPECT_EQ(simulation.summary.status, Status::kSuccess);
  EXPECT_THAT(simulation.summary.warnings,
              ElementsAre("event at t = 1: `E` depends on impulsive variables, and not linearly; "
                          "what impulse it has is not known"));
}

}  // namespace
}  // namespace hydae
