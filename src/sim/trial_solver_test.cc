// A trial starts from the committed left limit and leaves no trace.
#include "sim/trial_solver.h"

#include "sim/mode_search.h"
#include "sim/run_testing.h"
#include "sim/started_run_testing.h"

namespace hydae {
namespace {

// x' = 1 or -2 by the sign of x; y = x^2 or x^3 comes with it, and z is found by iteration.
Model two_sides() {
  Model m("sides");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == select(x > 0, -2, 1));
  m.equation(y == select(x > 0, x * x, x * x * x));
  m.equation(z + exp(z) == x + y);
  m.fix(x, -0.25);
  return m;
}

std::vector<double> coefficients(const TaylorSolution& solution) {
  std::vector<double> all;
  for (std::size_t j = 0; j < solution.mode().prepared.system.unknowns.size(); ++j) {
    const auto series = solution.stepper().expansion().series(static_cast<int>(j));
    all.insert(all.end(), series.begin(), series.end());
  }
  return all;
}

TEST(TrialSolver, the_left_limit_continues_where_nothing_changes) {
  const Model m = two_sides();
  StartedRun started(m);
  const LeftLimit left = started.left();
  const Cause none;
  const EventPass pass{0, started.run.state, left, none};
  const Outcome<Trial> trial = started.parts.trials.solve(pass, started.run.state.choice());
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->solution, started.run.solution);
  EXPECT_TRUE(trial->is_consistent());
}

// The other mode has x' = -2 at x = -0.25, where it does not belong.
TEST(TrialSolver, a_trial_says_what_its_solution_asks_for) {
  const Model m = two_sides();
  StartedRun started(m);
  const LeftLimit left = started.left();
  const Cause none;
  const EventPass pass{0, started.run.state, left, none};
  ModeChoice other = started.run.state.choice();
  other.switches.bits[0].flip();
  const Outcome<Trial> trial = started.parts.trials.solve(pass, other);
  ASSERT_TRUE(trial);
  EXPECT_EQ(started.value(*trial->solution, "x", 1), -2);
  EXPECT_EQ(started.value(*trial->solution, "y"), 0.0625);
  EXPECT_FALSE(trial->is_consistent());
  EXPECT_EQ(trial->reading.wanted, started.run.state.choice());
}

TEST(TrialSolver, trials_leave_the_run_and_each_other_alone) {
  const Model m = two_sides();
  StartedRun started(m);
  const LeftLimit left = started.left();
  const Cause none;
  const EventPass pass{0, started.run.state, left, none};
  const ModeChoice own = started.run.state.choice();
  ModeChoice other = own;
  other.switches.bits[0].flip();
  const std::vector<double> committed = coefficients(*started.run.solution);
  const std::vector<double> table = started.run.table.numbers();

  const Outcome<Trial> first = started.parts.trials.solve(pass, other);
  ASSERT_TRUE(first);
  const std::vector<double> before = coefficients(*first->solution);
  for (int k = 0; k < 3; ++k) {
    ASSERT_TRUE(started.parts.trials.solve(pass, own));
    const Outcome<Trial> again = started.parts.trials.solve(pass, other);
    ASSERT_TRUE(again);
    EXPECT_NE(again->solution, first->solution);
    EXPECT_EQ(coefficients(*again->solution), before);  // bit by bit
  }
  EXPECT_EQ(coefficients(*first->solution), before);
  EXPECT_EQ(coefficients(*started.run.solution), committed);
  EXPECT_EQ(started.run.table.numbers(), table);
  EXPECT_EQ(started.run.state.choice(), own);
}

TEST(ModeSearch, comes_back_to_the_mode_that_agrees_from_wherever_it_begins) {
  const Model m = two_sides();
  StartedRun started(m);
  const LeftLimit left = started.left();
  const Cause none;
  const EventPass pass{0, started.run.state, left, none};
  ModeChoice wrong = started.run.state.choice();
  wrong.switches.bits[0].flip();
  const Outcome<Trial> found = ModeSearch(started.parts.trials, pass).run(wrong);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->choice, started.run.state.choice());
  EXPECT_EQ(found->solution, started.run.solution);
}

TEST(Workspaces, series_are_ones_own_until_one_lets_go_of_them) {
  const Model m = two_sides();
  StartedRun started(m);
  const CompiledMode& mode = started.run.solution->mode();
  SolutionPtr first = started.parts.workspaces.take_series(mode);
  SolutionPtr second = started.parts.workspaces.take_series(mode);
  EXPECT_NE(first, second);
  EXPECT_NE(first, started.run.solution);
  const TaylorSolution* room = first.get();
  first.reset();
  EXPECT_EQ(started.parts.workspaces.take_series(mode).get(), room);
}

}  // namespace
}  // namespace hydae
