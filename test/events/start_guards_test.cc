// Relations whose guards are zero where a run begins: they have their literal value there, and what
// changes right behind is an event at the start. Small quantities: nobody has given a nominal
// value.
#include "test/events/text_cases.h"

namespace hydae {
namespace {

std::string leaving(const std::string& equations, const std::string& more = "") {
  return "model M Real x(start=0,fixed=true); Boolean b; Integer n(start=0,fixed=true);" + more +
         " equation der(x)=1; " + equations + " when b then n=pre(n)+1; end when; end M;";
}

// x = t. What is false at x = 0 and true behind it fires once, at the start; what is true at the
// start has not become true.
INSTANTIATE_TEST_SUITE_P(
    AtTheStart, TextModel,
    ::testing::Values(
        TextCase{"strict", leaving("b = x > 0;"), 1, {{"n", 1}, {"b", 1}}},
        TextCase{"negated", leaving("b = not x <= 0;"), 1, {{"n", 1}, {"b", 1}}},
        TextCase{"turned_round", leaving("b = 0 < x;"), 1, {{"n", 1}, {"b", 1}}},
        TextCase{"expression", leaving("b = (x + 1)^2 > 1;"), 1, {{"n", 1}, {"b", 1}}},
        TextCase{"by_a_chosen_value",
                 leaving("y = if x > 0 then 2 else 1; b = y > 1.5;", " Real y;"),
                 1,
                 {{"n", 1}, {"y", 2}}},
        TextCase{"not_strict", leaving("b = x >= 0;"), 1, {{"n", 0}, {"b", 1}}},
        TextCase{"of_time", leaving("b = time > 0;"), 1, {{"n", 1}, {"b", 1}}},
        TextCase{"of_time_not_strict", leaving("b = time >= 0;"), 1, {{"n", 0}, {"b", 1}}},
        TextCase{"in_the_clause",
                 "model M Real x(start=0,fixed=true); Integer n(start=0,fixed=true); equation "
                 "der(x)=1; when x > 0 then n=pre(n)+1; end when; end M;",
                 1,
                 {{"n", 1}}},
        // x = t^2/2: the second derivative decides.
        TextCase{"of_second_order",
                 "model M Real x(start=0,fixed=true),v(start=0,fixed=true); Integer "
                 "n(start=0,fixed=true); equation der(x)=v; der(v)=1; when x > 0 then n=pre(n)+1; "
                 "end when; end M;",
                 1,
                 {{"n", 1}}},
        TextCase{
            "stays_on_it",
            "model M Real x(start=0,fixed=true); equation der(x)=if x>0 then -1 else 1; end M;",
            1,
            {{"x", 0}}}),
    name_of_case);

// The first row has the literal values, the second, of the same time, those behind the event.
TEST(AtTheStart, both_limits_of_an_event_have_rows) {
  const TextCase c{"rows",
                   "model M Real y, z(start=0,fixed=true); equation y = if time > 0 then 2 else 1; "
                   "der(z)=y; end M;",
                   1,
                   {{"z", 2}}};
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const Simulation run = simulate_text(c, solver, 1e-6);
    expect_known_values(c, run, 1e-6);
    const auto y = run.trajectory.series("y");
    EXPECT_EQ(run.trajectory.times()[1], 0.0);
    EXPECT_EQ(y[0], 1);
    EXPECT_EQ(y[1], 2);
    ASSERT_EQ(run.summary.events.size(), 1u);
    EXPECT_EQ(run.summary.events[0].t, 0.0);
  }
}

struct Small {
  const char* text;
  double stop;
  const char* variable;
  double scale, value;  // at the end, in units of the scale
};

// An LC circuit with 1 uH, 1 pF and 1 nA: i = 1e-9 cos(1e9 t), v = 1e-6 sin(1e9 t), after 100 rad.
// The charge of an ideal rectifier: a sine of 1e-9 V over three half waves, 1e-9/pi each.
TEST(Scales, small_quantities_are_as_accurate_as_large_ones) {
  const Small models[] = {
      {"model M Real i(start=1e-9,fixed=true),v(start=0,fixed=true); equation 1e-6*der(i)=-v; "
       "1e-12*der(v)=i; end M;",
       1e-7, "v", 1e-6, std::sin(100.0)},
      {"model M Real s,i,v,u,q(start=0,fixed=true); equation u=1e-9*sin(6.283185307179586*time); "
       "u=v+i; v=if s<0 then s else 0; i=if s<0 then 0 else s; der(q)=i; end M;",
       3, "q", 1e-9, 3 / 3.14159265358979},
      {"model M Real x(start=0,fixed=true),w(start=1e-12,fixed=true); equation der(x)=w; "
       "der(w)=-100*x; end M;",
       10, "w", 1e-12, std::cos(100.0)}};
  for (const Small& model : models)
    for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
      for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
        const TextCase c{"small", model.text, model.stop, {}};
        const Simulation run = simulate_text(c, solver, tolerance);
        ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
        EXPECT_NEAR(run.trajectory.series(model.variable).back() / model.scale, model.value,
                    std::max(100 * tolerance, 2e-6))
            << model.text << tolerance;
        EXPECT_LT(run.summary.scales.at(model.variable), 1e-3);
      }
}

TEST(Scales, an_absolute_tolerance_of_the_user_is_one) {
  LoadResult loaded =
      load_text("model M Real x(start=1e-9,fixed=true); equation der(x)=-x; end M;");
  SimulateOptions options;
  options.atol = 1e-6;
  const Simulation run = simulate(*loaded.model, options);
  EXPECT_TRUE(run.summary.scales.empty());
  ASSERT_EQ(run.summary.warnings.size(), 1u);
  EXPECT_EQ(run.summary.warnings[0],
            "never larger than the absolute tolerance, and so not resolved: `x`; give a nominal "
            "value, or a smaller --atol");
}

}  // namespace
}  // namespace hydae
