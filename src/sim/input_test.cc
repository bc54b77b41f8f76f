// Inputs: signals with jumps and kinks, by each solver; events; saved states; a run led from
// outside.
#include <array>
#include <cmath>

#include <hydae/compiled_model.h>
#include <hydae/error.h>
#include <hydae/simulator.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

constexpr std::array kSolvers{Solver::kAuto, Solver::kTaylor, Solver::kIda};
constexpr std::array kTolerances{1e-4, 1e-6, 1e-9};

// x' = u - x, x(0) = 0.
Model lag_model() {
  Model m("lag");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u - x);
  m.fix(x, 0);
  return m;
}

Simulation driven(const Model& m, std::vector<InputSignal> inputs, double stop,
                  Solver solver = Solver::kTaylor, double tolerance = 1e-10) {
  SimulateOptions options;
  options.stop = stop;
  options.interval = 0.125;
  options.solver = solver;
  options.tolerance = tolerance;
  options.inputs = std::move(inputs);
  Simulation done = simulate(m, options);
  EXPECT_TRUE(done.summary.succeeded()) << done.summary.message;
  return done;
}

// u rises to 1 until t = 1 and stays: x = t - 1 + e^-t, then 1 - (1 - x(1)) e^-(t - 1). The kink is
// no event: nothing jumps.
double lag_of_ramp(double t) {
  if (t <= 1) return t - 1 + std::exp(-t);
  return 1 - (1 - std::exp(-1)) * std::exp(-(t - 1));
}

TEST(Input, a_ramp_is_followed_through_its_kink_by_every_solver) {
  for (Solver solver : kSolvers)
    for (double tolerance : kTolerances) {
      const Simulation done = driven(lag_model(), {{"u", {0, 1}, {0, 1}}}, 3, solver, tolerance);
      EXPECT_TRUE(done.summary.events.empty());
      const auto x = done.trajectory.series("x"), u = done.trajectory.series("u");
      ASSERT_EQ(x.size(), 25u);  // 0, 1/8, ..., 3
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double t = done.trajectory.times()[k];
        EXPECT_NEAR(x[k], lag_of_ramp(t), 20 * tolerance) << t;
        EXPECT_NEAR(u[k], std::min(t, 1.0), 1e-14) << t;
      }
    }
}

// Steps of u at 1 and 3: x' = u gives x = 2 (t - 1) until 3, then 4 - (t - 3). Two events, both
// limits of u in the rows.
TEST(Input, a_jump_is_an_event_with_both_limits) {
  Model m("integrator");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  for (const InputSignal& signal :
       {InputSignal{"u", {0, 1, 3}, {0, 2, -1}, Interpolation::kStep},
        InputSignal{"u", {0, 1, 1, 3, 3}, {0, 0, 2, 2, -1}, Interpolation::kLinear},
        InputSignal{"u", {0, 1, 1, 3, 3}, {0, 0, 2, 2, -1}, Interpolation::kSpline}})
    for (Solver solver : kSolvers)
      for (double tolerance : kTolerances) {
        const Simulation done = driven(m, {signal}, 4, solver, tolerance);
        EXPECT_NEAR(final_value(done, "x"), 3, 10 * tolerance);
        EXPECT_EQ(event_times(done), (std::vector<double>{1, 3}));
        EXPECT_EQ(event_kinds(done), (std::vector<std::string>{"time", "time"}));
        ASSERT_EQ(done.summary.events[0].relations, std::vector<std::string>{"input u"});
        EXPECT_EQ(right_limit(done.summary.events[0], "u"), 2);
        EXPECT_EQ(right_limit(done.summary.events[1], "u"), -1);
        EXPECT_EQ(done.trajectory.num_rows(), 33u + 2);
      }
}

// The spline of points of a cubic is the cubic: u = t^3 - t, x' = u, x = t^4/4 - t^2/2.
TEST(Input, a_spline_reproduces_a_cubic) {
  Model m("integrator");
  const Expr u = m.input("u"), x = m.variable("x"), rate = m.variable("rate");
  m.equation(der(x) == u);
  m.equation(rate == der(u));
  m.fix(x, 0);
  InputSignal signal{"u", {}, {}, Interpolation::kSpline};
  for (double t : {0.0, 0.4, 0.5, 1.1, 1.7, 2.0}) {
    signal.times.push_back(t);
    signal.values.push_back(t * t * t - t);
  }
  for (Solver solver : kSolvers) {
    const Simulation done = driven(m, {signal}, 2, solver, 1e-9);
    const auto xs = done.trajectory.series("x"), rates = done.trajectory.series("rate");
    for (std::size_t k = 0; k < xs.size(); ++k) {
      const double t = done.trajectory.times()[k];
      EXPECT_NEAR(xs[k], std::pow(t, 4) / 4 - t * t / 2, 1e-7) << t;
      if (t < 2) {
        EXPECT_NEAR(rates[k], 3 * t * t - 1, 1e-6) << t;
      }
    }
  }
}

// Before the first point the first value, behind the last the last: x(3) = 5 * 1 + area of the
// triangle from (1, 5) to (2, 7) + 7.
TEST(Input, outside_of_its_points_a_signal_is_constant) {
  Model m("integrator");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  EXPECT_NEAR(final_value(driven(m, {{"u", {1, 2}, {5, 7}}}, 3), "x"), 5 + 6 + 7, 1e-9);
}

// The same points backwards in time.
TEST(Input, a_run_backwards_reads_the_signal_backwards) {
  Model m("integrator");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  SimulateOptions options;
  options.start = 3, options.stop = 0;
  options.inputs = {{"u", {0, 1, 1, 2}, {0, 2, -1, 3}}};
  const Simulation done = simulate(m, options);
  ASSERT_TRUE(done.summary.succeeded()) << done.summary.message;
  EXPECT_NEAR(final_value(done, "x"), -(1 + 1 + 3), 1e-9);  // areas of [0,1], [1,2], [2,3]
  EXPECT_EQ(event_times(done), std::vector<double>{1});
}

// An input of a constraint: y = u is differentiated, so a step of u is an impulse of its size in
// der(y), and a kink a jump of it, which has both limits in the rows.
TEST(Input, a_jump_of_a_differentiated_input_is_an_impulse) {
  Model m("constraint");
  const Expr u = m.input("u"), y = m.variable("y"), f = m.variable("f");
  m.equation(y == u);
  m.equation(der(y) == f);
  for (Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const Simulation done = driven(m, {{"u", {0, 1, 1, 2}, {0, 1, 4, 4}}}, 3, solver, 1e-8);
    ASSERT_EQ(event_times(done), std::vector<double>{1});
    EXPECT_NEAR(impulse_of(done.summary.events[0], "f"), 3, 1e-9);
    const Simulation kinked = driven(m, {{"u", {0, 1, 2}, {0, 1, -1}}}, 1.5, solver, 1e-8);
    ASSERT_EQ(event_times(kinked), std::vector<double>{1});
    EXPECT_TRUE(kinked.summary.events[0].impulses.empty());
    EXPECT_NEAR(right_limit(kinked.summary.events[0], "f"), -2, 1e-9);
  }
}

// Boolean and Integer inputs hold their values, whatever the interpolation; their edges fire
// when-clauses, and pre() is the value before.
TEST(Input, discrete_inputs_make_events) {
  Model m("edges");
  Variable on, level;
  on.name = "on", on.kind = VariableKind::kBoolean;
  level.name = "level", level.kind = VariableKind::kInteger;
  const Expr b = m.input(on), i = m.input(level), x = m.variable("x");
  const Expr n = counter(m, "n"), last = counter(m, "last");
  m.equation(der(x) == select(b, 1, 0) + i);
  m.when(when({b}, {assign(n, pre(n) + 1), assign(last, pre(i))}));
  m.fix(x, 0);
  for (Solver solver : kSolvers) {
    const Simulation done = driven(
        m, {{"on", {0, 1, 2, 3}, {0, 1, 0, 1}}, {"level", {0, 2.5, 3}, {5, 0, 7}}}, 4, solver);
    EXPECT_EQ(final_value(done, "n"), 2);
    EXPECT_EQ(final_value(done, "last"), 0);  // of the edge at 3: before it, level was 0
    EXPECT_NEAR(final_value(done, "x"), 2 + 5 * 2.5 + 7, 1e-8);
    EXPECT_EQ(event_times(done), (std::vector<double>{1, 2, 2.5, 3}));
  }
}

// u crosses 1/2 at 0.5 on its way up and at 2.75 on its way down. The same by text.
TEST(Input, relations_of_inputs_are_watched) {
  Model m("switch");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == select(u > 0.5, 1, 0));
  m.fix(x, 0);
  for (Solver solver : kSolvers) {
    const Simulation done = driven(m, {{"u", {0, 1, 2, 4}, {0, 1, 2, -2}}}, 4, solver, 1e-8);
    ASSERT_EQ(done.summary.events.size(), 2u);
    EXPECT_NEAR(done.summary.events[0].t, 0.5, 1e-9);
    EXPECT_NEAR(done.summary.events[1].t, 2.75, 1e-9);
    EXPECT_NEAR(final_value(done, "x"), 2.25, 1e-7);
  }
}

// An input whose start value is zero is no zero: the term u * x stays.
TEST(Input, a_start_value_of_zero_removes_no_term) {
  Model m("product");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u * x);
  m.fix(x, 1);
  EXPECT_NEAR(final_value(driven(m, {{"u", {0}, {2}}}, 1), "x"), std::exp(2), 1e-8);
  EXPECT_EQ(final_value(driven(m, {}, 1), "x"), 1);
}

TEST(Input, without_a_signal_the_start_value_holds_and_that_is_said) {
  Model m("held");
  const Expr p = m.parameter("p", 3), u = m.input("u", 2 * p), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  const Simulation held = driven(m, {}, 1);
  EXPECT_NEAR(final_value(held, "x"), 6, 1e-9);
  ASSERT_EQ(held.summary.warnings.size(), 1u);
  EXPECT_EQ(held.summary.warnings[0], "input `u` has no signal and keeps its start value");
  SimulateOptions options;
  options.parameters = {{"p", 5}};
  EXPECT_NEAR(final_value(simulate(m, options), "x"), 10, 1e-9);
  options.start_values = {{"u", 4, false}};
  const Simulation given = simulate(m, options);
  EXPECT_NEAR(final_value(given, "x"), 4, 1e-9);
  EXPECT_TRUE(given.summary.warnings.empty());
}

// Many points: each costs a step, none is lost. A zigzag of mean zero with 2000 kinks.
TEST(Input, every_point_of_a_long_signal_counts) {
  Model m("integrator");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  InputSignal signal{"u", {}, {}};
  double area = 0;
  for (int k = 0; k <= 2000; ++k) {
    signal.times.push_back(0.001 * k);
    signal.values.push_back((k % 2 == 0 ? 1.0 : -1.0) * (k % 7));
    const std::size_t last = signal.values.size() - 1;
    if (k > 0)
      area += (signal.values[last] + signal.values[last - 1]) / 2 *
              (signal.times[last] - signal.times[last - 1]);
  }
  EXPECT_NEAR(final_value(driven(m, {signal}, 2), "x"), area, 1e-10);
}

// A saved state between points and at one goes on bit by bit; with another signal there is an event
// where it goes on, and without one the input stays as it is.
TEST(Input, saved_states_hold_the_piece_that_is_read) {
  const Model m = lag_model();
  const std::vector<InputSignal> signals{
      {"u", {0, 1, 1, 2, 3}, {0, 1, 2, 0, 1}, Interpolation::kLinear}};
  for (Solver solver : {Solver::kTaylor, Solver::kIda})
    for (double at : {0.5, 1.0, 1.25}) {
      SimulateOptions options;
      options.stop = 4, options.interval = 0.25, options.solver = solver;
      options.inputs = signals;
      std::string text;
      options.state.save = [&](const SavedState& state) { text = state.to_text(); };
      options.state.save_at = at;
      const Simulation whole = simulate(m, options);
      ASSERT_TRUE(whole.summary.succeeded()) << whole.summary.message;
      options.state = {};
      options.state.resume = SavedState::from_text(text, "the text");
      const Simulation rest = simulate(m, options);
      ASSERT_TRUE(rest.summary.succeeded()) << rest.summary.message;
      EXPECT_EQ(final_value(rest, "x"), final_value(whole, "x")) << at;
      EXPECT_EQ(rest.summary.events.size(), at < 1 ? 1u : 0u);

      options.inputs.clear();
      const Simulation held = simulate(m, options);
      ASSERT_TRUE(held.summary.succeeded()) << held.summary.message;
      const double u = at == 0.5 ? 0.5 : at == 1.0 ? 2 : 1.5;  // of the signal at that time
      EXPECT_NEAR(final_value(held, "u"), u, 1e-14);
      EXPECT_TRUE(held.summary.events.empty());

      options.inputs = {{"u", {0}, {-3}}};
      const Simulation other = simulate(m, options);
      ASSERT_EQ(event_times(other), std::vector<double>{at});
      EXPECT_NEAR(right_limit(other.summary.events[0], "u"), -3, 1e-14);
      const double x0 = other.trajectory.series("x").front();
      EXPECT_NEAR(final_value(other, "x"), -3 + (x0 + 3) * std::exp(-(4 - at)), 1e-5);
    }
}

// x' = u: set to 2 at the start, to -1 at t = 1; a state before the change does not know it.
TEST(Input, a_simulator_sets_inputs_between_its_steps) {
  Model m("integrator");
  const Expr u = m.input("u"), v = m.input("v", 1), x = m.variable("x"), y = m.variable("y");
  const Expr n = counter(m, "n");
  m.equation(der(x) == u);
  m.equation(y == u * v);
  m.when(when({u < 0}, {assign(n, pre(n) + 1)}));
  m.fix(x, 0);
  for (Solver solver : kSolvers) {
    SimulateOptions options;
    options.solver = solver;
    Simulator simulator(m, options);
    ASSERT_EQ(simulator.set_input("u", 2), Status::kSuccess);
    ASSERT_EQ(simulator.initialize(), Status::kSuccess) << simulator.message();
    EXPECT_EQ(simulator.value("y"), 2);
    ASSERT_EQ(simulator.advance_to(1), Status::kSuccess) << simulator.message();
    EXPECT_NEAR(simulator.value("x"), 2, 1e-9);
    const Simulator::State before = simulator.state();
    ASSERT_EQ(simulator.set_inputs({{"u", -1}, {"v", 3}}), Status::kSuccess) << simulator.message();
    EXPECT_EQ(simulator.value("y"), -3);
    EXPECT_EQ(simulator.value("n"), 1);
    ASSERT_EQ(simulator.advance_to(3), Status::kSuccess) << simulator.message();
    EXPECT_NEAR(simulator.value("x"), 0, 1e-9);
    const double there = simulator.value("x");
    ASSERT_EQ(simulator.set_state(before), Status::kSuccess);
    ASSERT_EQ(simulator.advance_to(2), Status::kSuccess);
    EXPECT_NEAR(simulator.value("x"), 4, 1e-9);
    EXPECT_EQ(simulator.value("n"), 0);
    ASSERT_EQ(simulator.set_state(before), Status::kSuccess);
    ASSERT_EQ(simulator.set_inputs({{"u", -1}, {"v", 3}}), Status::kSuccess);
    ASSERT_EQ(simulator.advance_to(3), Status::kSuccess);
    EXPECT_EQ(simulator.value("x"), there);
    EXPECT_THROW(simulator.set_input("x", 1), UsageError);
    EXPECT_THROW(simulator.set_input("u", NAN), UsageError);
  }
}

// Runs with other signals of the same kind share what is compiled.
TEST(Input, signals_are_no_part_of_what_is_compiled) {
  const CompiledModel compiled(lag_model());
  SimulateOptions options;
  for (double height : {1.0, 2.0, -3.0}) {
    options.inputs = {{"u", {0, 0.5}, {0, height}}};
    const Simulation done = simulate(compiled, options);
    ASSERT_TRUE(done.summary.succeeded()) << done.summary.message;
    // Of the ramp of height 1 in half the time: linear in the height.
    const double x1 = 2 * (0.5 - 1 + std::exp(-0.5));
    EXPECT_NEAR(final_value(done, "x"), height * (1 - (1 - x1) * std::exp(-0.5)), 1e-5);
  }
  EXPECT_EQ(compiled.counters().forms, 1);
  EXPECT_EQ(compiled.counters().modes, 1);
}

std::string refusal(const Model& m, const InputSignal& signal) {
  SimulateOptions options;
  options.inputs = {signal};
  try {
    simulate(m, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Input, what_is_no_signal_is_refused_by_name) {
  Model m = lag_model();
  Variable on;
  on.name = "on", on.kind = VariableKind::kBoolean;
  m.input(on);
  EXPECT_EQ(refusal(m, {"x", {0}, {1}}),
            "model `lag` has no input `x`: its inputs are `u` and `on`");
  EXPECT_EQ(refusal(m, {"u", {0, 2, 1}, {1, 2, 3}}),
            "input `u`: the time 1 stands behind 2: times must ascend");
  EXPECT_EQ(refusal(m, {"u", {0, 1}, {1, NAN}}),
            "input `u`: its value nan at t = 1 is not a finite number");
  EXPECT_EQ(refusal(m, {"u", {0, INFINITY}, {1, 2}}),
            "input `u`: the time inf is not a finite number");
  EXPECT_EQ(refusal(m, {"u", {0, 1}, {1}}), "input `u` has 2 times and 1 values");
  EXPECT_EQ(refusal(m, {"on", {0, 1}, {1, 0.5}}),
            "input `on`: its value 0.5 at t = 1 is neither true nor false");
  EXPECT_EQ(refusal(m, {"u", {0}, {1}}), "accepted");
}

std::string table_refusal(const std::string& text) {
  try {
    read_input_signals(lag_model(), text, "`u.csv`");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(InputTable, cells_are_read_by_the_names_of_their_columns) {
  const auto signals = read_input_signals(
      lag_model(), "time;\"x\";\"u\"\r\n0;text; 1.5\r\n\r\n1e-1;;+2\n", "`u.csv`");
  ASSERT_EQ(signals.size(), 1u);
  EXPECT_EQ(signals[0].name, "u");
  EXPECT_EQ(signals[0].times, (std::vector<double>{0, 0.1}));
  EXPECT_EQ(signals[0].values, (std::vector<double>{1.5, 2}));
}

TEST(InputTable, what_is_no_table_is_refused_by_line_and_column) {
  EXPECT_EQ(table_refusal(""), "`u.csv` is empty");
  EXPECT_EQ(table_refusal(std::string("\0\1\2", 3)),
            "`u.csv` is neither a text nor a MAT file of version 4");
  EXPECT_EQ(table_refusal("time\n0\n"), "`u.csv` has no column but that of `time`");
  EXPECT_EQ(table_refusal("t,u\n0,1\n"), "`u.csv` does not begin with a line of names `time,...`");
  EXPECT_EQ(table_refusal("time,v\n0,1\n"),
            "`u.csv` has no column for an input of model `lag`: `u`");
  EXPECT_EQ(table_refusal("time,u,u\n0,1,1\n"), "`u.csv` has two columns `u`");
  EXPECT_EQ(table_refusal("time,u\n"), "`u.csv` has no rows");
  EXPECT_EQ(table_refusal("time,u\n0,1\n1\n"), "`u.csv`, line 3: 1 cells in place of 2");
  EXPECT_EQ(table_refusal("time,u\n0,1\n1,nan\n"),
            "`u.csv`, line 3: `nan` in column `u` is not a finite number");
  EXPECT_EQ(table_refusal("time,u\n0,1\n1,one\n"),
            "`u.csv`, line 3: `one` in column `u` is not a finite number");
  EXPECT_EQ(table_refusal("time,u\n1,1\n0.5,2\n"),
            "`u.csv`, line 3: the time 0.5 stands behind 1: times must ascend");
  EXPECT_EQ(table_refusal("time,u\n1,1\n2,2\n"), "accepted");
}

// What one run writes, another one reads.
TEST(InputTable, results_are_signals) {
  Trajectory rows({{"x", "", ""}, {"u", "V", "a voltage"}});
  rows.add_row(0, std::vector<double>{1, 2});
  rows.add_row(0.5, std::vector<double>{3, 4});
  rows.add_row(0.5, std::vector<double>{5, 1.0 / 3});
  for (const std::string& text : {to_csv(rows), to_mat(rows)}) {
    const auto signals = read_input_signals(lag_model(), text, "`rows`", Interpolation::kStep);
    ASSERT_EQ(signals.size(), 1u);
    EXPECT_EQ(signals[0].times, (std::vector<double>{0, 0.5, 0.5}));
    EXPECT_EQ(signals[0].values, (std::vector<double>{2, 4, 1.0 / 3}));
    EXPECT_EQ(signals[0].interpolation, Interpolation::kStep);
  }
  const std::string whole = to_mat(rows);
  for (std::size_t size = 28; size < whole.size(); ++size)
    EXPECT_THROW(read_input_signals(lag_model(), whole.substr(0, size), "`rows`"), UsageError)
        << size;
}

}  // namespace
}  // namespace hydae
