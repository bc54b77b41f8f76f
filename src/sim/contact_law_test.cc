#include "sim/contact_law.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hydae
