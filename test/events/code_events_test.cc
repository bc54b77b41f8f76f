// Models with events and functions that exist as code only, each against the same model in
// formulas, which the Taylor method runs at a tight tolerance: the same events, the same values.
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include <hydae/error.h>
#include <hydae/simulate.h>

#include "problems/notation.h"

namespace hydae {
namespace {

using namespace problems;
using In = std::span<const double>;
using Out = std::span<double>;

constexpr double kTolerance = 1e-8;
// Global errors of these short, well conditioned runs; two events may lie in the way.
constexpr double kError = 100 * kTolerance;

enum class As { kFormulas, kCode, kCodeWithJacobian };

Function code(std::string name, int num_inputs, std::function<double(In)> value) {
  Function function;
  function.name = std::move(name);
  function.num_inputs = num_inputs;
  function.evaluate = [value = std::move(value)](In in, Out out) { out[0] = value(in); };
  return function;
}

// One function of one argument in its three forms.
struct Sample {
  std::string name;
  std::function<Expr(const Expr&)> formula;
  std::function<double(double)> value, slope;
};

Expr apply(Model& m, As as, const Sample& sample, const Expr& argument) {
  if (as == As::kFormulas) return sample.formula(argument);
  Function function = code(sample.name, 1, [value = sample.value](In in) { return value(in[0]); });
  if (as == As::kCodeWithJacobian)
    function.jacobian = [slope = sample.slope](In in, Out out) { out[0] = slope(in[0]); };
  return m.call(m.function(function), std::span(&argument, 1));
}

const Sample kDrag{"drag", [](const Expr& v) { return 0.2 * v * (1 + 0.1 * v * v); },
                   [](double v) { return 0.2 * v * (1 + 0.1 * v * v); },
                   [](double v) { return 0.2 + 0.06 * v * v; }};
const Sample kSine{"sine", [](const Expr& x) { return sin(x); },
                   [](double x) { return std::sin(x); }, [](double x) { return std::cos(x); }};
const Sample kGrowth{"growth", [](const Expr& x) { return exp(x) - 1; },
                     [](double x) { return std::exp(x) - 1; },
                     [](double x) { return std::exp(x); }};

Simulation run(const Model& model, double stop, double tolerance, Solver solver) {
  SimulateOptions options;
  options.stop = stop;
  options.tolerance = tolerance;
  options.points = 7;
  options.solver = solver;
  return simulate(model, options);
}

void expect_same(const Simulation& found, const Simulation& expected, double error) {
  ASSERT_TRUE(expected.summary.succeeded()) << expected.summary.message;
  ASSERT_TRUE(found.summary.succeeded()) << found.summary.message;
  EXPECT_EQ(found.summary.solver, "ida");
  const auto &events = found.summary.events, &reference = expected.summary.events;
  ASSERT_EQ(events.size(), reference.size());
  for (std::size_t k = 0; k < events.size(); ++k) {
    EXPECT_NEAR(events[k].t, reference[k].t, error) << "event " << k;
    EXPECT_EQ(events[k].kind, reference[k].kind);
    EXPECT_EQ(events[k].from_mode, reference[k].from_mode);
    EXPECT_EQ(events[k].to_mode, reference[k].to_mode);
    EXPECT_EQ(events[k].jumps.size(), reference[k].jumps.size());
    ASSERT_EQ(events[k].impulses.size(), reference[k].impulses.size());
    for (std::size_t i = 0; i < reference[k].impulses.size(); ++i) {
      const Impulse &impulse = events[k].impulses[i], &exact = reference[k].impulses[i];
      EXPECT_EQ(impulse.variable, exact.variable);
      EXPECT_EQ(impulse.order, exact.order);
      EXPECT_NEAR(impulse.weight, exact.weight, error * std::max(1.0, std::abs(exact.weight)));
    }
  }
  for (const Column& column : expected.trajectory.columns()) {
    const std::string& name = column.name;
    const auto values = found.trajectory.series(name), exact = expected.trajectory.series(name);
    ASSERT_EQ(values.size(), exact.size());
    for (std::size_t k = 0; k < exact.size(); ++k)
      EXPECT_NEAR(values[k], exact[k], error * std::max(1.0, std::abs(exact[k])))
          << name << " at point " << k;
  }
}

using Make = std::function<void(Model& m, As as)>;

Model made(const Make& make, As as) {
  Model m("model");
  make(m, as);
  return m;
}

void expect_code_like_formulas(const Make& make, double stop, double error = kError) {
  const Simulation formulas = run(made(make, As::kFormulas), stop, 1e-12, Solver::kTaylor);
  for (const As as : {As::kCode, As::kCodeWithJacobian})
    for (const Solver solver : {Solver::kAuto, Solver::kIda}) {
      const Simulation found = run(made(make, as), stop, kTolerance, solver);
      expect_same(found, formulas, error);
      if (solver == Solver::kAuto) {
        EXPECT_NE(found.summary.solver_choice.find("code"), std::string::npos);
      }
    }
}

// A ball that falls through air: two bounces, in which the speed is set.
TEST(CodeEvents, reinit) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr h = m.variable("h"), v = m.variable("v");
        m.equation(der(h) == v);
        m.equation(der(v) == -9.81 - apply(m, as, kDrag, v));
        m.when(when({h <= 0}, {reinit(v, -0.7 * pre(v))}));
        m.fix(h, 1), m.fix(v, 0);
      },
      1.2);
}

// The relation itself is code: it holds whenever sin(x) > 1/2.
TEST(CodeEvents, zero_crossings) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr x = m.variable("x"), n = integer(m, "n", 0);
        m.equation(der(x) == 1 + 0.1 * x);
        m.when(when({apply(m, as, kSine, x) > 0.5}, {assign(n, pre(n) + 1)}));
        m.fix(x, 0);
      },
      5);
}

// In one branch only; it is left and entered again.
TEST(CodeEvents, branches) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr x = m.variable("x"), v = m.variable("v");
        m.equation(der(x) == v);
        m.equation(der(v) == select(x > 0.3, -2 * x - apply(m, as, kGrowth, x), -x));
        m.fix(x, 1), m.fix(v, 0);
      },
      8);
}

// A diode as code in a loop with a resistor, behind a switch that depends on the loop.
TEST(CodeEvents, loops_with_switches) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr u = m.variable("u"), i = m.variable("i"), q = m.variable("q");
        const Expr closed = u > 0;
        m.equation(sin(3 * m.time()) == u + 0.5 * i + q);
        m.equation(i == select(closed, apply(m, as, kGrowth, u), 0.1 * u));
        m.equation(der(q) == i);
        m.start(u, 0.1), m.start(i, 0.1), m.fix(q, -0.2);
      },
      4);
}

// g(x) = sin t ties x' = y + s to the input y (index 2); s switches, so y jumps.
TEST(CodeEvents, constraints_of_index_2) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
        m.equation(der(x) == y + select(x > 0.4, 1, 0.5));
        m.equation(apply(m, as, kGrowth, x) == sin(m.time()));
        m.equation(der(z) == y);
        m.start(x, 0.0), m.fix(z, 0);
      },
      3);
}

// A pendulum whose rod is a constraint as code (index 3), pushed whenever it passes x = 0.
TEST(CodeEvents, constraints_of_index_3) {
  const auto make = [](Model& m, As as) {
    const std::vector<Expr> p = {m.variable("x"), m.variable("y")};
    const Expr l = m.variable("lambda");
    Function square = code("square", 2, [](In in) { return in[0] * in[0] + in[1] * in[1]; });
    if (as == As::kCodeWithJacobian)
      square.jacobian = [](In in, Out out) { out[0] = 2 * in[0], out[1] = 2 * in[1]; };
    m.equation(der(p[0], 2) + p[0] * l == select(p[0] > 0, 0.5, -0.5));
    m.equation(der(p[1], 2) + p[1] * l == -1);
    m.equation((as == As::kFormulas ? p[0] * p[0] + p[1] * p[1] : m.call(m.function(square), p)) ==
               1);
    m.fix(p[0], 0.6), m.start(p[1], -0.8);
    m.fix(der(p[0]), 0.0), m.start(der(p[1]), 0.0), m.start(l, 0.8);
  };
  // Second differences of values have seven digits, and enter the accelerations.
  expect_code_like_formulas(make, 5, 1e-5);
}

// Impulses: a mass m1 that is caught by another one, v1 = v2 from then on, with code as friction.
TEST(CodeEvents, impulses_next_to_code) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr x = m.variable("x"), v = m.variable("v"), w = m.variable("w"),
                   F = m.variable("F"), caught = boolean(m, "caught", false);
        m.equation(der(x) == v - w);
        m.equation(2 * der(v) == -F - apply(m, as, kDrag, v));
        m.equation(der(w) == F);
        m.equation(select(caught, v - w, F) == 0);
        m.when(when({x >= 1}, {assign(caught, Expr(1) > 0)}));
        m.fix(x, 0), m.fix(v, 1), m.fix(w, 0);
      },
      3);
}

// x jumps from 0 to 1 at t = 1/2, so x'' = k F is the derivative of an impulse, and what k = sin(1
// + t) makes of it depends on its slope: k delta' = k(1/2) delta' - k'(1/2) delta, hence F = a
// delta' + b delta with a = 1/k and b = k'/k^2.
TEST(CodeEvents, derivatives_of_impulses_times_code) {
  const auto make = [](Model& m, As as) {
    const Expr x = m.variable("x"), y = m.variable("y"), F = m.variable("F");
    m.equation(der(y) == 1);
    m.equation(der(x, 2) == apply(m, as, kSine, y) * F);
    m.equation(x == select(m.time() > 0.5, 1, 0));
    m.fix(y, 1);
  };
  expect_code_like_formulas(make, 1);
  const Simulation found = run(made(make, As::kCode), 1, kTolerance, Solver::kAuto);
  std::map<int, double> weights;
  for (const Impulse& impulse : found.summary.events.at(0).impulses)
    if (impulse.variable == "F") weights[impulse.order] = impulse.weight;
  const double k = std::sin(1.5), slope = std::cos(1.5);
  EXPECT_NEAR(weights[1], 1 / k, kError);
  EXPECT_NEAR(weights[0], slope / (k * k), kError);
}

// Sliding: x' = -sign(x) (2 + ...) pushes x to zero, where it stays while y moves on.
TEST(CodeEvents, sliding) {
  expect_code_like_formulas(
      [](Model& m, As as) {
        const Expr x = m.variable("x"), y = m.variable("y");
        m.equation(der(x) == select(x > 0, -2, 2) + apply(m, as, kSine, y));
        m.equation(der(y) == 1 + x);
        m.fix(x, 1), m.fix(y, 0);
      },
      4);
}

// What happens at an event may be code although the rest is not: it is evaluated there, and the
// Taylor method stays.
TEST(CodeEvents, code_at_events_only_needs_no_other_solver) {
  Model m("counter");
  const Expr x = m.variable("x"), n = discrete(m, "n", 1);
  const FunctionId f = m.function(code("next", 1, [](In in) { return 2 * in[0] + 1; }));
  const Expr before = pre(n);
  m.equation(der(x) == cos(m.time()));
  m.when(when({x > 0.5}, {assign(n, m.call(f, std::span(&before, 1)))}));
  m.fix(x, 0);
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor}) {
    const Simulation simulation = run(m, 10, kTolerance, solver);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    EXPECT_EQ(simulation.summary.solver, "taylor");
    EXPECT_EQ(simulation.trajectory.series("n").back(), 7);  // at pi/6 and 2 pi + pi/6
  }
}

TEST(CodeEvents, the_taylor_method_refuses_code_by_name) {
  Model m("model");
  const Expr x = m.variable("x");
  m.equation(der(x) == 1);
  m.when(when({apply(m, As::kCode, kSine, x) > 0.5}, {reinit(x, 0)}));
  m.fix(x, 0);
  try {
    run(m, 1, kTolerance, Solver::kTaylor);
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().items().size(), 1u);
    EXPECT_EQ(error.diagnostics().items()[0].code, "not-for-taylor");
    EXPECT_EQ(error.diagnostics().items()[0].message,
              "function `sine` exists as code only: no Taylor series can be made of it");
  }
}

// x' = -root(x) with an event at x = 1/100, shortly before the edge of the domain; then x is set
// back to 1. sqrt(x) = 1 - t/2 until the event at t = 1.8.
TEST(CodeEvents, events_next_to_the_edge_of_the_domain) {
  Model m("emptying");
  const Expr x = m.variable("x"), n = integer(m, "n", 0);
  const FunctionId root = m.function(code("root", 1, [](In in) {
    if (in[0] < 0) throw std::domain_error("below zero");
    return std::sqrt(in[0]);
  }));
  m.equation(der(x) == -m.call(root, std::span(&x, 1)));
  m.when(when({x < 0.01}, {reinit(x, 1), assign(n, pre(n) + 1)}));
  m.fix(x, 1);
  const Simulation simulation = run(m, 4, kTolerance, Solver::kAuto);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.trajectory.series("n").back(), 2);
  EXPECT_NEAR(simulation.trajectory.series("x").back(), std::pow(1 - 0.2, 2), kError);
}

// Undefined beyond t = 1/2, shortly after an event at 0.49: the run ends there and says why.
TEST(CodeEvents, failing_code_is_named_with_its_arguments) {
  for (const bool throws : {false, true}) {
    Model m("breaking");
    const Expr x = m.variable("x"), t = m.time();
    const FunctionId f = m.function(code("broken", 1, [throws](In in) {
      if (in[0] > 0.5 && throws) throw std::runtime_error("out of range");
      return in[0] > 0.5 ? std::nan("") : 1.0;
    }));
    m.equation(der(x) == m.call(f, std::span(&t, 1)));
    m.when(when({x > 0.49}, {reinit(x, 0)}));
    m.fix(x, 0.0);
    const Simulation simulation = run(m, 1, kTolerance, Solver::kAuto);
    const std::string& message = simulation.summary.message;
    EXPECT_EQ(simulation.summary.status, Status::kUndefinedFunction);
    EXPECT_NE(message.find("broken(0.5"), std::string::npos) << message;
    EXPECT_NE(message.find(throws ? "out of range" : "returns nan"), std::string::npos) << message;
    EXPECT_NEAR(simulation.summary.t_end, 0.5, 1e-6);  // what was reached is kept
    EXPECT_EQ(simulation.summary.events.size(), 1u);
  }
}

// Already at the start: initialization says so.
TEST(CodeEvents, code_that_fails_at_the_start_is_named) {
  Model m("failing");
  const Expr x = m.variable("x"), w = m.variable("w");
  const FunctionId f =
      m.function(code("broken", 1, [](In) -> double { throw std::runtime_error("not today"); }));
  m.equation(der(x) == w);
  m.equation(w == m.call(f, std::span(&x, 1)), "law");
  m.when(when({x > 0.5}, {reinit(x, 0)}));
  m.fix(x, 0.25);
  const Simulation simulation = run(m, 1, kTolerance, Solver::kAuto);
  EXPECT_EQ(simulation.summary.status, Status::kInitializationFailed);
  EXPECT_NE(simulation.summary.message.find("`law` is not defined"), std::string::npos);
  EXPECT_NE(simulation.summary.message.find("broken(0.25): not today"), std::string::npos)
      << simulation.summary.message;
}

// y1' = y2, y2' = y3, y3' = u with g(y1) = sin t must be differentiated three times.
TEST(CodeEvents, a_third_differentiation_is_refused) {
  Model m("deep");
  const std::vector<Expr> y = m.variables("y", 3);
  const Expr u = m.variable("u");
  m.equation(der(y[0]) == y[1] + select(m.time() > 0.5, 1, 0));
  m.equation(der(y[1]) == y[2]);
  m.equation(der(y[2]) == u);
  m.equation(apply(m, As::kCode, kSine, y[0]) == sin(m.time()), "path");
  try {
    run(m, 1, kTolerance, Solver::kAuto);
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().items().size(), 1u);
    EXPECT_EQ(error.diagnostics().items()[0].code, "external-too-deep");
  }
}

}  // namespace
}  // namespace hydae
