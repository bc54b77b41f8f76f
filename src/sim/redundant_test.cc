// Equations that follow from the others, and variables that are free at events, in C++.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/analyze.h>
#include <hydae/dump.h>
#include <hydae/error.h>
#include <hydae/initialize.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

// x' = v - x with v = 4 said twice, and i + j = v - x.
Model sources_side_by_side(double second) {
  Model m("sources");
  const Expr x = m.variable("x"), v = m.variable("v"), i = m.variable("i"), j = m.variable("j");
  m.equation(v == 4.0);
  m.equation(v == second);
  m.equation(der(x) == v - x);
  m.equation(i + j == v - x);
  m.fix(x, 0.0);
  return m;
}

class RedundantEquations : public testing::TestWithParam<Solver> {
 protected:
  static SimulateOptions options(double tolerance) {
    SimulateOptions options;
    options.solver = GetParam();
    options.tolerance = tolerance;
    options.stop = 1;
    return options;
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, RedundantEquations,
                         testing::Values(Solver::kAuto, Solver::kTaylor, Solver::kIda));

// x = 4 (1 - exp(-t)), i = j = 2 exp(-t).
TEST_P(RedundantEquations, dropped_equations_leave_the_solution_as_it_is) {
  const Model model = sources_side_by_side(4);
  for (double tolerance : {1e-4, 1e-6, 1e-9}) {
    SimulateOptions run = options(tolerance);
    run.rules.redundant = Redundant::kDrop;
    const Simulation simulation = simulate(model, run);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    const Trajectory& rows = simulation.trajectory;
    EXPECT_NEAR(rows.series("x").back(), 4 * (1 - std::exp(-1)), 100 * tolerance);
    EXPECT_NEAR(rows.series("i").back(), 2 * std::exp(-1), 100 * tolerance);
    EXPECT_NEAR(rows.series("j").back(), rows.series("i").back(), 1e-12);
    ASSERT_EQ(simulation.summary.dropped_equations.size(), 1u);
    EXPECT_EQ(simulation.summary.dropped_equations.front().equation, "f2");
  }
}

TEST_P(RedundantEquations, is_refused_by_default_and_contradictions_always) {
  try {
    simulate(sources_side_by_side(4), options(1e-6));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().items().front().code, "redundant-equations");
  }
  SimulateOptions run = options(1e-6);
  run.rules.redundant = Redundant::kDrop;
  try {
    simulate(sources_side_by_side(5), run);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().items().back().code, "contradicting-equations");
  }
}

// Levels 3 and 1 on areas 1 and 2 meet at 5/3; if the first is free, the second stays at 1.
TEST_P(RedundantEquations, a_free_variable_gives_way_at_an_event) {
  for (const bool is_free : {false, true}) {
    Model m("tanks");
    const Expr a = m.variable("a"), b = m.variable("b"), q = m.variable("q");
    m.equation(der(a) == -q);
    m.equation(2 * der(b) == q);
    m.equation(select(m.time() < 0.5, q, a - b) == 0.0);
    m.fix(a, 3.0);
    m.fix(b, 1.0);
    if (is_free) m.free_at_events(a);
    for (double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Simulation simulation = simulate(m, options(tolerance));
      ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
      const double level = is_free ? 1.0 : 5.0 / 3;
      EXPECT_NEAR(simulation.trajectory.series("a").back(), level, 10 * tolerance);
      EXPECT_NEAR(simulation.trajectory.series("b").back(), level, 10 * tolerance);
    }
  }
}

// In a frozen graph a new node is an InternalError.
TEST(Analysis, adds_nothing_to_the_graph_of_the_model) {
  Model m("pendulum");
  const Expr x = m.variable("x"), y = m.variable("y"), F = m.variable("F"), z = m.variable("z");
  m.equation(der(x, 2) + x * F == 0);
  m.equation(der(y, 2) + y * F == -9.81);
  m.equation(x * x + y * y == 1);
  m.equation(z == select(x > 0.5, x, abs(y)));
  m.start(x, 1.0);
  m.graph().freeze();
  EXPECT_TRUE(analyze(m, at_initial_point(m)).well_posed);
  EXPECT_FALSE(trace(m, Trace::kPantelides).empty());
  EXPECT_NE(start_program_text(m).find("truth of x > 0.5"), std::string::npos);
  EXPECT_FALSE(taylor_program_text(m).empty());
  EXPECT_FALSE(reduced_system_text(m, at_initial_point(m)).empty());
  EXPECT_FALSE(jacobian_blocks_text(m, 2, at_initial_point(m)).empty());
  EXPECT_TRUE(initialize(m).succeeded());
}

}  // namespace
}  // namespace hydae
