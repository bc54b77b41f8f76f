// Events with proofs: what is certified has exactly the events of its closed form, what cannot be
// proved is named, and what the estimate overlooks is found.
#include <algorithm>
#include <gtest/gtest.h>
#include <numbers>

#include <hydae/modelica.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

Simulation certified_run(const std::string& equations, double stop, Solver solver = Solver::kTaylor,
                         EventGrade events = EventGrade::kCertified) {
  const LoadResult loaded = load_text(
      "model A Real x(start=1,fixed=true), y; Integer n(start=0,fixed=true); discrete Real "
      "te(start=0,fixed=true); equation " +
      equations + " end A;");
  EXPECT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
  SimulateOptions options;
  options.stop = stop;
  options.solver = solver;
  options.rules.events = events;
  options.points = 2;
  return simulate(*loaded.model, options);
}

std::string counting(const std::string& condition) {
  return "when " + condition + " then n = pre(n) + 1; te = time; end when;";
}

double last(const Simulation& run, const char* name) { return run.trajectory.series(name).back(); }

const EventFunction& only_function(const Simulation& run) {
  static const EventFunction none;
  EXPECT_EQ(run.summary.event_functions.size(), 1u);
  return run.summary.event_functions.empty() ? none : run.summary.event_functions[0];
}

struct Provable {
  const char* name;
  std::string condition;
  double stop;
  int events;
  double time;  // of the last one
};

class ProvableEvents : public testing::TestWithParam<Provable> {};

// x = exp(-t) and y = 2 + sin(t) beside it. Adversaries: many roots in one step, roots of a
// composition, a near miss that must be shown to be one.
TEST_P(ProvableEvents, are_certified_and_those_of_the_closed_form) {
  for (Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const Simulation run =
        certified_run("der(x) = -x; y = 2 + sin(time);" + counting(GetParam().condition),
                      GetParam().stop, solver);
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
    EXPECT_EQ(last(run, "n"), GetParam().events);
    EXPECT_NEAR(last(run, "te"), GetParam().time, 1e-4);
    EXPECT_EQ(only_function(run).grade, EventGrade::kCertified)
        << (run.summary.warnings.empty() ? "" : run.summary.warnings[0]);
    EXPECT_TRUE(run.summary.warnings.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    ClosedForms, ProvableEvents,
    testing::Values(
        // cos(2 pi t) becomes negative at 1/4 + k.
        Provable{"cosine", "cos(2*3.141592653589793*time) < 0", 10, 10, 9.25},
        // exp(-t) = 1/2 at log 2.
        Provable{"state", "x < 0.5", 3, 1, std::numbers::ln2},
        // sin(20 exp(-t)) becomes positive where 20 exp(-t) falls through 5 pi, 3 pi, pi.
        Provable{"composition", "sin(20*x) > 0", 4, 3, 1.8510024},
        // cos(50 t) + 1.0001 > 0 always.
        Provable{"near_miss", "cos(50*time) + 1.0001 < 0", 2, 0, 0},
        // exp(-2t) + 1e-9 is never negative; at the end it is 1e-9 + 2e-9.
        Provable{"small", "x^2 + 1e-9 < 0", 10, 0, 0},
        // A pulse of a width of 1.7 ms, 1e-3 of the step.
        Provable{"pulse", "exp(-1e6*(time - 0.7)^2) > 0.5", 1, 1, 0.6991674}),
    [](const auto& instance) { return std::string(instance.param.name); });

// The same pulse without proofs: its series at the start of the step is zero to all digits.
TEST(CertifiedEvents, have_what_the_estimate_overlooks) {
  const std::string text = "der(x) = 0; y = 0;" + counting("cos(time - 0.7)^1000000 > 0.5");
  EXPECT_EQ(last(certified_run(text, 1, Solver::kTaylor, EventGrade::kEstimated), "n"), 0)
      << "if the estimate finds it now, this test needs another example";
  EXPECT_EQ(last(certified_run(text, 1), "n"), 1);
}

// (t - 1/3)^2 touches zero: whether the guard crosses no arithmetic can tell, and it is said.
TEST(CertifiedEvents, name_what_cannot_be_proved) {
  const Simulation run = certified_run("der(x) = 0; y = 0;" + counting("(time - 1/3)^2 < 0"), 1);
  ASSERT_TRUE(run.summary.succeeded());
  EXPECT_EQ(last(run, "n"), 0);
  EXPECT_EQ(only_function(run).grade, EventGrade::kEstimated);
  ASSERT_TRUE(only_function(run).unproved.has_value());
  EXPECT_NEAR(*only_function(run).unproved, 1.0 / 3, 1e-3);
  const auto names_it = [](const std::string& warning) {
    return warning.starts_with("not certified: nothing is proved of `(time - ");
  };
  EXPECT_TRUE(std::ranges::any_of(run.summary.warnings, names_it));
}

TEST(CertifiedEvents, are_not_asked_for_by_default) {
  const Simulation run = certified_run("der(x) = -x; y = 0;" + counting("x < 0.5"), 1,
                                       Solver::kTaylor, EventGrade::kEstimated);
  EXPECT_EQ(only_function(run).grade, EventGrade::kEstimated);
  EXPECT_FALSE(only_function(run).unproved.has_value());
}

// time > 0.3 is solved ahead in closed form: nothing is left to estimate.
TEST(CertifiedEvents, of_affine_functions_of_time_are_exact_without_being_asked) {
  const Simulation run = certified_run("der(x) = 0; y = 0;" + counting("time > 0.3"), 1,
                                       Solver::kTaylor, EventGrade::kEstimated);
  EXPECT_EQ(only_function(run).grade, EventGrade::kCertified);
}

// sqrt((x - 1.5)^2) with x = 1 + t has no series at t = 0.5: there values decide.
TEST(CertifiedEvents, places_without_a_series_are_counted_as_sampled) {
  const Simulation run = certified_run("der(x) = 1; y = 0;" + counting("sqrt((x - 1.5)^2) < -1"), 1,
                                       Solver::kTaylor, EventGrade::kEstimated);
  EXPECT_EQ(only_function(run).grade, EventGrade::kSampled);
  EXPECT_GE(only_function(run).sampled_steps, 1);
}

// Behind an event the guard starts from zero: the ball of restitution 0.5 from 1 m with g = 9.81
// meets the ground at t1 = sqrt(2/g), and then after t1, t1/2, ... more.
TEST(CertifiedEvents, go_on_behind_an_event) {
  const Simulation run = certified_run(
      "der(x) = y; der(y) = -9.81; when x < 0 then reinit(y, -0.5*pre(y)); n = pre(n) + 1; te = "
      "time; end when;",
      1.5 * 0.4515236 + 0.5);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  EXPECT_EQ(last(run, "n"), 3);
  EXPECT_EQ(only_function(run).grade, EventGrade::kCertified)
      << (run.summary.warnings.empty() ? "" : run.summary.warnings[0]);
}

}  // namespace
}  // namespace hydae
