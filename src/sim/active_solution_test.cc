#include "sim/active_solution.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// x = exp(-t), with a relation so that the run has series at all.
Model decay() {
  Model m("decay");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x);
  m.equation(y == select(x > 0.2, 1, 0));
  m.fix(x, 1);
  return m;
}

TEST(ActiveSolution, bdf_begins_where_the_series_are_and_leaves_them_there) {
  const Model m = decay();
  ActiveRun run(m, solved_by(Solver::kIda));
  ASSERT_TRUE(run.active.start_bdf());
  ASSERT_NE(run.active.bdf(), nullptr);
  EXPECT_EQ(run.active.time(), 0);
  EXPECT_EQ(run.value("x"), 1);
  EXPECT_EQ(run.value("x", 0, 1), -1);
  ASSERT_NE(run.active.bdf()->step(1), BdfSolver::Status::kFailed);
  EXPECT_GT(run.active.time(), 0);
  EXPECT_EQ(run.active.stepper().time(), 0);
}

// Ended where it began nothing has happened: the series are the same, bit by bit, not new ones.
TEST(ActiveSolution, bdf_that_is_ended_at_its_start_changes_nothing) {
  const Model m = decay();
  ActiveRun run(m, solved_by(Solver::kIda));
  const double third = run.value("x", 0, 3);
  ASSERT_TRUE(run.active.start_bdf());
  ASSERT_NE(run.active.bdf()->step(1), BdfSolver::Status::kFailed);
  ASSERT_TRUE(run.active.end_bdf(0));
  EXPECT_EQ(run.active.bdf(), nullptr);
  EXPECT_EQ(run.value("x", 0, 3), third);
}

// The series in the place of BDF satisfy the equations where they begin: der(x) = -x, and der^2 =
// x.
TEST(ActiveSolution, series_in_the_place_of_bdf_go_on_from_its_values) {
  const Model m = decay();
  ActiveRun run(m, solved_by(Solver::kIda));
  ASSERT_TRUE(run.active.start_bdf());
  ASSERT_NE(run.active.bdf()->step(1), BdfSolver::Status::kFailed);
  const double t = run.active.time() / 2, x = run.value("x", t);
  ASSERT_TRUE(run.active.end_bdf(t));
  EXPECT_EQ(run.active.time(), t);
  EXPECT_EQ(run.value("x"), x);
  EXPECT_EQ(run.value("x", t, 1), -x);
  EXPECT_EQ(run.value("x", t, 2), x);
}

TEST(ActiveSolution, asking_how_far_series_would_reach_leaves_bdf_ahead) {
  const Model m = decay();
  ActiveRun run(m, solved_by(Solver::kIda));
  ASSERT_TRUE(run.active.start_bdf());
  ASSERT_NE(run.active.bdf()->step(1), BdfSolver::Status::kFailed);
  const double t = run.active.time();
  EXPECT_GT(run.active.reach_of_series(t / 2), 0.1);
  ASSERT_NE(run.active.bdf(), nullptr);
  EXPECT_EQ(run.active.time(), t);
}

}  // namespace
}  // namespace hydae
