// Contacts, and events that accumulate.
#include <hydae/contact.h>
#include <hydae/error.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

struct Ball {
  Model model{"ball"};
  Expr h, v, F;

  explicit Ball(double e, const std::function<Expr(const Expr& t)>& ground = nullptr,
                double mass = 2) {
    h = model.variable("h"), v = model.variable("v"), F = model.variable("F");
    model.equation(der(h) == v);
    model.equation(mass * der(v) == F - mass * kGravity);
    Contact contact;
    contact.gap = ground ? h - ground(model.time()) : h;
    contact.force = F;
    contact.restitution = e;
    add_contact(model, std::move(contact));
    model.fix(h, 1), model.fix(v, 0);
  }
};

double accumulation(double e) { return std::sqrt(2 / kGravity) * (1 + e) / (1 - e); }

TEST(Contact, ball_bounces_to_rest) {
  const Simulation simulation = run(Ball(0.7).model, 3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  const auto& events = simulation.summary.events;
  ASSERT_GT(events.size(), 10u);
  const double first = std::sqrt(2 / kGravity);
  // Impacts at t1 (1 + 2 (e + e^2 + ...)).
  double t = first;
  for (int k = 0; k < 9; ++k) {
    EXPECT_NEAR(events[static_cast<std::size_t>(k)].t, t, 1e-11) << k;
    // The impulse turns m v- into -e m v-.
    EXPECT_NEAR(impulse_of(events[static_cast<std::size_t>(k)], "F"),
                2 * 1.7 * kGravity * first * std::pow(0.7, k), 1e-10)
        << k;
    t += 2 * first * std::pow(0.7, k + 1);
  }
  EXPECT_EQ(events.back().kind, "zeno");
  EXPECT_NEAR(events.back().t, 2.5586339655858085, 1e-11);
  EXPECT_NEAR(final_value(simulation, "h"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "F"), 2 * kGravity, 1e-11);
}

TEST(Contact, without_restitution_the_first_impact_is_the_last) {
  const Simulation simulation = run(Ball(0).model, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  EXPECT_NEAR(final_value(simulation, "F"), 2 * kGravity, 1e-11);
}

TEST(Contact, ground_that_drops_faster_than_the_ball_falls_opens_at_once) {
  // Ground -10 (t - 3)^2: acceleration 20 > g. At t = 4 the ball has fallen g/2.
  const Simulation simulation =
      run(Ball(0.7, [](const Expr& t) { return select(t < 3, 0, -10 * sqr(t - 3)); }).model, 4);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.events.back().t, 3);
  EXPECT_NEAR(final_value(simulation, "h"), -kGravity / 2, 1e-10);
  EXPECT_NEAR(final_value(simulation, "F"), 0, 1e-12);
}

TEST(Contact, ground_that_drops_slowly_keeps_the_ball) {
  // Ground -2 (t - 3)^2: acceleration 4 < g, the force is m (g - 4).
  const Simulation simulation =
      run(Ball(0.7, [](const Expr& t) { return select(t < 3, 0, -2 * sqr(t - 3)); }).model, 4);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "h"), -2, 1e-10);
  EXPECT_NEAR(final_value(simulation, "F"), 2 * (kGravity - 4), 1e-10);
}

TEST(Contact, ball_that_rests_at_the_start_stays) {
  Ball ball(0.5);
  ball.model.fix(ball.h, 0);
  const Simulation simulation = run(ball.model, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "h"), 0, 1e-13);
  EXPECT_NEAR(final_value(simulation, "F"), 2 * kGravity, 1e-12);
}

// Balls of unit mass and no size in a row; the first comes with speed 1 from a distance of 1/2.
Model cradle(int n, ImpactLaw law, double e) {
  Model m("cradle");
  std::vector<Expr> xs, vs, Fs;
  for (int i = 1; i <= n; ++i) {
    xs.push_back(m.variable("x" + std::to_string(i)));
    vs.push_back(m.variable("v" + std::to_string(i)));
    if (i < n) Fs.push_back(m.variable("F" + std::to_string(i)));
  }
  const auto at = [](const std::vector<Expr>& list) {
    return [&list](int i) { return list[static_cast<std::size_t>(i - 1)]; };
  };
  const auto x = at(xs), v = at(vs), F = at(Fs);
  for (int i = 1; i <= n; ++i) {
    m.equation(der(x(i)) == v(i));
    m.equation(der(v(i)) == (i > 1 ? F(i - 1) : Expr(0)) - (i < n ? F(i) : Expr(0)));
    m.fix(x(i), i == 1 ? -0.5 : 0), m.fix(v(i), i == 1 ? 1 : 0);
  }
  for (int i = 1; i < n; ++i) {
    Contact contact;
    contact.gap = x(i + 1) - x(i);
    contact.force = F(i);
    contact.restitution = e;
    contact.law = law;
    add_contact(m, std::move(contact));
  }
  return m;
}

void expect_speeds(const Simulation& simulation, const std::vector<double>& speeds) {
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  for (std::size_t i = 0; i < speeds.size(); ++i)
    EXPECT_NEAR(final_value(simulation, "v" + std::to_string(i + 1)), speeds[i], 1e-11) << i;
}

TEST(Cradle, all_at_once) {
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    expect_speeds(run(cradle(3, law, 1), 1), {-1.0 / 3, 2.0 / 3, 2.0 / 3});
    expect_speeds(run(cradle(5, law, 1), 1), {-0.6, 0.4, 0.4, 0.4, 0.4});
  }
}

TEST(Cradle, one_after_the_other) {
  expect_speeds(run(cradle(3, ImpactLaw::kSequential, 1), 1), {0, 0, 1});
  expect_speeds(run(cradle(5, ImpactLaw::kSequential, 1), 1), {0, 0, 0, 0, 1});
}

TEST(Cradle, without_restitution_all_move_together) {
  expect_speeds(run(cradle(4, ImpactLaw::kNewton, 0), 1), {0.25, 0.25, 0.25, 0.25});
}

Model ball_with_ground() {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == select(h > 0 || v > 0, -kGravity, 0));
  m.when(when({h <= 0}, {reinit(v, -0.7 * pre(v))}));
  m.fix(h, 1), m.fix(v, 0);
  return m;
}

TEST(Zeno, a_mode_of_rest_in_the_model_is_found) {
  const Simulation simulation = run(ball_with_ground(), 3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.events.back().kind, "zeno");
  EXPECT_NEAR(simulation.summary.events.back().t, accumulation(0.7), 1e-11);
  EXPECT_NEAR(final_value(simulation, "h"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-12);
}

class ReinitBall : public ::testing::TestWithParam<double> {};

// h' = v, v' = -g, when h <= 0 then reinit(v, -e pre(v)): nothing in the model holds the ball.
TEST_P(ReinitBall, is_held_where_its_impacts_accumulate) {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == -kGravity);
  m.when(when({h <= 0}, {reinit(v, -GetParam() * pre(v))}));
  m.fix(h, 1), m.fix(v, 0);
  const double end = accumulation(GetParam());
  const Simulation simulation = run(m, end + 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_EQ(simulation.summary.events.back().kind, "zeno");
  EXPECT_NEAR(simulation.summary.events.back().t, end, 1e-11 * end);
  EXPECT_NEAR(final_value(simulation, "h"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-12);
  ASSERT_EQ(simulation.summary.warnings.size(), 1u);
  EXPECT_EQ(simulation.summary.warnings[0].rfind("events accumulate at t = ", 0), 0u);
}

INSTANTIATE_TEST_SUITE_P(Restitutions, ReinitBall, ::testing::Values(0.3, 0.7, 0.9));

TEST(Zeno, a_model_that_does_not_say_what_follows_stops_with_a_reason) {
  // Two leaking tanks: both empty at t = 10, and the outflow goes on.
  Model m("tanks");
  const Expr x1 = m.variable("x1"), x2 = m.variable("x2"), first = counter(m, "first");
  m.equation(der(x1) == select(first > 0, 1.8, 0) - 1);
  m.equation(der(x2) == select(first > 0, 0, 1.8) - 1);
  m.when(when({x2 <= 0}, {assign(first, 0)}));
  m.when(when({x1 <= 0}, {assign(first, 1)}));
  m.fix(x1, 1), m.fix(x2, 1), m.fix(first, 1);
  const Simulation simulation = run(m, 12);
  EXPECT_EQ(simulation.summary.status, Status::kZeno);
  EXPECT_NEAR(simulation.summary.t_end, 10, 1e-9);
}

// A rod of length 2 and mass 1 that slides to the right with friction mu on its lower end, at the
// angle with tan = 2 to the ground. The end accelerates by A F + b with
//   A = 1 + 3 cos (cos - mu sin) = 1.6 - 1.2 mu,  b = -g + w^2 sin(angle)
// (Painleve): for mu > 4/3 a force pulls the end into the ground.
Model painleve_rod(double mu, double w) {
  Model m("rod");
  const Expr x = m.variable("x"), y = m.variable("y"), a = m.variable("a"), F = m.variable("F");
  const double angle = std::atan(2.0);
  m.equation(der(x, 2) == -mu * F);
  m.equation(der(y, 2) == F - kGravity);
  m.equation(der(a, 2) == 3 * (mu * F * sin(a) - F * cos(a)));
  Contact contact;
  contact.gap = y - sin(a);
  contact.force = F;
  contact.restitution = 0;
  add_contact(m, std::move(contact));
  m.fix(a, angle), m.fix(der(a), w);
  m.fix(x, 0), m.fix(der(x), 10);
  m.fix(y, std::sin(angle)), m.fix(der(y), w * std::cos(angle));
  return m;
}

TEST(Painleve, a_rod_with_little_friction_stays_on_the_ground) {
  // A = 0.4, b = -g: F = g / 0.4.
  const Simulation simulation = run(painleve_rod(1, 0), 1e-3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 1u);
  EXPECT_NEAR(right_limit(simulation.summary.events[0], "F"), kGravity / 0.4, 1e-10);
}

TEST(Painleve, with_much_friction_neither_contact_nor_flight_is_consistent) {
  // A = -0.2, b = -g.
  const Simulation simulation = run(painleve_rod(1.5, 0), 1e-3);
  EXPECT_EQ(
      simulation.summary.message + " [" + std::string(name_of(simulation.summary.status)) + "]",
      "event at t = 0: `contact1` can neither stay closed nor open [contact-cycle]");
}

TEST(Painleve, with_much_friction_and_fast_rotation_both_are_and_flight_is_taken) {
  // A = -0.2, b = w^2 sin(angle) - g > 0 for w = 4.
  const Simulation simulation = run(painleve_rod(1.5, 4), 1e-3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(simulation.trajectory.series("F").back(), 0, 1e-10);
}

TEST(ContactMessages, restitution_out_of_range) {
  try {
    run(Ball(1.5).model, 1);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().items()[0].message,
              "contact `contact1`: the restitution 1.5 is not between 0 and 1");
  }
}

}  // namespace
}  // namespace hydae
