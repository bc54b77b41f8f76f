// Models with functions that exist as code only, against the same models in formulas or their exact
// solutions.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

using In = std::span<const double>;
using Out = std::span<double>;

Simulation run(const Model& model, double stop, double tolerance = 1e-8,
               Solver solver = Solver::kAuto) {
  SimulateOptions options;
  options.stop = stop;
  options.tolerance = tolerance;
  options.points = 11;
  options.solver = solver;
  return simulate(model, options);
}

double last(const Simulation& simulation, const std::string& name) {
  return simulation.trajectory.series(name).back();
}

Function code(std::string name, int num_inputs, int num_outputs,
              std::function<void(In, Out)> evaluate) {
  Function function;
  function.name = std::move(name);
  function.num_inputs = num_inputs;
  function.num_outputs = num_outputs;
  function.evaluate = std::move(evaluate);
  return function;
}

// Global errors of these short, well conditioned runs: at most ten times the tolerance.
constexpr double kError = 1e-7;

// x' = -2 x, the right hand side as code: exp(-2 t).
TEST(MixedModel, a_right_hand_side_as_code_runs_by_ida_of_its_own_accord) {
  Model m("decay");
  const Expr x = m.variable("x");
  const FunctionId f = m.function(code("rate", 1, 1, [](In in, Out out) { out[0] = -2 * in[0]; }));
  m.equation(der(x) == m.call(f, std::span(&x, 1)));
  m.fix(x, 1.0);
  const Simulation simulation = run(m, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.solver, "ida");
  EXPECT_NE(simulation.summary.solver_choice.find("code"), std::string::npos);
  EXPECT_NEAR(last(simulation, "x"), std::exp(-2.0), kError);
}

// (x, y)' = A (x, y), A = ((0, 1), (-1, 0)): x = cos t, y = -sin t. One function of two inputs and
// two outputs; with a Jacobian of its own no differences are taken, so it is called less.
TEST(MixedModel, several_outputs_and_a_jacobian_of_the_user) {
  for (const bool has_jacobian : {false, true}) {
    Model m("rotation");
    const std::vector<Expr> z = {m.variable("x"), m.variable("y")};
    long calls = 0, jacobians = 0;
    Function rotation = code("rotation", 2, 2, [&](In in, Out out) {
      ++calls;
      out[0] = in[1];
      out[1] = -in[0];
    });
    if (has_jacobian)
      rotation.jacobian = [&](In, Out j) {
        ++jacobians;
        j[0] = j[3] = 0;
        j[1] = 1;
        j[2] = -1;
      };
    const FunctionId f = m.function(rotation);
    m.equation(der(z[0]) == m.call(f, z, 0));
    m.equation(der(z[1]) == m.call(f, z, 1));
    m.fix(z[0], 1.0);
    m.fix(z[1], 0.0);
    const Simulation simulation = run(m, 3);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    EXPECT_NEAR(last(simulation, "x"), std::cos(3.0), kError);
    EXPECT_NEAR(last(simulation, "y"), -std::sin(3.0), kError);
    // Both outputs of a point come from one call: at most one per residual and per Jacobian, plus
    // four differences per Jacobian without the user's.
    EXPECT_EQ(jacobians > 0, has_jacobian);
    EXPECT_GT(calls, 0);
  }
}

// w = cos(x + w / 2) is an algebraic loop through code; x' = -w. The same in formulas, by the
// Taylor method, is the reference.
TEST(MixedModel, algebraic_loops_through_code_are_solved) {
  const auto make = [](bool as_code) {
    Model m("loop");
    const Expr x = m.variable("x"), w = m.variable("w");
    const FunctionId f =
        m.function(code("cosine", 1, 1, [](In in, Out out) { out[0] = std::cos(in[0]); }));
    const Expr u = x + w / 2;
    m.equation(w == (as_code ? m.call(f, std::span(&u, 1)) : cos(u)));
    m.equation(der(x) == -w);
    m.fix(x, 1.0);
    return m;
  };
  const Simulation mixed = run(make(true), 2), formulas = run(make(false), 2, 1e-12);
  ASSERT_TRUE(mixed.summary.succeeded()) << mixed.summary.message;
  EXPECT_NEAR(last(mixed, "x"), last(formulas, "x"), kError);
  EXPECT_NEAR(last(mixed, "w"), last(formulas, "w"), kError);
}

// A group of code with a state of its own, 0 = H(x1', x1, u1) = x1' + x1 - u1 and
// y1 = L(x1', x1, u1) = 2 x1, against formulas x2' = y1 - 3 x2, u1 = x2. x1' = -x1 + x2 and
// x2' = 2 x1 - 3 x2 have the matrix ((-1, 1), (2, -3)) with the eigenvalues -2 +- sqrt(3); from
// (1, 0): x1 = e^(-2t) (cosh st + sinh st / s), s = sqrt(3).
TEST(MixedModel, groups_of_code_with_states_of_their_own) {
  Model m("group");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), u1 = m.variable("u1"),
             y1 = m.variable("y1");
  const FunctionId H =
      m.function(code("H", 3, 1, [](In in, Out out) { out[0] = in[0] + in[1] - in[2]; }));
  const FunctionId L = m.function(code("L", 3, 1, [](In in, Out out) { out[0] = 2 * in[1]; }));
  const std::vector<Expr> inputs = {der(x1), x1, u1};
  m.equation(m.call(H, inputs) == 0);
  m.equation(y1 == m.call(L, inputs));
  m.equation(der(x2) == y1 - 3 * x2);
  m.equation(u1 == x2);
  m.fix(x1, 1.0);
  m.fix(x2, 0.0);
  const Simulation simulation = run(m, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  const double s = std::sqrt(3.0);
  EXPECT_NEAR(last(simulation, "x1"), std::exp(-2.0) * (std::cosh(s) + std::sinh(s) / s), kError);
}

// x' = -r(x) with r the square root, which is undefined below zero: x = (1 - t/2)^2. Up to t = 1.9
// predictions go below zero now and then; the step is then tried again, shorter.
TEST(MixedModel, where_code_is_undefined_the_step_is_tried_shorter) {
  Model m("emptying");
  const Expr x = m.variable("x");
  const FunctionId r = m.function(code("root", 1, 1, [](In in, Out out) {
    if (in[0] < 0) throw std::domain_error("below zero");
    out[0] = std::sqrt(in[0]);
  }));
  m.equation(der(x) == -m.call(r, std::span(&x, 1)));
  m.fix(x, 1.0);
  const Simulation simulation = run(m, 1.9);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(last(simulation, "x"), 0.05 * 0.05, kError);
}

TEST(MixedModel, failing_code_is_named_with_its_arguments) {
  for (const bool throws : {false, true}) {
    Model m("breaking");
    const Expr x = m.variable("x"), t = m.time();
    const FunctionId f = m.function(code("broken", 1, 1, [throws](In in, Out out) {
      if (in[0] > 0.5 && throws) throw std::runtime_error("out of range");
      out[0] = in[0] > 0.5 ? std::nan("") : 1.0;
    }));
    m.equation(der(x) == m.call(f, std::span(&t, 1)));
    m.fix(x, 0.0);
    const Simulation simulation = run(m, 1);
    EXPECT_EQ(simulation.summary.status, Status::kUndefinedFunction);
    EXPECT_NE(simulation.summary.message.find("broken(0.5"), std::string::npos)
        << simulation.summary.message;
    EXPECT_NE(simulation.summary.message.find(throws ? "out of range" : "returns nan"),
              std::string::npos)
        << simulation.summary.message;
    EXPECT_NEAR(simulation.summary.t_end, 0.5, 1e-6);  // what was reached is kept
  }
}

Model pendulum(bool as_code) {
  Model m("pendulum");
  const std::vector<Expr> p = {m.variable("x"), m.variable("y")};
  const Expr l = m.variable("lambda");
  const FunctionId f = m.function(code(
      "square_of_length", 2, 1, [](In in, Out out) { out[0] = in[0] * in[0] + in[1] * in[1]; }));
  m.equation(der(p[0], 2) + p[0] * l == 0);
  m.equation(der(p[1], 2) + p[1] * l == -1);
  m.equation((as_code ? m.call(f, p) : p[0] * p[0] + p[1] * p[1]) == 1);
  m.fix(p[0], 0.6);
  m.start(p[1], -0.8);
  m.fix(der(p[0]), 0.0);
  m.start(der(p[1]), 0.0);
  m.start(l, 0.8);
  return m;
}

// The constraint is code and must be differentiated twice: by first and second differences, good to
// seven digits, which enter the acceleration. At tolerance 1e-6 they do not show; the constraint
// itself is met as Newton's iteration meets it.
TEST(MixedModel, a_constraint_as_code_is_differentiated_by_differences) {
  const Simulation mixed = run(pendulum(true), 3, 1e-6), formulas = run(pendulum(false), 3, 1e-12);
  ASSERT_TRUE(mixed.summary.succeeded()) << mixed.summary.message;
  EXPECT_NEAR(last(mixed, "x"), last(formulas, "x"), 1e-5);
  EXPECT_NEAR(last(mixed, "y"), last(formulas, "y"), 1e-5);
  const auto x = mixed.trajectory.series("x"), y = mixed.trajectory.series("y");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k] * x[k] + y[k] * y[k], 1, 1e-6) << k;
}

// y1' = y2, y2' = y3, y3' = u with g(y1) = sin t: the constraint must be differentiated three
// times.
TEST(MixedModel, a_third_differentiation_is_refused) {
  Model m("deep");
  const std::vector<Expr> y = m.variables("y", 3);
  const Expr u = m.variable("u");
  const FunctionId g = m.function(code("g", 1, 1, [](In in, Out out) { out[0] = 2 * in[0]; }));
  m.equation(der(y[0]) == y[1]);
  m.equation(der(y[1]) == y[2]);
  m.equation(der(y[2]) == u);
  m.equation(m.call(g, std::span(&y[0], 1)) == sin(m.time()), "path");
  try {
    run(m, 1);
    FAIL() << "not refused";
  } catch (const ModelError& error) {
    ASSERT_EQ(error.diagnostics().items().size(), 1u);
    EXPECT_EQ(error.diagnostics().items()[0].code, "external-too-deep");
    EXPECT_EQ(error.diagnostics().items()[0].message,
              "equation `path` must be differentiated 3 times, but contains a function that exists "
              "as code only");
  }
}

}  // namespace
}  // namespace hydae
