// Impact laws inside when: equations between left and right limits, with impulse().
#include <hydae/error.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

// Two bodies that meet at t = 1 at x = 0. v1 - v2 = -e (v1 - v2)- and m1 v1 + m2 v2 is kept.
TEST(Impact, two_bodies_keep_their_momentum) {
  const double m1 = 1, m2 = 3, e = 0.5, v1 = 2, v2 = -1;
  Model m("bodies");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), w1 = m.variable("v1"),
             w2 = m.variable("v2"), F = m.variable("F");
  m.equation(der(x1) == w1);
  m.equation(der(x2) == w2);
  m.equation(m1 * der(w1) == -F);
  m.equation(m2 * der(w2) == F);
  m.equation(F == 0);
  m.when(when({x1 >= x2}, {impact_law(w1 - w2 == -e * (pre(w1) - pre(w2))), impulse(F)}));
  m.fix(x1, -2), m.fix(x2, 1), m.fix(w1, v1), m.fix(w2, v2);
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  const EventRecord& event = simulation.summary.events[0];
  EXPECT_NEAR(event.t, 1, 1e-13);
  // F^ = (1 + e) (v1 - v2) / (1/m1 + 1/m2) = 1.5 * 3 * 0.75 = 3.375.
  EXPECT_NEAR(impulse_of(event, "F"), 3.375, 1e-12);
  EXPECT_NEAR(right_limit(event, "v1"), v1 - 3.375 / m1, 1e-12);
  EXPECT_NEAR(right_limit(event, "v2"), v2 + 3.375 / m2, 1e-12);
}

// The same in second order form: the law is between derivatives.
TEST(Impact, law_between_derivatives) {
  Model m("bodies");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), F = m.variable("F");
  m.equation(1 * der(x1, 2) == -F);
  m.equation(3 * der(x2, 2) == F);
  m.equation(F == 0);
  m.when(when({x1 >= x2},
              {impact_law(der(x1) - der(x2) == -0.5 * (pre(der(x1)) - pre(der(x2)))), impulse(F)}));
  m.fix(x1, -2), m.fix(x2, 1), m.fix(der(x1), 2), m.fix(der(x2), -1);
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  EXPECT_NEAR(impulse_of(simulation.summary.events[0], "F"), 3.375, 1e-12);
  EXPECT_NEAR(final_value(simulation, "x1"), -1.375, 1e-12);
  EXPECT_NEAR(final_value(simulation, "x2"), 0.125, 1e-12);
}

struct ThreeMasses {
  double m1, m2, m3, c1, c2;
  std::vector<double> speeds, impulses;
};

class ThreeMassesTest : public ::testing::TestWithParam<ThreeMasses> {};

// Uhlig et al., example 3, with numbers: speeds from two laws and the balance of momentum.
TEST_P(ThreeMassesTest, two_impacts_at_one_instant) {
  const ThreeMasses& c = GetParam();
  Model m("three_masses");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), x3 = m.variable("x3");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), v3 = m.variable("v3");
  const Expr F1 = m.variable("F1"), F2 = m.variable("F2");
  m.equation(der(x1) == v1);
  m.equation(der(x2) == v2);
  m.equation(der(x3) == v3);
  m.equation(c.m1 * der(v1) == -F1);
  m.equation(c.m2 * der(v2) == F1 - F2);
  m.equation(c.m3 * der(v3) == F2);
  m.equation(F1 == 0);
  m.equation(F2 == 0);
  m.when(when({x1 >= x2}, {impact_law(v1 - v2 == -c.c1 * (pre(v1) - pre(v2))), impulse(F1)}));
  m.when(when({x2 >= x3}, {impact_law(v2 - v3 == -c.c2 * (pre(v2) - pre(v3))), impulse(F2)}));
  m.fix(x1, -2), m.fix(x2, 0), m.fix(x3, 1);
  m.fix(v1, 2), m.fix(v2, 0), m.fix(v3, -1);
  const Simulation simulation = run(m, 2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  const EventRecord& event = simulation.summary.events[0];
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(right_limit(event, "v" + std::to_string(i + 1)),
                c.speeds[static_cast<std::size_t>(i)], 1e-12);
  for (int i = 0; i < static_cast<int>(c.impulses.size()); ++i)
    EXPECT_NEAR(impulse_of(event, "F" + std::to_string(i + 1)),
                c.impulses[static_cast<std::size_t>(i)], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ThreeMassesTest,
    ::testing::Values(
        ThreeMasses{1, 1, 1, 0.6, 0.6, {-2.0 / 3, 8.0 / 15, 17.0 / 15}, {8.0 / 3, 32.0 / 15}},
        ThreeMasses{1, 2, 3, 0.6, 0.6, {-22.0 / 15, -4.0 / 15, 1.0 / 3}, {52.0 / 15, 4}},
        ThreeMasses{1, 1, 1, 0.9, 0.2, {-14.0 / 15, 13.0 / 15, 16.0 / 15}, {}}));

// A pendulum's nose hits a guided plate from below: J w' = -c F, m v' = F with c = r cos phi.
// P = (1 + e)(c w - v) / (1/m + c^2/J).
TEST(Impact, pendulum_nose_on_a_plate) {
  const double J = 0.5, r = 1, mass = 1, e = 0.4;
  Model m("nose");
  const Expr phi = m.variable("phi"), w = m.variable("w"), z = m.variable("z"), v = m.variable("v"),
             F = m.variable("F");
  m.equation(der(phi) == w);
  m.equation(J * der(w) == -r * cos(phi) * F);
  m.equation(der(z) == v);
  m.equation(mass * der(v) == F);
  m.equation(F == 0);
  const Expr speed = r * cos(phi) * w - v;
  m.when(when({phi >= 0.3},
              {impact_law(speed == -e * (r * cos(pre(phi)) * pre(w) - pre(v))), impulse(F)}));
  m.fix(phi, 0), m.fix(w, 2), m.fix(z, 0), m.fix(v, 0);
  const Simulation simulation = run(m, 0.2);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  const EventRecord& event = simulation.summary.events[0];
  EXPECT_NEAR(event.t, 0.15, 1e-13);
  EXPECT_NEAR(impulse_of(event, "F"), 0.94676970602560104, 1e-12);
  EXPECT_NEAR(right_limit(event, "w"), 0.19103270607004038, 1e-12);
  EXPECT_NEAR(right_limit(event, "v"), 0.94676970602560104, 1e-12);
}

Model law_model(std::vector<WhenAction> (*actions)(const Expr& v, const Expr& F)) {
  Model m("law");
  const Expr x = m.variable("x"), v = m.variable("v"), F = m.variable("F");
  m.equation(der(x) == v);
  m.equation(der(v) == F);
  m.equation(F == 0);
  m.when(when({x >= 1}, actions(v, F)));
  m.fix(x, 0), m.fix(v, 1);
  return m;
}

std::string error_of(const Model& m) {
  try {
    run(m, 2);
  } catch (const ModelError& error) {
    const Diagnostic& first = error.diagnostics().items().front();
    return first.message + " [" + first.code + "]";
  }
  return "no error";
}

TEST(ImpactMessages, too_few_and_too_many_laws_are_named) {
  EXPECT_EQ(error_of(law_model([](const Expr&, const Expr& F) { return std::vector{impulse(F)}; })),
            "an impact with 0 equations and 1 impulse: `F` [impact-under-specified]");
  EXPECT_EQ(error_of(law_model([](const Expr& v, const Expr& F) {
              return std::vector{impact_law(v == -pre(v)), impact_law(v == 0), impulse(F)};
            })),
            "an impact with 2 equations and 1 impulse: `F` [impact-over-specified]");
}

TEST(ImpactMessages, a_law_that_does_not_reach_its_impulse) {
  // x cannot jump by a finite impulse of F alone: x = 0.5 asks for a derivative of delta. A law
  // without any unknown asks for nothing.
  const Simulation simulation = run(law_model([](const Expr& v, const Expr& F) {
                                      return std::vector{impact_law(pre(v) == 2), impulse(F)};
                                    }),
                                    2);
  EXPECT_EQ(simulation.summary.status, Status::kImpactLaw);
}

}  // namespace
}  // namespace hydae
