#include "sim/run_start.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// BDF on a smooth model has no use for series: none are made.
TEST(RunStart, a_smooth_model_starts_by_bdf_at_its_point) {
  Model m("smooth");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -y);
  m.equation(y == 3 * x);
  m.fix(x, 2);
  ActiveRun run(m, solved_by(Solver::kIda));
  EXPECT_FALSE(run.choice.has_series());
  EXPECT_NE(run.active.bdf(), nullptr);
  EXPECT_EQ(run.active.committed().solution, nullptr);
  EXPECT_EQ(run.active.time(), 0);
  EXPECT_EQ(run.value("y"), 6);
}

// y is given by the equations, so its start value has to move, and that is said.
TEST(RunStart, start_values_that_were_moved_are_reported) {
  Model m("moved");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -y);
  m.equation(y == 3 * x);
  m.fix(x, 2);
  SimulateOptions options;
  options.start_values = {{"y", 1, false}};
  ActiveRun run(m, options);
  const auto& moved = run.parts.report.summary().moved_starts;
  ASSERT_EQ(moved.size(), 1U);
  EXPECT_EQ(moved[0].variable, "y");
}

TEST(RunStart, no_solution_no_start) {
  Model m("none");
  const Expr x = m.variable("x");
  m.equation(x * x == -1);
  const SimulateOptions options;
  RunParts parts(model_for_run(m, options), options);
  ActiveSolution active(parts);
  const MethodChoice choice(parts, active);
  const auto found = RunStart(parts, active).find(choice);
  EXPECT_TRUE(found.has_failed_with(Status::kInitializationFailed));
  EXPECT_FALSE(active.has_begun());
}

}  // namespace
}  // namespace hydae
