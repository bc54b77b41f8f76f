#include "sim/determinant_watch.h"

#include <cmath>

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// Step by step until the end or a failure.
Outcome<Step> integrate(ActiveRun& run) {
  Outcome<Step> step = run.bdf.advance(run.next());
  while (step && step->t != run.parts.settings.stop) step = run.bdf.advance(run.next());
  return step;
}

// x = exp(-t) is one half at log(2), where the coefficient of z vanishes; x does not feel it.
TEST(DeterminantWatch, a_step_does_not_pass_a_pole_of_what_no_state_feels) {
  Model m("pole");
  const Expr x = m.variable("x"), z = m.variable("z");
  m.equation(der(x) == -x);
  m.equation((x - 0.5) * z == 1);
  m.fix(x, 1);
  ActiveRun run(m, solved_by(Solver::kIda));
  const Outcome<Step> end = integrate(run);
  ASSERT_TRUE(end.has_failed_with(Status::kSingularJacobian)) << end->t;
  EXPECT_NEAR(run.active.time(), std::log(2), 1e-5);  // ten tolerances
}

// z = sin(t) although the equation says nothing about it at log(2).
TEST(DeterminantWatch, a_determinant_that_vanishes_together_with_its_right_hand_side_is_no_pole) {
  Model m("removable");
  const Expr x = m.variable("x"), z = m.variable("z");
  m.equation(der(x) == -x);
  m.equation((x - 0.5) * z == (x - 0.5) * sin(m.time()));
  m.fix(x, 1);
  ActiveRun run(m, solved_by(Solver::kIda));
  const Outcome<Step> end = integrate(run);
  ASSERT_TRUE(end) << end.failure().message;
  EXPECT_NEAR(run.value("z"), std::sin(1.0), 1e-9);
}

}  // namespace
}  // namespace hydae
