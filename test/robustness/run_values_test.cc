// What a run says when values cease to exist or to be exact, and values that were once wrong.
#include "test/events/text_cases.h"

namespace hydae {
namespace {

INSTANTIATE_TEST_SUITE_P(
    Values, TextModel,
    ::testing::Values(
        // floor(2.7) = 2 is a number of the table: x(1) = exp(-2), also where no series are made.
        TextCase{"floor_of_a_parameter",
                 "model M parameter Real k = 2.7; Real x(start=1,fixed=true); equation "
                 "der(x) = -floor(k)*x; end M;",
                 1,
                 {{"x", std::exp(-2.0)}}},
        // An assertion of an initial section concerns the initial point only: x(1) = 2 e.
        TextCase{"assertion_of_the_start",
                 "model M Real x(start=2,fixed=true); initial equation assert(x < 3, \"start\"); "
                 "equation der(x) = x; end M;",
                 1,
                 {{"x", 2 * std::exp(1.0)}}}),
    name_of_case);

struct StoppedCase {
  const char* name;
  const char* text;
  Status status;
  const char* message;
};

void PrintTo(const StoppedCase& c, std::ostream* out) { *out << c.name; }

class StoppedRun : public ::testing::TestWithParam<StoppedCase> {};

TEST_P(StoppedRun, says_why_by_all_solvers) {
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
    const Simulation run = simulate_text({GetParam().name, GetParam().text, 1, {}}, solver, 1e-6);
    EXPECT_EQ(run.summary.status, GetParam().status) << run.summary.message;
    EXPECT_NE(run.summary.message.find(GetParam().message), std::string::npos)
        << run.summary.message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Values, StoppedRun,
    ::testing::Values(
        // 2^53 is reached by the 53rd doubling, at t = 0.53.
        StoppedCase{"integer_overflow",
                    "model M Integer n(start=1,fixed=true); equation when sample(0.01,0.01) then "
                    "n = pre(n)*2; end when; end M;",
                    Status::kOverflow, "t = 0.53: the Integer `n` becomes 9007199254740992"},
        StoppedCase{"reinit_undefined",
                    "model M Real x(start=1,fixed=true); equation der(x)=1; when time > 0.5 then "
                    "reinit(x, sqrt(-time)); end when; end M;",
                    Status::kUndefinedFunction, "t = 0.5: reinit() would make `x`"},
        StoppedCase{"start_undefined",
                    "model M parameter Real a = 0; Real x(start=1/a,fixed=true); equation "
                    "der(x)=1; end M;",
                    Status::kInitializationFailed, "the start value `1/a` of `x` is not a number"},
        StoppedCase{"divisor_zero",
                    "model M parameter Integer k = 0; Integer n = rem(5, k); end M;",
                    Status::kAssertionFailed, "`rem` divides by zero"},
        // d = 5 from 0.2 to 0.4 only.
        StoppedCase{"assertion_between_events",
                    "model M Real x(start=1,fixed=true); discrete Real d(start=0,fixed=true); "
                    "equation der(x)=-x; when {time>0.2,time>0.4} then d = if time < 0.3 then 5 "
                    "else 0; end when; assert(d < 4, \"large\"); end M;",
                    Status::kAssertionFailed, "t = 0.2: large"},
        StoppedCase{"assertion_of_time",
                    "model M Real x(start=1,fixed=true); equation der(x)=-x; "
                    "assert(time < 0.5, \"late\"); end M;",
                    Status::kAssertionFailed, "t = 0.5: late"},
        StoppedCase{"assertion_of_an_initial_section",
                    "model M Real x(start=2,fixed=true); initial equation "
                    "assert(x < 1, \"too large\"); equation der(x) = -x; end M;",
                    Status::kAssertionFailed, "t = 0: too large"},
        StoppedCase{"assertion_when_initial",
                    "model M Real x(start=2,fixed=true); equation der(x) = -x; when initial() then "
                    "assert(x < 1, \"too large\"); end when; end M;",
                    Status::kAssertionFailed, "t = 0: too large"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace hydae
