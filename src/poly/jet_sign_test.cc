#include "poly/jet_sign.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <hydae/error.h>

namespace hydae::poly {
namespace {

TEST(JetSign, first_entry_above_noise_decides) {
  const JetSign s = find_jet_sign(std::vector{1e-17, -2.0, 5.0}, 1e-14);
  EXPECT_EQ(s.sign, -1);
  EXPECT_EQ(s.order, 1);
}

TEST(JetSign, ball_at_rest_on_the_ground_is_pressed_down) {
  // Height, velocity, acceleration of a ball at rest: (0, 0, -g).
  const JetSign s = find_jet_sign(std::vector{0.0, 0.0, -9.81}, 0);
  EXPECT_EQ(s.sign, -1);
  EXPECT_EQ(s.order, 2);
  EXPECT_EQ(s.sign_before(), -1);  // an even order keeps the sign
}

TEST(JetSign, odd_order_had_the_other_sign_before) {
  EXPECT_EQ(find_jet_sign(std::vector{0.0, 3.0}, 0).sign_before(), -1);
  EXPECT_EQ(find_jet_sign(std::vector{3.0}, 0).sign_before(), 1);
}

TEST(JetSign, all_noise_has_no_sign) {
  const JetSign s = find_jet_sign(std::vector{1e-16, -1e-16}, 1e-15);
  EXPECT_EQ(s.sign, 0);
  EXPECT_EQ(s.order, 2);
  EXPECT_TRUE(s.is_defined);
  EXPECT_EQ(find_jet_sign(std::vector<double>{}, 0).sign, 0);
}

TEST(JetSign, each_entry_has_its_own_bound) {
  const std::vector<double> jet{0.5, -0.5}, noise{1.0, 0.1};
  EXPECT_EQ(find_jet_sign(jet, noise).sign, -1);
}

TEST(JetSign, nan_before_the_decision_is_undefined_and_after_it_is_not_seen) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(find_jet_sign(std::vector{0.0, nan, 1.0}, 0).is_defined);
  EXPECT_EQ(find_jet_sign(std::vector{0.0, nan, 1.0}, 0).sign, 0);
  EXPECT_EQ(find_jet_sign(std::vector{1.0, nan}, 0).sign, 1);
  EXPECT_EQ(find_jet_sign(std::vector{0.0, -inf}, 1).sign, -1);
}

TEST(JetSign, sizes_must_agree) {
  try {
    find_jet_sign(std::vector{1.0, 2.0}, std::vector{0.0});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "jet of 2 entries with 1 noise bounds");
  }
}

}  // namespace
}  // namespace hydae::poly
