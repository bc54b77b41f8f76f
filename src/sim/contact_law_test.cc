#include "sim/contact_law.h"

#include <gtest/gtest.h>
#include <random>

namespace hydae {
namespace {

// N balls in a row with the given masses and speeds: gap speeds v[i+1] - v[i].
struct Row {
  Eigen::VectorXd masses, speeds;

  ContactImpact impact(ImpactLaw law, double e) const {
    const Eigen::Index n = masses.size() - 1;
    ContactImpact in;
    in.law = law;
    in.W = Eigen::MatrixXd::Zero(n, n);
    in.before.resize(n);
    in.restitution = Eigen::VectorXd::Constant(n, e);
    for (Eigen::Index i = 0; i < n; ++i) {
      in.before(i) = speeds(i + 1) - speeds(i);
      in.W(i, i) = 1 / masses(i) + 1 / masses(i + 1);
      if (i + 1 < n) in.W(i, i + 1) = in.W(i + 1, i) = -1 / masses(i + 1);
    }
    return in;
  }

  Eigen::VectorXd after(const ContactImpulses& result) const {
    Eigen::VectorXd v = speeds;
    for (Eigen::Index i = 0; i < result.impulses.size(); ++i) {
      v(i) -= result.impulses(i) / masses(i);
      v(i + 1) += result.impulses(i) / masses(i + 1);
    }
    return v;
  }
};

void expect_speeds(const Row& row, ImpactLaw law, double e, const std::vector<double>& expected) {
  const auto result = solve_impact(row.impact(law, e));
  ASSERT_TRUE(result);
  const Eigen::VectorXd v = row.after(*result);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(v(static_cast<Eigen::Index>(i)), expected[i], 1e-13) << i;
}

const Row kCradle{Eigen::VectorXd::Ones(3), Eigen::VectorXd{{1, 0, 0}}};

TEST(ContactLaw, cradle_of_three_all_at_once) {
  // Both laws for all contacts at once keep the energy and give (-1/3, 2/3, 2/3).
  expect_speeds(kCradle, ImpactLaw::kNewton, 1, {-1.0 / 3, 2.0 / 3, 2.0 / 3});
  expect_speeds(kCradle, ImpactLaw::kPoisson, 1, {-1.0 / 3, 2.0 / 3, 2.0 / 3});
}

TEST(ContactLaw, cradle_one_impact_after_the_other) {
  expect_speeds(kCradle, ImpactLaw::kSequential, 1, {0, 0, 1});
  expect_speeds({Eigen::VectorXd::Ones(5), Eigen::VectorXd{{1, 1, 0, 0, 0}}},
                ImpactLaw::kSequential, 1, {0, 0, 0, 1, 1});
}

TEST(ContactLaw, cradle_of_five_all_at_once) {
  // The first gap reverses its speed, -1 to 1; the others keep theirs, 0: speeds (v, w, w, w, w)
  // with w - v = 1 and v + 4 w = 1 give (-3/5, 2/5, ...). Energy: 9/25 + 4 * 4/25 = 1.
  expect_speeds({Eigen::VectorXd::Ones(5), Eigen::VectorXd{{1, 0, 0, 0, 0}}}, ImpactLaw::kNewton, 1,
                {-0.6, 0.4, 0.4, 0.4, 0.4});
}

TEST(ContactLaw, unequal_masses_of_three_by_newtons_law_are_those_of_the_paper) {
  // Three masses, both gaps closing, c = 0.6: see problem three_masses.
  expect_speeds({Eigen::VectorXd{{1, 1, 1}}, Eigen::VectorXd{{2, 0, -1}}}, ImpactLaw::kNewton, 0.6,
                {-2.0 / 3, 8.0 / 15, 17.0 / 15});
  expect_speeds({Eigen::VectorXd{{1, 2, 3}}, Eigen::VectorXd{{2, 0, -1}}}, ImpactLaw::kNewton, 0.6,
                {-22.0 / 15, -4.0 / 15, 1.0 / 3});
}

TEST(ContactLaw, energy_is_never_gained_and_lost_without_restitution) {
  for (const ImpactLaw law : {ImpactLaw::kNewton, ImpactLaw::kPoisson, ImpactLaw::kSequential}) {
    const auto elastic = solve_impact(kCradle.impact(law, 1));
    EXPECT_NEAR(elastic->energy_gain, 0, 1e-14);
    const auto plastic = solve_impact(kCradle.impact(law, 0));
    // All three move with 1/3: energy 1/6 of 1/2.
    EXPECT_NEAR(plastic->energy_gain, 1.0 / 6 - 0.5, law == ImpactLaw::kSequential ? 1e-9 : 1e-14);
  }
}

TEST(ContactLaw, a_response_that_pulls_has_no_solution) {
  ContactImpact painleve;
  painleve.W = Eigen::MatrixXd::Constant(1, 1, -0.2);
  painleve.before = Eigen::VectorXd::Constant(1, -1);
  painleve.restitution = Eigen::VectorXd::Zero(1);
  EXPECT_FALSE(solve_impact(painleve));
}

// Random bodies: W = G G' for directions G, with `spare` more degrees of freedom than directions or
// less.
ContactImpact random_impact(std::mt19937& random, int spare) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto n = static_cast<Eigen::Index>(1 + random() % 3);
  ContactImpact impact;
  impact.restitution.resize(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    impact.restitution(i) = 0.5 + 0.5 * uniform(random);
    if (i == 0 || random() % 3 != 0) impact.friction.push_back({i, 1 + uniform(random), 0});
  }
  const auto size = n + static_cast<Eigen::Index>(impact.friction.size());
  const auto fill = [&](double) { return uniform(random); };
  const Eigen::MatrixXd G = Eigen::MatrixXd::Zero(size, size + spare).unaryExpr(fill);
  impact.W = G * G.transpose();
  impact.before = G * Eigen::VectorXd::Zero(G.cols()).unaryExpr(fill);
  return impact;
}

TEST(FrictionLaw, newtons_law_satisfies_coulombs_inequalities_for_random_bodies) {
  std::mt19937 random(7);
  for (int k = 0; k < 500; ++k) {
    // With redundant contacts Newton's law may ask for the impossible: a body between two others.
    const ContactImpact in = random_impact(random, k % 3);
    const auto out = solve_impact(in);
    ASSERT_TRUE(out) << k;
    const Eigen::Index n = in.num_contacts();
    const double small = 1e-9 * (1 + out->impulses.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < n; ++i) {
      const double left = out->after(i) + in.restitution(i) * std::min(0.0, in.before(i));
      EXPECT_GE(out->impulses(i), 0) << k;
      EXPECT_GE(left, -small) << k;
      EXPECT_NEAR(out->impulses(i) * left, 0, small) << k;
    }
    for (std::size_t f = 0; f < in.friction.size(); ++f) {
      const Eigen::Index t = n + static_cast<Eigen::Index>(f);
      const double bound = in.friction[f].mu * out->impulses(in.friction[f].contact);
      const double slip = out->after(t);
      EXPECT_LE(std::abs(out->impulses(t)), bound + small) << k;
      EXPECT_NEAR(slip * out->impulses(t) + bound * std::abs(slip), 0, small) << k;
    }
  }
}

TEST(FrictionLaw, poissons_law_never_closes_a_gap_and_keeps_the_cone) {
  std::mt19937 random(11);
  for (int k = 0; k < 500; ++k) {
    ContactImpact in = random_impact(random, k % 3 - 1);
    in.law = ImpactLaw::kPoisson;
    const auto out = solve_impact(in);
    ASSERT_TRUE(out) << k;
    const double small = 1e-9 * (1 + out->impulses.cwiseAbs().maxCoeff());
    for (Eigen::Index i = 0; i < in.num_contacts(); ++i) {
      EXPECT_GE(out->after(i), -small) << k;
      EXPECT_GE(out->impulses(i), -small) << k;
    }
    for (std::size_t f = 0; f < in.friction.size(); ++f)
      EXPECT_LE(std::abs(out->impulses(in.num_contacts() + static_cast<Eigen::Index>(f))),
                in.friction[f].mu * out->impulses(in.friction[f].contact) + small)
          << k;
  }
}

TEST(FrictionLaw, without_restitution_energy_is_never_gained) {
  // Each impulse works against the speed that it ends with: L'v+ <= 0, and
  // L'(v+ + v-)/2 = L'v+ - L'W L/2.
  std::mt19937 random(13);
  for (int k = 0; k < 500; ++k) {
    ContactImpact in = random_impact(random, k % 3 - 1);
    in.restitution.setZero();
    const auto out = solve_impact(in);
    ASSERT_TRUE(out) << k;
    EXPECT_LE(out->energy_gain, 1e-9 * (1 + out->impulses.squaredNorm())) << k;
  }
}

TEST(FrictionLaw, an_impact_without_collision_stops_the_end_of_painleves_rod) {
  // Responses 1.6, 1.2, 3.4 and slip 10: see sliding_rod in friction_test.cc.
  ContactImpact rod;
  rod.W = Eigen::MatrixXd{{1.6, 1.2}, {1.2, 3.4}};
  rod.before = Eigen::VectorXd{{0, 10}};
  rod.restitution = Eigen::VectorXd::Constant(1, 0.5);
  rod.friction = {{0, 1.5, 0}};
  const auto stopped = solve_impact_without_collision(rod);
  ASSERT_TRUE(stopped);
  EXPECT_NEAR(stopped->impulses(0), 3, 1e-13);
  EXPECT_NEAR(stopped->impulses(1), -4, 1e-13);
  // With little friction nothing stops it.
  rod.friction = {{0, 1, 0}};
  EXPECT_FALSE(solve_impact_without_collision(rod));
}

}  // namespace
}  // namespace hydae
