// Contacts with friction: sticking, sliding, impacts, Painleve's paradox, the woodpecker.
#include <numbers>

#include <hydae/contact.h>
#include <hydae/error.h>

#include "sim/run_testing.h"

namespace hydae {
namespace {

// A point of mass 1 over the ground, driven along it.
struct Block {
  Model model{"block"};
  Expr x, v, h, w, F, T;

  // The drive is `slope` times the time.
  explicit Block(ContactFriction friction, double e = 0, double slope = 0) {
    x = model.variable("x"), v = model.variable("v");
    h = model.variable("h"), w = model.variable("w");
    F = model.variable("F"), T = model.variable("T");
    model.equation(der(x) == v);
    model.equation(der(v) == T + slope * model.time());
    model.equation(der(h) == w);
    model.equation(der(w) == F - kGravity);
    friction.slip = v;
    friction.force = T;
    add_contact(model, {.gap = h, .force = F, .restitution = e, .friction = friction});
    model.fix(x, 0), model.fix(v, 0), model.fix(h, 0), model.fix(w, 0);
  }
};

ContactFriction coulomb(double mu) {
  ContactFriction friction;
  friction.mu = mu;
  return friction;
}

TEST(Friction, a_block_slides_to_a_stop_and_sticks) {
  // v = 2 - mu g t for mu = 0.3: rest at t = 2/(mu g), x = 2^2/(2 mu g).
  Block block(coulomb(0.3));
  block.model.fix(block.v, 2);
  const double a = 0.3 * kGravity;
  const Simulation simulation = run(block.model, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 2u);  // closed at the start, at rest
  EXPECT_NEAR(simulation.summary.events[1].t, 2 / a, 1e-12);
  EXPECT_NEAR(final_value(simulation, "x"), 2 / a, 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-13);
  EXPECT_NEAR(final_value(simulation, "T"), 0, 1e-13);
  EXPECT_NEAR(final_value(simulation, "F"), kGravity, 1e-12);
}

TEST(Friction, sliding_backward_is_braked_forward) {
  Block block(coulomb(0.3));
  block.model.fix(block.v, -2);
  const Simulation simulation = run(block.model, 1);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "x"), -2 / (0.3 * kGravity), 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-13);
}

TEST(Friction, static_friction_breaks_at_its_own_coefficient) {
  // The drive 3 t breaks loose at mu_s g / 3; then v' = 3 t - mu g. With mu_s = 0.5, mu = 0.3.
  ContactFriction friction = coulomb(0.3);
  friction.mu_static = 0.5;
  Block block(friction, 0, 3);
  const Simulation simulation = run(block.model, 3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 2u);
  const double t = 0.5 * kGravity / 3, rest = 3 - t;
  EXPECT_NEAR(simulation.summary.events[1].t, t, 1e-12);
  EXPECT_NEAR(right_limit(simulation.summary.events[1], "T"), -0.3 * kGravity, 1e-12);
  EXPECT_NEAR(final_value(simulation, "v"), 1.5 * (9 - t * t) - 0.3 * kGravity * rest, 1e-11);
}

TEST(Friction, with_equal_coefficients_nothing_jumps_where_it_breaks_loose) {
  Block block(coulomb(0.5), 0, -3);
  const Simulation simulation = run(block.model, 3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  ASSERT_EQ(simulation.summary.events.size(), 2u);
  const double t = 0.5 * kGravity / 3, rest = 3 - t;
  EXPECT_NEAR(simulation.summary.events[1].t, t, 1e-12);
  EXPECT_TRUE(simulation.summary.events[1].jumps.empty());
  EXPECT_NEAR(final_value(simulation, "v"), -1.5 * rest * rest, 1e-11);
}

TEST(Friction, a_body_that_bounces_loses_speed_along_the_ground_at_each_impact) {
  // From h = 1 with v = 10, e = 0.7, mu = 0.3. Impact k has the speed e^k sqrt(2 g), the impulse
  // (1 + e) times it, and takes mu of that along the ground. At the limit of the impacts
  // v = 10 - mu (1 + e)/(1 - e) sqrt(2 g); then it slides to rest with mu g.
  Block block(coulomb(0.3), 0.7);
  block.model.fix(block.h, 1), block.model.fix(block.v, 10);
  const Simulation simulation = run(block.model, 4);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  const double fall = std::sqrt(2 / kGravity), speed = kGravity * fall;
  for (std::size_t k = 0; k < 8; ++k) {
    const EventRecord& event = simulation.summary.events[k];
    const double impulse = 1.7 * speed * std::pow(0.7, static_cast<double>(k));
    EXPECT_NEAR(impulse_of(event, "F"), impulse, 1e-11 * impulse) << k;
    EXPECT_NEAR(impulse_of(event, "T"), -0.3 * impulse, 1e-11 * impulse) << k;
  }
  const double left = 10 - 0.3 * 1.7 / 0.3 * speed, limit = fall * 1.7 / 0.3;
  const EventRecord& stop = simulation.summary.events.back();
  EXPECT_NEAR(stop.t, limit + left / (0.3 * kGravity), 1e-11);
  EXPECT_EQ(simulation.summary.events[simulation.summary.events.size() - 2].kind, "zeno");
  EXPECT_NEAR(final_value(simulation, "v"), 0, 1e-12);
  EXPECT_NEAR(final_value(simulation, "h"), 0, 1e-12);
}

// A solid ball of mass and radius 1 with spin: the point of contact moves with v + s, where s is
// the speed of the surface and der(s) = 5/2 T. The response of the slip to T is 1 + 5/2.
Model spinning_ball(double mu, double restitution, double slip_restitution, ImpactLaw law) {
  Model m("ball");
  const Expr v = m.variable("v"), s = m.variable("s"), h = m.variable("h"), w = m.variable("w");
  const Expr F = m.variable("F"), T = m.variable("T");
  m.equation(der(v) == T);
  m.equation(der(s) == 2.5 * T);
  m.equation(der(h) == w);
  m.equation(der(w) == F - kGravity);
  ContactFriction friction;
  friction.slip = v + s;
  friction.force = T;
  friction.mu = mu;
  friction.restitution = slip_restitution;
  add_contact(m,
              {.gap = h, .force = F, .restitution = restitution, .law = law, .friction = friction});
  m.fix(v, 1), m.fix(s, 0), m.fix(h, 0), m.fix(w, -2);
  return m;
}

TEST(FrictionImpact, the_ball_grips_if_the_bound_allows_and_slides_otherwise) {
  // Grip takes T = -1/3.5; normal impulse 2 (1 + e) = 3. mu = 0.05 allows 0.15 < 1/3.5.
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential}) {
    const Simulation grips = run(spinning_ball(0.5, 0.5, 0, law), 0.01);
    ASSERT_TRUE(grips.summary.succeeded()) << grips.summary.message;
    EXPECT_NEAR(impulse_of(grips.summary.events[0], "F"), 3, 1e-12);
    EXPECT_NEAR(impulse_of(grips.summary.events[0], "T"), -1 / 3.5, 1e-12);
    const Simulation slides = run(spinning_ball(0.05, 0.5, 0, law), 0.01);
    EXPECT_NEAR(impulse_of(slides.summary.events[0], "T"), -0.15, 1e-12);
    EXPECT_NEAR(final_value(slides, "v"), 0.85, 1e-12);
  }
}

TEST(FrictionImpact, tangential_restitution_turns_the_slip) {
  // By Newton's law the slip 1 becomes -0.6: T = -1.6/3.5, within mu times 3. By Poisson's law the
  // compression stops the slip with -1/3.5 and the expansion, of normal impulse 1, gives -0.6/3.5.
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson}) {
    const Simulation simulation = run(spinning_ball(0.5, 0.5, 0.6, law), 0.01);
    ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
    EXPECT_NEAR(impulse_of(simulation.summary.events[0], "T"), -1.6 / 3.5, 1e-12);
    EXPECT_NEAR(final_value(simulation, "v") + final_value(simulation, "s"), -0.6, 1e-12);
  }
}

// Kane's double pendulum: two rods of mass and length 1 hang one from the other; the lower end
// strikes the ground. At 20 and 30 degrees with speeds -0.1 and -0.2, e = mu = 0.5, Newton's law
// makes the end stick and gains energy (Kane & Levinson 1985).
Model kane_pendulum(ImpactLaw law) {
  Model m("kane");
  const Expr a = m.variable("a"), b = m.variable("b"), F = m.variable("F"), T = m.variable("T");
  // 4/3 a'' + 1/2 cos(a-b) b'' + ... of the Lagrangian; the speed terms do not act at an impact.
  m.equation(4.0 / 3 * der(a, 2) + 0.5 * cos(a - b) * der(b, 2) + 0.5 * sin(a - b) * sqr(der(b)) +
                 1.5 * kGravity * sin(a) ==
             F * sin(a) + T * cos(a));
  m.equation(1.0 / 3 * der(b, 2) + 0.5 * cos(a - b) * der(a, 2) - 0.5 * sin(a - b) * sqr(der(a)) +
                 0.5 * kGravity * sin(b) ==
             F * sin(b) + T * cos(b));
  const double start_a = 20 * std::numbers::pi / 180, start_b = 30 * std::numbers::pi / 180;
  ContactFriction friction;
  friction.slip = cos(a) * der(a) + cos(b) * der(b);
  friction.force = T;
  friction.mu = 0.5;
  add_contact(m, {.gap = std::cos(start_a) + std::cos(start_b) - cos(a) - cos(b),
                  .force = F,
                  .restitution = 0.5,
                  .law = law,
                  .friction = friction});
  m.fix(a, start_a), m.fix(b, start_b), m.fix(der(a), -0.1), m.fix(der(b), -0.2);
  return m;
}

// Impulses by Poisson's law, from all combinations of sticking and sliding in compression and
// expansion, 25 digits: the end slides backward in compression and sticks in expansion.
void expect_poissons_impulses(const Simulation& simulation) {
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(impulse_of(simulation.summary.events[0], "F"), 0.11371673201672621865, 1e-12);
  EXPECT_NEAR(impulse_of(simulation.summary.events[0], "T"), 0.038591413195326367066, 1e-12);
}

TEST(FrictionImpact, newtons_law_that_gains_energy_gives_way_to_poissons) {
  const Simulation simulation = run(kane_pendulum(ImpactLaw::kNewton), 1e-3);
  expect_poissons_impulses(simulation);
  // Newton's law: impulses 0.567980 and -0.244597; L'(v+ + v-)/2 = 0.0136190 of 0.0231814.
  EXPECT_EQ(simulation.summary.warnings,
            std::vector<std::string>{
                "impact at t = 0 of `contact1`: Newton's law would gain the energy 0.013619; "
                "Poisson's law is used"});
}

TEST(FrictionImpact, poissons_law_loses_energy) {
  const Simulation simulation = run(kane_pendulum(ImpactLaw::kPoisson), 1e-3);
  expect_poissons_impulses(simulation);
  EXPECT_TRUE(simulation.summary.warnings.empty());
}

// A rod of length 2 and mass 1 that slides to the right on its front end, at the angle with tan = 2
// to the ground. The responses of the end are 1.6 (normal), 3.4 (tangential), 1.2 (mixed), so that
// in sliding the normal force accelerates the end by A = 1.6 - 1.2 mu; for mu > 4/3 it pulls.
Model sliding_rod(double mu, double w) {
  Model m("rod");
  const Expr x = m.variable("x"), y = m.variable("y"), a = m.variable("a");
  const Expr F = m.variable("F"), T = m.variable("T");
  const double angle = std::atan(2.0);
  m.equation(der(x, 2) == T);
  m.equation(der(y, 2) == F - kGravity);
  m.equation(der(a, 2) == -3 * (F * cos(a) + T * sin(a)));
  ContactFriction friction;
  friction.slip = der(x) - sin(a) * der(a);
  friction.force = T;
  friction.mu = mu;
  add_contact(m, {.gap = y - sin(a), .force = F, .friction = friction});
  m.fix(a, angle), m.fix(der(a), w);
  m.fix(x, 0), m.fix(der(x), 10 + std::sin(angle) * w);
  m.fix(y, std::sin(angle)), m.fix(der(y), w * std::cos(angle));
  return m;
}

TEST(PainleveFriction, little_friction_slides_on) {
  // A = 0.4: F = g/0.4.
  const Simulation simulation = run(sliding_rod(1, 0), 1e-3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_TRUE(simulation.summary.warnings.empty());
  EXPECT_NEAR(right_limit(simulation.summary.events[0], "F"), kGravity / 0.4, 1e-10);
  EXPECT_NEAR(right_limit(simulation.summary.events[0], "T"), -kGravity / 0.4, 1e-10);
}

TEST(PainleveFriction, much_friction_stops_the_end_by_an_impulse_without_collision) {
  // A = -0.2 and the end would accelerate downwards. Impulses that stop it at once:
  // 1.6 P + 1.2 Q = 0, 1.2 P + 3.4 Q = -10: P = 3, Q = -4, within mu P = 4.5.
  const Simulation simulation = run(sliding_rod(1.5, 0), 1e-3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(impulse_of(simulation.summary.events[0], "F"), 3, 1e-11);
  EXPECT_NEAR(impulse_of(simulation.summary.events[0], "T"), -4, 1e-11);
}

TEST(PainleveFriction, a_rod_that_may_fly_or_stay_flies_with_a_warning) {
  // A = -0.2, and the end accelerates upwards by w^2 sin(angle) - g for w = 4.
  const Simulation simulation = run(sliding_rod(1.5, 4), 1e-3);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_NEAR(final_value(simulation, "F"), 0, 1e-13);
  EXPECT_EQ(simulation.summary.warnings,
            std::vector<std::string>{
                "event at t = 0: `contact1` may open or stay closed, its force would pull it shut "
                "(it accelerates the gap by -0.2 per unit); it opens"});
}

// The woodpecker toy of Glocker and Leine: a sleeve (y, a) slides down a pole and tilts in its two
// contacts; a woodpecker (b) on a spring swings and strikes the pole with its beak. Coordinates and
// numbers as in Leine, van Campen & Glocker, Journal of Vibration and Control 9 (2003).
Model woodpecker(double start_a) {
  constexpr double rO = .0025, rM = .0031, hM = .0058, lM = .01, lG = .015, hS = .02, lS = .0201,
                   mM = .0003, mS = .0045, JM = 5e-9, JS = 7e-7, c = .0056;
  Model m("woodpecker");
  const Expr y = m.variable("y"), a = m.variable("a"), b = m.variable("b");
  std::vector<Expr> F, T;
  for (int k = 1; k <= 3; ++k) {
    F.push_back(m.variable("F" + std::to_string(k)));
    T.push_back(m.variable("T" + std::to_string(k)));
  }
  const auto sum = [&](double n1, double n2, double n3, double t1, double t2, double t3) {
    return n1 * F[0] + n2 * F[1] + n3 * F[2] + t1 * T[0] + t2 * T[1] + t3 * T[2];
  };
  m.equation((mS + mM) * der(y, 2) + mS * lM * der(a, 2) + mS * lG * der(b, 2) ==
             -(mS + mM) * kGravity + sum(0, 0, 0, 1, 1, 1));
  m.equation(mS * lM * der(y, 2) + (JM + mS * lM * lM) * der(a, 2) + mS * lM * lG * der(b, 2) ==
             -c * (a - b) - mS * lM * kGravity + sum(0, hM, -hM, lM, rM, rM));
  m.equation(mS * lG * der(y, 2) + mS * lM * lG * der(a, 2) + (JS + mS * lG * lG) * der(b, 2) ==
             c * (a - b) - mS * lG * kGravity + sum(-hS, 0, 0, lG - lS, 0, 0));
  const Expr gaps[] = {lM + lG - lS - rO - hS * b, rM - rO + hM * a, rM - rO - hM * a};
  const Expr sleeve = der(y) + rM * der(a);
  const Expr slips[] = {der(y) + lM * der(a) + (lG - lS) * der(b), sleeve, sleeve};
  for (std::size_t k = 0; k < 3; ++k) {
    ContactFriction friction;
    friction.slip = slips[k];
    friction.force = T[k];
    friction.mu = 0.3;
    add_contact(m, {.gap = gaps[k],
                    .force = F[k],
                    .restitution = k == 0 ? 0.5 : 0,
                    .law = ImpactLaw::kNewton,
                    .friction = friction});
  }
  m.fix(y, 0), m.fix(a, start_a), m.fix(b, -.2788);
  m.fix(der(y), -.3411), m.fix(der(a), 0), m.fix(der(b), -7.4583);
  return m;
}

TEST(Woodpecker, two_periods_of_sticking_sliding_and_impacts) {
  // Between events the equations are linear. Reference: Taylor series at 40 digits in each of the
  // 4^3 combinations of contact states, the one that is consistent just after each event, and
  // impacts by trying all combinations (Newton's law, mu = 0.3). Beak impacts 4 and 13.
  const double times[] = {0,
                          0.02163631405329952402,
                          0.061213931247964802481,
                          0.067023398144524254585,
                          0.077877992289727945316,
                          0.080988805418649230647,
                          0.081575328789609301845,
                          0.083416385579125362001,
                          0.11867511294882421975,
                          0.12133547055798887847,
                          0.16738952286887091119,
                          0.20699984851343736179,
                          0.2128300801442069281,
                          0.22374864391961980997,
                          0.22684149402744710493,
                          0.22741480366651108621,
                          0.22928141983448152905};
  const Simulation simulation = run(woodpecker(-.0006 / .0058), 0.25);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  const auto& events = simulation.summary.events;
  ASSERT_EQ(events.size(), std::size(times));
  for (std::size_t k = 0; k < events.size(); ++k) EXPECT_NEAR(events[k].t, times[k], 1e-11) << k;
  const auto expect_impulses = [&](std::size_t event, int contact, double normal, double friction) {
    const std::string number = std::to_string(contact);
    EXPECT_NEAR(impulse_of(events[event], "F" + number), normal, 1e-11 * normal) << event;
    EXPECT_NEAR(impulse_of(events[event], "T" + number), friction, 1e-11 * normal) << event;
  };
  expect_impulses(4, 3, 0.000049005881452750091636, 0.000014701764435825027491);
  expect_impulses(5, 1, 0.0012860416752604518537, -0.00038581250257813555612);
  expect_impulses(6, 3, 0.00018752683052552186221, -0.000056258049157656558664);
  expect_impulses(8, 2, 0.000080700341070754371662, 0.000024210102321226311499);
  expect_impulses(9, 2, 0.00001081848752345828985, 3.245546257037486955e-6);
  expect_impulses(14, 1, 0.0012832235271254118372, -0.00038496705813762355115);
}

TEST(Woodpecker, what_happens_does_not_depend_on_the_tolerance) {
  const auto relations = [](double tolerance) {
    std::vector<std::vector<std::string>> all;
    for (const EventRecord& event : run(woodpecker(-.0006 / .0058), 0.25, tolerance).summary.events)
      all.push_back(event.relations);
    return all;
  };
  const auto accurate = relations(1e-13);
  EXPECT_EQ(accurate.size(), 17u);
  EXPECT_EQ(relations(1e-6), accurate);
  EXPECT_EQ(relations(1e-9), accurate);
}

TEST(Woodpecker, a_start_that_penetrates_a_little_closes_without_an_impact) {
  // The published start a = -0.1036 lies 8.8e-7 m inside the pole.
  const Simulation simulation = run(woodpecker(-.1036), 0.05);
  ASSERT_TRUE(simulation.summary.succeeded()) << simulation.summary.message;
  EXPECT_TRUE(simulation.summary.events[0].impulses.empty());
  EXPECT_NEAR(final_value(simulation, "a"), -.0006 / .0058, 1e-12);
  // As from the start without penetration, but for what the shift of 1.5e-4 in a does.
  EXPECT_NEAR(simulation.summary.events[1].t, 0.0216363, 1e-4);
}

TEST(FrictionMessages, numbers_out_of_range) {
  const auto message = [](ContactFriction friction) -> std::string {
    try {
      run(Block(friction).model, 1);
    } catch (const ModelError& error) {
      return error.diagnostics().items()[0].message;
    }
    return "";
  };
  EXPECT_EQ(message(coulomb(-0.1)),
            "contact `contact1`: the friction coefficient -0.1 is not at least 0");
  ContactFriction friction = coulomb(0.5);
  friction.mu_static = 0.4;
  EXPECT_EQ(message(friction),
            "contact `contact1`: the static friction coefficient 0.4 is not at least 0.5");
  friction = coulomb(0.5);
  friction.restitution = 1.5;
  EXPECT_EQ(message(friction),
            "contact `contact1`: the tangential restitution 1.5 is not between 0 and 1");
}

}  // namespace
}  // namespace hydae
