#include "sim/tick_times.h"

#include <gtest/gtest.h>

#include "sim/history.h"

namespace hydae {
namespace {

TEST(Fraction, is_the_one_that_was_written) {
  const auto tenth = find_fraction(0.1);
  ASSERT_TRUE(tenth);
  EXPECT_EQ(tenth->numerator, 1);
  EXPECT_EQ(tenth->denominator, 10);
  EXPECT_EQ(find_fraction(-2.5)->numerator, -5);
  EXPECT_EQ(find_fraction(0)->numerator, 0);
  EXPECT_EQ(find_fraction(0.0123)->denominator, 10000);
  EXPECT_FALSE(find_fraction(3.141592653589793));
  EXPECT_FALSE(find_fraction(1e300));
}

TEST(TickTimes, are_rounded_once) {
  EXPECT_NE(3 * 0.1, 0.3);
  EXPECT_EQ(tick_time(0, 0.1, 3), 0.3);
  for (int n = 0; n < 100000; ++n) ASSERT_EQ(tick_time(0, 0.01, n), n / 100.0) << n;
  EXPECT_EQ(tick_time(0.05, 0.1, 7), 0.75);
}

TEST(TickTimes, next_one_is_after_now) {
  EXPECT_EQ(next_tick(0, 0.1, 0.3, 1), 0.4);
  EXPECT_EQ(next_tick(0, 0.1, 0.29999999999999993, 1), 0.3);
  EXPECT_EQ(next_tick(1, 1, -5, 1), 1.0);
  EXPECT_EQ(next_tick(0, 0.1, 0.3, -1), 0.2);
  EXPECT_FALSE(next_tick(0, 0.1, 0, -1));
  EXPECT_FALSE(next_tick(0, 0, 1, 1));
  EXPECT_TRUE(is_tick(0, 0.1, 0.3));
  EXPECT_FALSE(is_tick(0, 0.1, 0.35));
  EXPECT_FALSE(is_tick(1, 1, 0));
}

TEST(History, gives_the_piece_that_begins) {
  History history;
  history.begin(0, 5);
  history.add({0, 1, 0, 1, {1, 2}});
  history.add({1, 2, 1, 1, {7}});
  EXPECT_EQ(history.at(-3).coefficients[0], 5);
  EXPECT_EQ(history.at(0).coefficients[0], 1);
  EXPECT_EQ(history.at(0.99).coefficients[0], 1);
  EXPECT_EQ(history.at(1).coefficients[0], 7);
  EXPECT_EQ(history.at(9).coefficients[0], 7);
  // A step that was taken back.
  history.add({0.5, 1.5, 0.5, 1, {3}});
  EXPECT_EQ(history.at(0.4).end, 0.5);
  EXPECT_EQ(history.at(1.2).coefficients[0], 3);
  history.forget_before(0.5);
  EXPECT_EQ(history.at(0.1).coefficients[0], 1);
}

TEST(History, a_constant_that_stays_is_one_piece) {
  History history;
  history.begin(0, 5);
  history.add({0, 1, 0, 1, {5, 0}});
  history.add({1, 2, 1, 0.5, {5, 0, 0}});
  EXPECT_EQ(history.at(-3).end, 2);
  history.add({2, 3, 2, 1, {5, 1}});  // begins to move
  EXPECT_EQ(history.at(1).end, 2);
  EXPECT_EQ(history.at(2.5).start, 2);
}

TEST(History, a_value_that_is_held_ends_where_the_next_begins) {
  History history;
  history.begin(0, 5);
  history.hold(0, 5);
  EXPECT_GT(history.at(1).end, 1e9);
  history.hold(2, 7);
  EXPECT_EQ(history.at(1).end, 2);
  EXPECT_EQ(history.at(3).coefficients[0], 7);
  history.hold(4, 7);
  EXPECT_EQ(history.at(5).start, 2);
}

}  // namespace
}  // namespace hydae
