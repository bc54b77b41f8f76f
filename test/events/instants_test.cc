// What happens at single instants: resets onto a limit, thresholds that coincide, impacts of any
// size, variables that leave their min and max.
#include <cmath>

#include <hydae/compiled_model.h>
#include <hydae/error.h>
#include <hydae/initialize.h>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

// x starts at 1 and grows; at t = 1 it is put to zero and grows on. At the point of the reset x > 0
// is false, right behind it true: it has become true once, and x <= 0 once. x(2) = 1.
std::string reset_to_zero(const std::string& count, const std::string& declarations = "") {
  return "model Reset Real x(start=1,fixed=true); Integer n(start=0,fixed=true); " + declarations +
         " equation der(x)=1; " + count + " when time>=1 then reinit(x,0); end when; end Reset;";
}

INSTANTIATE_TEST_SUITE_P(
    ResetOntoALimit, TextModel,
    ::testing::Values(
        TextCase{"greater",
                 reset_to_zero("when x>0 then n=pre(n)+1; end when;"),
                 2,
                 {{"n", 1}, {"x", 1}}},
        TextCase{"negated",
                 reset_to_zero("when not x<=0 then n=pre(n)+1; end when;"),
                 2,
                 {{"n", 1}, {"x", 1}}},
        TextCase{"less", reset_to_zero("when 0<x then n=pre(n)+1; end when;"), 2, {{"n", 1}}},
        TextCase{"boolean",
                 reset_to_zero("b=x>0; when b then n=pre(n)+1; end when;", "Boolean b;"),
                 2,
                 {{"n", 1}, {"b", 1}}},
        TextCase{"edge",
                 reset_to_zero("b=x>0; n=if edge(b) then pre(n)+1 else pre(n);",
                               "Boolean b(start=true,fixed=true);"),
                 2,
                 {{"n", 1}, {"b", 1}}},
        TextCase{"named_guard",
                 reset_to_zero("g=2*x; when g>0 then n=pre(n)+1; end when;", "Real g;"),
                 2,
                 {{"n", 1}}},
        TextCase{
            "other_side", reset_to_zero("when x<=0 then n=pre(n)+1; end when;"), 2, {{"n", 1}}},
        // Not onto the limit: nothing becomes true.
        TextCase{
            "beside", reset_to_zero("when x>-1e-12 then n=pre(n)+1; end when;"), 2, {{"n", 0}}}),
    name_of_case);

// A relay whose two thresholds coincide: x comes down to the threshold at t = 1 and can leave it to
// no side. In the last two forms the thresholds are 20 - 0/2 and 20 + 0/2, or two parameters.
std::string hysteresis(const std::string& law,
                       const std::string& parameters = "parameter Real h=0;") {
  return "model Relay " + parameters +
         " Real x(start=1+r,fixed=true); parameter Real r=0; Boolean b(start=true,fixed=true); "
         "equation der(x)=if b then -1 else 2; " +
         law + " end Relay;";
}

INSTANTIATE_TEST_SUITE_P(
    HysteresisWithoutWidth, TextModel,
    ::testing::Values(
        TextCase{"pre", hysteresis("b = not pre(b) and x>h or pre(b) and x>=-h;"), 3, {{"x", 0}}},
        TextCase{"when",
                 hysteresis("when x>h then b=true; elsewhen x<-h then b=false; end when;"),
                 3,
                 {{"x", 0}}},
        TextCase{
            "two_clauses", hysteresis("when {x>h, x<-h} then b = x>h; end when;"), 3, {{"x", 0}}},
        TextCase{"about_a_reference",
                 "model Relay parameter Real ref=20, band=0; Real x(start=21,fixed=true); "
                 "Boolean b(start=true,fixed=true); equation der(x)=if b then -1 else 2; "
                 "when x>ref+band/2 then b=true; elsewhen x<ref-band/2 then b=false; end when; "
                 "end Relay;",
                 3,
                 {{"x", 20}}},
        TextCase{"two_parameters",
                 "model Relay parameter Real low=20, high=20; Real x(start=21,fixed=true); "
                 "Boolean b(start=true,fixed=true); equation der(x)=if b then -1 else 2; "
                 "b = x>high or pre(b) and x>=low; end Relay;",
                 3,
                 {{"x", 20}}}),
    name_of_case);

// With a width the same model switches: from 21 down to 19 at t = 2, up to 20 + 1 at t = 3.
TEST(HysteresisWithoutWidth, other_parameters_are_another_form) {
  const TextCase relay{"relay",
                       "model Relay parameter Real low=20, high=20; Real x(start=21,fixed=true); "
                       "Boolean b(start=true,fixed=true); equation der(x)=if b then -1 else 2; "
                       "b = x>high or pre(b) and x>=low; end Relay;",
                       3,
                       {}};
  LoadResult loaded = load_text(relay.text);
  CompiledModel compiled(*loaded.model);
  SimulateOptions options;
  options.stop = 3;
  const Simulation slides = simulate(compiled, options);
  ASSERT_TRUE(slides.summary.succeeded()) << slides.summary.message;
  EXPECT_NEAR(slides.trajectory.series("x").back(), 20, 1e-6);
  options.parameters = {{"low", 19}, {"high", 21}};
  const Simulation switches = simulate(compiled, options);
  ASSERT_TRUE(switches.summary.succeeded()) << switches.summary.message;
  EXPECT_NEAR(switches.trajectory.series("x").back(), 21, 1e-6);
}

// A body on a spring hits a wall at its middle: x = k*0.8^n*|cos(t)| with n impacts at (n +
// 1/2)*pi, six of them until t = 20: x = k*0.8^6*cos(20 - 6*pi) whatever k is, without a nominal
// value.
class ContactOfAnySize : public ::testing::TestWithParam<double> {};

TEST_P(ContactOfAnySize, keeps_its_restitution) {
  const double k = GetParam(), last = std::pow(0.8, 6) * std::cos(20 - 6 * std::acos(-1.0));
  for (const char* law :
       {"der(v)=-x+F; contact(x,F,0.8);", "der(v)=-x+2*F; contact(gap,F,0.8); "}) {
    const bool has_gap = std::string(law).find("gap") != std::string::npos;
    const std::string text =
        "model Body parameter Real k=1; Real x(start=k,fixed=true), "
        "v(start=0,fixed=true), F" +
        std::string(has_gap ? ", gap" : "") + "; equation der(x)=v; " + law +
        (has_gap ? "gap=3*x; " : "") + "end Body;";
    LoadResult loaded = load_text(text);
    ASSERT_TRUE(loaded.model) << render(loaded.diagnostics, loaded.sources.get());
    for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
      for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
        SimulateOptions options;
        options.solver = solver;
        options.tolerance = tolerance;
        options.stop = 20;
        options.parameters = {{"k", k}};
        const Simulation run = simulate(*loaded.model, options);
        ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
        EXPECT_NEAR(run.trajectory.series("x").back() / k, last, std::max(100 * tolerance, 1e-7))
            << law << " solver " << static_cast<int>(solver) << ", tolerance " << tolerance;
        EXPECT_EQ(run.summary.events.size(), 6u);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, ContactOfAnySize,
                         ::testing::Values(1.0, 1e-6, 1e-9, 1e-10, 1e-12, 1e6));

std::vector<std::string> bound_warnings(const std::string& text, Solver solver, double tolerance) {
  const Simulation run = simulate_text({"bounds", text, 2, {}}, solver, tolerance);
  EXPECT_TRUE(run.summary.succeeded()) << run.summary.message;
  std::vector<std::string> found;
  for (const std::string& warning : run.summary.warnings)
    if (warning.find("leaves its") != std::string::npos) found.push_back(warning);
  std::sort(found.begin(), found.end());
  return found;
}

// x = t/2 passes 0.75 at t = 1.5; y = 1 - x passes 0.5 at t = 1; z stays at its limit.
TEST(Bounds, are_said_once_with_the_time) {
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const auto found = bound_warnings(
          "model M Real x(start=0,fixed=true,min=0,max=0.75), y(min=0.5), "
          "z(start=0,fixed=true,min=0)"
          "; equation der(x)=0.5; x+y=1; der(z)=-z*y; end M;",
          solver, tolerance);
      ASSERT_EQ(found.size(), 2u);
      EXPECT_EQ(found[0].find("`x` leaves its max = 0.75 from t = 1.5"), 0u) << found[0];
      EXPECT_EQ(found[1].find("`y` leaves its min = 0.5 from t = 1"), 0u) << found[1];
    }
}

TEST(Bounds, that_an_event_leaves_are_said_with_it) {
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
    const auto found = bound_warnings(
        "model M Real x(start=0,fixed=true,max=2); Integer n(start=0,fixed=true,max=0); "
        "equation der(x)=0.1; when time>=1 then reinit(x,3); n=1; end when; end M;",
        solver, 1e-6);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].find("`n` leaves its max = 0 by the event at t = 1"), 0u) << found[0];
    EXPECT_EQ(found[1].find("`x` leaves its max = 2 by the event at t = 1"), 0u) << found[1];
  }
}

TEST(Check, refuses_a_loop_of_booleans_as_a_run_does) {
  for (const char* loop : {"b = not b;", "b = not c; c = b;", "b = x>0.5 and not b;"}) {
    LoadResult loaded =
        load_text("model M Boolean b" + std::string(std::string(loop).find('c') < 9 ? ", c" : "") +
                  "; Real x(start=0,fixed=true); equation der(x)=1; " + loop + " end M;");
    ASSERT_TRUE(loaded.model) << loop;
    try {
      check(*loaded.model);
      FAIL() << loop;
    } catch (const ModelError& error) {
      EXPECT_EQ(error.diagnostics().items().front().code, "discrete-loop") << loop;
    }
  }
}

// The angle of a point on the unit circle passes 3 and jumps to -pi at t = pi, 3 pi and 5 pi.
const std::string kTurning =
    "model M Real x(start=1,fixed=true), y(start=0,fixed=true), phi; Integer "
    "n(start=0,fixed=true), m(start=0,fixed=true), k(start=0,fixed=true); equation der(x)=-y; "
    "der(y)=x; phi=atan2(y,x); when phi>3 then n=pre(n)+1; end when; when phi<-3 then "
    "m=pre(m)+1; end when; when phi<0 then k=pre(k)+1; end when; end M;";

// Expressions that are undefined at one instant, x = 0, and jump there.
std::string through_zero(const std::string& rate) {
  return "model M Real x, z(start=0,fixed=true); equation x=time-1; der(z)=" + rate + "; end M;";
}

INSTANTIATE_TEST_SUITE_P(
    Angle, TextModel,
    ::testing::Values(
        TextCase{"turns", kTurning, 20, {{"n", 3}, {"m", 3}, {"k", 3}, {"phi", 20 - 6 * M_PI}}},
        // Small angles keep their digits: the event is at t = 1/2.
        TextCase{"small",
                 "model M Real y(start=-1e-20,fixed=true); Integer n(start=0,fixed=true); equation "
                 "der(y)=2e-20; when atan2(y,1)>0 then n=pre(n)+1; end when; end M;",
                 1,
                 {{"n", 1}}},
        // The angle is -3 pi/4, then pi/4.
        TextCase{"through_the_origin", through_zero("atan2(x,x)"), 2, {{"z", -M_PI / 2}}},
        TextCase{"sign_by_division", through_zero("x/abs(x)"), 2, {{"z", 0}}}),
    name_of_case);

}  // namespace
}  // namespace hydae
