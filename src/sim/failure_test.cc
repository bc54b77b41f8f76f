// A computation that does not succeed says where and why, in the user's names.
#include <cmath>
#include <gmock/gmock.h>

#include <hydae/simulate.h>

namespace hydae {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

SimulateOptions plain_run_until(double stop) {
  SimulateOptions options;
  options.stop = stop;
  return options;
}

TEST(Failure, step_too_small_tells_step_and_limit) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == -x * x);
  m.fix(x, 1);
  SimulateOptions options = plain_run_until(2);
  options.start = 1;
  options.max_step = 2e-16;  // one unit in the last place of the time
  const Summary summary = simulate(m, options).summary;
  EXPECT_EQ(summary.status, Status::kStepTooSmall);
  EXPECT_THAT(summary.message,
              StartsWith("simulation stopped at t = 1: step 2.2e-16 is below the limit 3.6e-15"));
  EXPECT_THAT(summary.message, HasSubstr("largest error: `x`"));
}

// J = x is zero at the start and nowhere else: the analysis cannot see that.
TEST(Failure, singular_jacobian_names_block_and_condition) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x * der(x) == 0, "product");
  m.equation(der(y) == 1);
  m.fix(x, 0), m.fix(y, 3);
  const Simulation run = simulate(m, plain_run_until(1));
  EXPECT_EQ(run.summary.status, Status::kSingularJacobian);
  EXPECT_THAT(run.summary.message,
              HasSubstr("simulation stopped at t = 0: the system Jacobian is singular in the block "
                        "of `product` (condition number "));
  // The initial point is kept.
  ASSERT_EQ(run.trajectory.num_rows(), 1u);
  EXPECT_EQ(run.trajectory.series("y").front(), 3);
}

// exp overflows at log(1.8e308) = 709.78, x = 100 t gets there at 7.0978.
Summary run_into_overflow(Solver solver) {
  Model m("m");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 100, "drive");
  m.equation(y == exp(x), "growth");
  m.start(x, 0), m.fix(y, 1);  // a value that is given makes y more than something to look at
  SimulateOptions options = plain_run_until(10);
  options.solver = solver;
  return simulate(m, options).summary;
}

TEST(Failure, undefined_function_names_operation_argument_and_equation) {
  const Summary summary = run_into_overflow(Solver::kTaylor);
  EXPECT_EQ(summary.status, Status::kUndefinedFunction);
  EXPECT_THAT(summary.message, HasSubstr("`exp(x)` is undefined: exp of 7"));
  EXPECT_THAT(summary.message, HasSubstr(", in equation `growth`"));
  EXPECT_GT(summary.t_end, 6);
  EXPECT_LT(summary.t_end, 7.0979);
}

TEST(Failure, what_overflows_beside_the_states_stops_bdf_too) {
  const Summary summary = run_into_overflow(Solver::kIda);
  EXPECT_EQ(summary.status, Status::kUndefinedFunction);
  EXPECT_THAT(summary.message, HasSubstr("`y` is infinite"));
}

TEST(Failure, stats_have_reason_and_singularity) {
  Model m("m");
  const Expr x = m.variable("x");
  m.equation(der(x) == x * x);
  m.fix(x, 1);
  const std::string json = to_json(simulate(m, plain_run_until(2)).summary);
  EXPECT_THAT(json, HasSubstr("\"status\": \"singularity\""));
  EXPECT_THAT(json, HasSubstr("\"variable\": \"x\""));
  EXPECT_THAT(to_json(simulate(m, plain_run_until(0.1)).summary), HasSubstr("\"singularity\": "));
}

}  // namespace
}  // namespace hydae
