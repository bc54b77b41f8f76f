#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include <hydae/problems.h>

#include "compile/index_reduction.h"
#include "compile/reduced_program.h"
#include "compile/state_selector.h"

namespace hydae {
namespace {

double none(Leaf) { return 0; }

struct Case {
  explicit Case(Model m)
      : model(std::move(m)), prepared(analyze_system(model, start_mode_of(model))) {}
  static std::vector<bool> start_mode_of(const Model& model) { return start_mode(model); }

  // With states chosen at a point.
  ReducedProgram reduced_at(double t, const std::function<double(Leaf)>& value,
                            bool assign = true) {
    parameters = model.parameter_values();
    StateSelector selector(prepared);
    auto selection = selector.select({t, parameters, value, none});
    const ReduceOptions options{.assign = assign, .solve_linear = assign, .parameters = parameters};
    ReducedProgram program(prepared, reduce(prepared, std::move(selection), options), {});
    program.set_fixed(parameters, {});
    return program;
  }

  Model model;
  AnalyzedSystem prepared;
  std::vector<double> parameters;
};

// The exact solution of a problem and its derivatives, as y and y'.
struct ExactPoint {
  ExactPoint(const Case& c, const ReducedProgram& program, const ExactSolution& exact, double t) {
    for (const Unknown& unknown : program.reduced().unknowns) {
      const std::string& name = c.prepared.system.unknown_names[unknown.column];
      y.push_back(exact.value(name, unknown.leaf.order, t));
      yp.push_back(exact.value(name, unknown.leaf.order + 1, t));
    }
  }
  std::vector<double> y, yp;
};

bool covers_all(const Case& c, const ExactSolution& exact) {
  for (const std::string& name : c.prepared.system.unknown_names)
    if (!exact.has(name)) return false;
  return true;
}

// A solution of the equations solves the reduced ones, whatever states were chosen; and from its
// states alone everything else comes back.
TEST(Reduced, exact_solutions_solve_the_reduced_equations) {
  int num_checked = 0;
  for (const Problem* problem : all_problems()) {
    if (!problem->has_exact() || problem->kind() == ProblemKind::kHybrid) continue;
    Case c(problem->make_model());
    const ExactSolution exact = problem->exact_solution();
    if (!c.prepared.structure.is_well_posed || !c.prepared.repairs.empty() ||
        !c.prepared.jacobian.singular_blocks.empty() || !covers_all(c, exact))
      continue;
    const double start = *c.model.experiment.start_time, stop = *c.model.experiment.stop_time;
    const double t = start + 0.37 * (stop - start);
    const auto value = [&](Leaf leaf) {
      const auto column = c.prepared.system.find_column(leaf.variable);
      return exact.value(c.prepared.system.unknown_names[*column], leaf.order, t);
    };
    for (const bool assign : {false, true}) {
      ReducedProgram program = c.reduced_at(t, value, assign);
      ExactPoint point(c, program, exact, t);
      std::vector<double> r(static_cast<std::size_t>(program.size()));
      ASSERT_TRUE(program.residual(t, point.y.data(), point.yp.data(), r.data()))
          << problem->name() << ": " << program.undefined();
      double scale = 1;
      for (double v : point.y) scale = std::max(scale, std::abs(v));
      for (double v : point.yp) scale = std::max(scale, std::abs(v));
      for (double v : r) EXPECT_NEAR(v, 0, 1e-9 * scale * scale) << problem->name();

      std::vector<double> y = point.y, yp = point.yp;
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (program.reduced().unknowns[i].is_state) continue;
        y[i] *= 1 + 1e-6;
      }
      ASSERT_TRUE(program.solve_rest(t, y, yp)) << problem->name();
      for (std::size_t i = 0; i < y.size(); ++i)
        EXPECT_NEAR(y[i], point.y[i], 1e-7 * scale)
            << problem->name() << " " << program.unknown_name(i);
      program.load(t, y, yp);
      for (VarId column : ids<VarId>(c.prepared.system.unknowns.size()))
        for (int order = 0; order <= c.prepared.structure.offsets.d[column]; ++order)
          EXPECT_NEAR(program.value(column, order),
                      value({c.prepared.system.unknowns[column], order}), 1e-6 * scale)
              << problem->name();
    }
    ++num_checked;
  }
  EXPECT_GE(num_checked, 8);
}

// Central differences of step h: error about h^2 and 1e-16 / h, both below 1e-5 of the scale.
TEST(Reduced, jacobian_agrees_with_differences) {
  std::mt19937 random(3);
  for (const char* name : {"pendulum", "chemakzo", "andrews", "transamp", "caraxis"}) {
    Case c(find_problem(name)->make_model());
    std::uniform_real_distribution<double> noise(0.3, 0.6);
    std::map<Leaf, double> values;
    const auto value = [&](Leaf leaf) { return values.emplace(leaf, noise(random)).first->second; };
    ReducedProgram program = c.reduced_at(0.1, value);
    const auto n = static_cast<std::size_t>(program.size());
    std::vector<double> y(n), yp(n), plus(n), minus(n), entries(program.matrix().row().size());
    for (double& v : y) v = noise(random);
    for (double& v : yp) v = noise(random);
    const double cj = 2.5, h = 1e-6;
    // At a point where linear equations hold, as it is linearized.
    ASSERT_TRUE(program.complete(0.1, y, yp)) << name << program.undefined();
    ASSERT_TRUE(program.linearize(0.1, y.data(), yp.data())) << name;
    program.matrix().write(cj, entries.data());
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> column(n, 0.0);
      const auto begin = static_cast<std::size_t>(program.matrix().column_start()[j]);
      const auto end = static_cast<std::size_t>(program.matrix().column_start()[j + 1]);
      for (std::size_t k = begin; k < end; ++k)
        column[static_cast<std::size_t>(program.matrix().row()[k])] = entries[k];
      const auto shifted = [&](double by, std::vector<double>& r) {
        std::vector<double> a = y, b = yp;
        a[j] += by;
        b[j] += cj * by;
        return program.residual(0.1, a.data(), b.data(), r.data());
      };
      ASSERT_TRUE(shifted(h, plus) && shifted(-h, minus));
      for (std::size_t i = 0; i < n; ++i) {
        const double slope = (plus[i] - minus[i]) / (2 * h);
        EXPECT_NEAR(column[i], slope, 1e-5 * (1 + std::abs(slope)))
            << name << " row " << i << " column " << j;
      }
    }
  }
}

// Pendulum: d = (2, 2, 0), c = (0, 0, 2), so f3, f3', f3'' are kept; one of x, y carries the two
// states, the other one is a dummy with both derivatives.
TEST(Reduced, pendulum_takes_the_coordinate_that_moves) {
  Case c(find_problem("pendulum")->make_model());
  const VarId x = *c.model.find_variable("x"), y = *c.model.find_variable("y");
  for (const auto& [at_x, at_y, state] : {std::tuple(0.1, 0.99, x), std::tuple(0.99, 0.1, y)}) {
    const auto value = [&, at_x = at_x, at_y = at_y](Leaf leaf) {
      if (leaf.order > 0) return 0.0;
      return leaf.variable == x ? at_x : leaf.variable == y ? at_y : 0.0;
    };
    const ReducedProgram program = c.reduced_at(0, value);
    EXPECT_EQ(program.reduced().num_states, 2u);
    EXPECT_EQ(program.reduced().unknowns[0].leaf, (Leaf{state, 0}));
    EXPECT_EQ(program.reduced().unknowns[1].leaf, (Leaf{state, 1}));
  }
}

TEST(Reduced, state_select_outweighs_the_better_pivot) {
  for (const StateSelect wish : {StateSelect::kDefault, StateSelect::kPrefer}) {
    Model m("pendulum");
    Variable declared;
    declared.name = "y";
    declared.state_select = wish;
    const Expr x = m.variable("x"), y = m.variable(declared), l = m.variable("lambda");
    m.equation(der(x, 2) + x * l == 0);
    m.equation(der(y, 2) + y * l - 9.81 == 0);
    m.equation(x * x + y * y == 1);
    Case c(std::move(m));
    const auto value = [&](Leaf leaf) {
      return leaf.order > 0 ? 0.0 : leaf.variable.index() == 0 ? 0.28 : 0.96;
    };
    // Where y = 0.96, x is the better state; y is if it is preferred.
    const ReducedProgram program = c.reduced_at(0, value);
    EXPECT_EQ(program.reduced().unknowns[0].leaf.variable.index(),
              wish == StateSelect::kPrefer ? 1u : 0u);
  }
}

// x' = -a, a = 2 b, b = 3 c, c = x + d, d = 1: everything but x is explicit.
TEST(Reduced, explicit_chain_leaves_the_state_alone) {
  Model m("chain");
  const Expr x = m.variable("x"), a = m.variable("a"), b = m.variable("b"), c = m.variable("c"),
             d = m.variable("d");
  m.equation(der(x) == -a);
  m.equation(a == 2 * b);
  m.equation(b == 3 * c);
  m.equation(c == x + d);
  m.equation(d == 1);
  m.fix(x, 0.5);
  Case k(std::move(m));
  ReducedProgram program = k.reduced_at(0, [](Leaf) { return 0.5; });
  EXPECT_EQ(program.size(), 1);
  EXPECT_EQ(program.reduced().assignments.size(), 4u);
  std::vector<double> y{0.5}, yp{0};
  ASSERT_TRUE(program.solve_rest(0, y, yp));
  EXPECT_NEAR(yp[0], -6 * 1.5, 1e-12);
  program.load(0, y, yp);
  EXPECT_NEAR(program.value(VarId(1), 0), 9, 1e-12);
}

// A loop of three linear equations: u + v = x, v + w = 2, w + u = 3 (u = (x + 1)/2). One of them is
// torn, the others follow; the torn one comes from a linear equation, so that nothing but x is
// iterated.
TEST(Reduced, loop_of_three_leaves_no_iterated_unknown) {
  Model m("loop");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v"), w = m.variable("w");
  m.equation(der(x) == -u * u);
  m.equation(u + v == x);
  m.equation(v + w == 2);
  m.equation(w + u == 3);
  m.fix(x, 5.0);
  Case k(std::move(m));
  ReducedProgram program = k.reduced_at(0, [](Leaf) { return 1.0; });
  EXPECT_EQ(program.size(), 2);
  EXPECT_EQ(program.num_iterated(), 1);
  std::vector<double> y{5, 0}, yp{0, 0};
  ASSERT_TRUE(program.complete(0, y, yp));
  program.load(0, y, yp);
  EXPECT_NEAR(program.value(VarId(1), 0), 3, 1e-12);
  EXPECT_NEAR(program.value(VarId(2), 0), 2, 1e-12);
  EXPECT_NEAR(program.value(VarId(3), 0), 0, 1e-12);
}

// z_i + x/100 * sum of all z = i, i = 1 .. n: with s = sum z, s (1 + n x/100) = n (n + 1)/2, and
// z_i = i - x s/100. Every equation contains every unknown, with coefficients that depend on x.
Model full_loop(int n, bool is_nonlinear) {
  Model m("full_loop");
  const Expr x = m.variable("x");
  const std::vector<Expr> z = m.variables("z", n);
  Expr sum = z[0];
  for (int i = 1; i < n; ++i) sum += z[i];
  for (int i = 0; i < n; ++i) m.equation(z[i] + x / 100 * sum == i + 1.0);
  m.equation(is_nonlinear ? der(x) + sin(der(x)) == -x : der(x) == -z[0]);
  m.fix(x, 2.0);
  return m;
}

TEST(Reduced, linear_loop_of_any_coefficients_leaves_no_iterated_unknown) {
  for (const int n : {3, 50})
    for (const bool is_nonlinear : {false, true}) {
      Case k(full_loop(n, is_nonlinear));
      ReducedProgram program = k.reduced_at(0, [](Leaf) { return 1.0; });
      EXPECT_EQ(program.num_iterated(), 1) << n;
      EXPECT_EQ(program.reduced().is_ode, !is_nonlinear);
      std::vector<double> y(static_cast<std::size_t>(program.size()), 0.0), yp(y.size(), 0.0);
      y[0] = 2;
      ASSERT_TRUE(program.complete(0, y, yp));
      program.load(0, y, yp);
      const double sum = 0.5 * n * (n + 1) / (1 + 0.02 * n);
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(program.value(VarId(static_cast<std::size_t>(i + 1)), 0), i + 1 - 0.02 * sum,
                    1e-12 * n * n);
      if (!is_nonlinear) {
        EXPECT_NEAR(yp[0], 0.02 * sum - 1, 1e-12 * n * n);
      }
    }
}

// The mass matrix (2, x; x, 3) of x'' and y'' gives an ODE with the four states and two chains:
// 2 a + x b = -x, x a + 3 b = -y, at x = 1, y = 2: a = -1/5, b = -3/5.
TEST(Reduced, mass_matrix_is_an_ode) {
  Model m("masses");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(2 * der(x, 2) + x * der(y, 2) == -x);
  m.equation(x * der(x, 2) + 3 * der(y, 2) == -y);
  Case k(std::move(m));
  ReducedProgram program = k.reduced_at(0, [](Leaf) { return 1.0; });
  ASSERT_TRUE(program.reduced().is_ode);
  ASSERT_EQ(program.num_iterated(), 4);
  std::vector<double> state(4), rates(4);
  const auto at = [&](std::size_t variable, int order) {
    return program.reduced().place(VarId(variable), order).index;
  };
  state[at(0, 0)] = 1;
  state[at(0, 1)] = 7;
  state[at(1, 0)] = 2;
  state[at(1, 1)] = 8;
  ASSERT_TRUE(program.derivatives(0, state.data(), rates.data()));
  EXPECT_EQ(rates[at(0, 0)], 7);
  EXPECT_EQ(rates[at(1, 0)], 8);
  EXPECT_NEAR(rates[at(0, 1)], -0.2, 1e-15);
  EXPECT_NEAR(rates[at(1, 1)], -0.6, 1e-15);
  // The matrix of Newton's iteration: (I - J / cj) d = b with J by differences of derivatives().
  ASSERT_TRUE(program.linearize(0, state.data(), rates.data()));
  const double cj = 3;
  std::vector<double> values(program.matrix().row().size()), d{0.3, -0.2, 0.5, 0.1}, product(4),
      image(4);
  program.matrix().write(cj, values.data());
  for (std::size_t j = 0; j < 4; ++j)
    for (int e = program.matrix().column_start()[j]; e < program.matrix().column_start()[j + 1];
         ++e)
      product[static_cast<std::size_t>(program.matrix().row()[static_cast<std::size_t>(e)])] +=
          values[static_cast<std::size_t>(e)] * d[j];
  const double h = 1e-6;
  std::vector<double> plus(4), minus(4), b(4), moved(4);
  for (std::size_t i = 0; i < 4; ++i) moved[i] = state[i] + h * d[i];
  ASSERT_TRUE(program.derivatives(0, moved.data(), plus.data()));
  for (std::size_t i = 0; i < 4; ++i) moved[i] = state[i] - h * d[i];
  ASSERT_TRUE(program.derivatives(0, moved.data(), minus.data()));
  for (std::size_t i = 0; i < 4; ++i) b[i] = d[i] - (plus[i] - minus[i]) / (2 * h) / cj;
  program.matrix().mass_times(b.data(), image.data());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(product[i], cj * image[i], 1e-8);
}

// u + v = x, u + x v = 2 is singular at x = 1.
TEST(Reduced, singular_linear_equations_are_named_with_their_condition) {
  Model m("singular");
  const Expr x = m.variable("x"), u = m.variable("u"), v = m.variable("v");
  m.equation(der(x) == u);
  m.equation(u + v == x);
  m.equation(u + x * v == 2);
  m.fix(x, 2.0);
  Case k(std::move(m));
  ReducedProgram program = k.reduced_at(0, [](Leaf) { return 2.0; });
  ASSERT_TRUE(program.reduced().is_ode);
  std::vector<double> y(static_cast<std::size_t>(program.size()), 0.0), yp(y.size(), 0.0);
  y[0] = 1;  // u + v = 1, u + v = 2
  EXPECT_FALSE(program.complete(0, y, yp));
  EXPECT_TRUE(program.undefined().starts_with("the linear equations for `")) << program.undefined();
  EXPECT_NE(program.undefined().find("` are singular (condition "), std::string::npos)
      << program.undefined();
  y[0] = 3;  // u + v = 3, u + 3 v = 2: v = -1/2
  ASSERT_TRUE(program.complete(0, y, yp));
  program.load(0, y, yp);
  EXPECT_NEAR(program.value(VarId(2), 0), -0.5, 1e-15);
  EXPECT_NEAR(program.value(VarId(1), 0), 3.5, 1e-15);
}

// A coefficient that is a parameter of value zero is no pivot.
TEST(Reduced, vanishing_parameter_is_not_divided_by) {
  Model m("zero");
  const Expr p = m.parameter("p", 0.0), x = m.variable("x"), u = m.variable("u"),
             v = m.variable("v");
  m.equation(der(x) == u);
  m.equation(p * u + v == x);
  m.equation(u == v);
  m.fix(x, 2.0);
  Case k(std::move(m));
  ReducedProgram program = k.reduced_at(0, [](Leaf) { return 1.0; });
  std::vector<double> y(static_cast<std::size_t>(program.size()), 2.0), yp(y.size(), 0.0);
  ASSERT_TRUE(program.solve_rest(0, y, yp));
  program.load(0, y, yp);
  EXPECT_NEAR(program.value(VarId(1), 0), 2, 1e-12);
}

}  // namespace
}  // namespace hydae
