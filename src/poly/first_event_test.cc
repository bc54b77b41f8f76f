#include "poly/first_event.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>
#include <vector>

#include "poly/product_polynomial.h"

namespace hydae::poly {
namespace {

using testing::ElementsAre;

FirstEvent find_first(const std::vector<std::vector<double>>& polynomials, double remainder = 0,
                      const std::vector<int>& held = {}) {
  std::vector<Guard> guards;
  for (std::size_t k = 0; k < polynomials.size(); ++k) {
    guards.push_back({polynomials[k], remainder, 0, held.empty() ? 0 : held[k]});
  }
  FirstEventFinder finder;
  return finder.find(guards);
}

std::vector<int> indices(const std::vector<GuardRoot>& roots) {
  std::vector<int> result;
  for (const GuardRoot& root : roots) result.push_back(root.guard);
  return result;
}

TEST(FirstEvent, is_the_earliest_of_all_guards) {
  const auto event = find_first({{-0.7, 1}, {5, 1}, {0.3, -1}, {-0.4, 1}});
  EXPECT_TRUE(event.has_event());
  EXPECT_NEAR(event.tau, 0.3, 1e-15);
  EXPECT_THAT(indices(event.guards), ElementsAre(2));
}

TEST(FirstEvent, none_without_guards_or_roots) {
  EXPECT_FALSE(find_first({}).has_event());
  EXPECT_FALSE(find_first({{1, 1}, {-1, -1}}).has_event());
}

TEST(FirstEvent, same_zero_in_different_guards_is_one_event) {
  // x - 0.3, 0.09 - x^2 and (x - 0.3)(x - 2): rounding puts the roots a few bits apart.
  const auto event = find_first({{-0.3, 1}, {0.6, -2.3, 1}, {0.09, 0, -1}, {-0.3001, 1}});
  EXPECT_THAT(indices(event.guards), ElementsAre(0, 1, 2));
}

TEST(FirstEvent, zeros_within_their_uncertainties_are_simultaneous_in_any_order) {
  const std::vector<double> a{-0.3, 1}, b{-0.3 - 1.5e-8, 1}, c{-0.3 - 3e-8, 1};
  // rho = 1e-8: a and b overlap (distance 1.5e-8 < 2e-8), a and c do not.
  EXPECT_THAT(indices(find_first({a, b, c}, 1e-8).guards), ElementsAre(0, 1));
  EXPECT_THAT(indices(find_first({c, b, a}, 1e-8).guards), ElementsAre(1, 2));
  EXPECT_THAT(indices(find_first({c, a, b}, 1e-8).guards), ElementsAre(1, 2));
}

TEST(FirstEvent, touch_is_reported_but_does_not_stop_the_step) {
  const auto event = find_first({{0.04, -0.4, 1}, {-0.6, 1}, {0.64, -1.6, 1}});
  EXPECT_NEAR(event.tau, 0.6, 1e-15);
  EXPECT_THAT(indices(event.grazing), ElementsAre(0));  // at 0.2; the touch at 0.8 comes later
  EXPECT_NEAR(event.grazing[0].root.tau, 0.2, 1e-15);
}

TEST(FirstEvent, guard_leaving_zero_for_its_held_side_is_quiet) {
  EXPECT_FALSE(find_first({{-1e-18, 1}}, 0, {1}).has_event());
  EXPECT_FALSE(find_first({{0, 1}}, 0, {1}).has_event());
}

TEST(FirstEvent, guard_leaving_zero_for_the_other_side_fires_at_the_start) {
  const auto event = find_first({{1e-18, -1}}, 0, {1});
  ASSERT_TRUE(event.has_event());
  EXPECT_NEAR(event.tau, 0, 1e-15);
  EXPECT_EQ(event.guards[0].root.sign_before, 1);
  EXPECT_EQ(event.guards[0].root.sign_after, -1);
}

TEST(FirstEvent, guard_on_the_wrong_side_fires_at_the_start) {
  const auto event = find_first({{-0.2, 1}, {-0.1, 1}}, 0, {1, -1});
  EXPECT_EQ(event.tau, 0);
  EXPECT_THAT(indices(event.guards), ElementsAre(0));
}

TEST(FirstEvent, zero_and_broken_guards_are_named) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto event = find_first({{0, 0}, {std::nan("")}, {-0.5, 1}, {inf}, {1e-20}}, 1e-18);
  EXPECT_THAT(event.undecided_guards, ElementsAre(0, 4));
  EXPECT_THAT(event.failed_guards, ElementsAre(1, 3));
  EXPECT_THAT(indices(event.guards), ElementsAre(2));
}

TEST(FirstEvent, events_on_the_mesh_fire_in_consecutive_steps) {
  // u = t, guards u - 0.001 and u - 0.002, steps of 1e-6: 1000 and 2000 steps to each, on step
  // ends.
  const double h = 1e-6;
  std::vector<int> held{-1, -1};
  std::vector<double> fired;
  FirstEventFinder finder;
  for (int step = 0; step < 2500; ++step) {
    const double t = step * h;
    const std::vector<double> a{t - 0.001, h}, b{t - 0.002, h};
    const std::vector<Guard> guards{{a, 0, 0, held[0]}, {b, 0, 0, held[1]}};
    for (const GuardRoot& root : finder.find(guards).guards) {
      if (root.root.kind() == RootKind::kOpen) continue;  // decided by the next step's start
      held[static_cast<std::size_t>(root.guard)] = 1;
      fired.push_back(t + root.root.tau * h);
    }
  }
  EXPECT_THAT(fired,
              ElementsAre(testing::DoubleNear(0.001, 1e-15), testing::DoubleNear(0.002, 1e-15)));
}

TEST(FirstEvent, agrees_with_brute_force_over_random_lines) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-2, 2);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<std::vector<double>> lines;
    double expected = 2;
    for (int k = 0; k < trial % 12; ++k) {
      const double root = uniform(random), slope = uniform(random);
      lines.push_back({-slope * root, slope});
      if (root > 1e-9 && root <= 1 - 1e-9) expected = std::min(expected, root);
    }
    const auto event = find_first(lines);
    ASSERT_EQ(event.has_event(), expected < 2);
    if (!event.has_event()) continue;
    EXPECT_NEAR(event.tau, expected, 1e-14);
  }
}

}  // namespace
}  // namespace hydae::poly
