#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include <hydae/problems.h>

#include "compile/reduced.h"
#include "compile/reduced_program.h"
#include "compile/state_selector.h"

namespace hydae {
namespace {

double none(Leaf) { return 0; }

struct Case {
  explicit Case(Model m) : model(std::move(m)), prepared(prepare(model, start_mode_of(model))) {}
  static std::vector<bool> start_mode_of(const Model& model) { return start_mode(model); }

  // With states chosen at a point.
  ReducedProgram reduced_at(double t, const std::function<double(Leaf)>& value,
                            bool assign = true) {
    parameters = model.parameter_values();
    StateSelector selector(prepared);
    auto selection = selector.select({t, parameters, value, none});
    ReducedProgram program(prepared, reduce(prepared, std::move(selection), {assign, parameters}),
                           {});
    program.set_fixed(parameters, {});
    return program;
  }

  Model model;
  Prepared prepared;
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
    std::vector<double> y(n), yp(n), plus(n), minus(n), entries(program.row().size());
    for (double& v : y) v = noise(random);
    for (double& v : yp) v = noise(random);
    const double cj = 2.5, h = 1e-6;
    ASSERT_TRUE(program.jacobian(0.1, cj, y.data(), yp.data(), entries.data())) << name;
    for (std::size_t j = 0; j < n; ++j) {
      std::vector<double> column(n, 0.0);
      const auto begin = static_cast<std::size_t>(program.column_start()[j]);
      const auto end = static_cast<std::size_t>(program.column_start()[j + 1]);
      for (std::size_t k = begin; k < end; ++k)
        column[static_cast<std::size_t>(program.row()[k])] = entries[k];
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
// torn, the others follow.
TEST(Reduced, loop_is_torn_at_one_unknown) {
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
  std::vector<double> y{5, 0}, yp{0, 0};
  ASSERT_TRUE(program.solve_rest(0, y, yp));
  program.load(0, y, yp);
  EXPECT_NEAR(program.value(VarId(1), 0), 3, 1e-12);
  EXPECT_NEAR(program.value(VarId(2), 0), 2, 1e-12);
  EXPECT_NEAR(program.value(VarId(3), 0), 0, 1e-12);
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
