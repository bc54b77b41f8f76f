#include "poly/root_finder.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "poly/polynomial.h"
#include "poly/product_polynomial_testing.h"

namespace hydae::poly {
namespace {

using testing::DoubleNear;
using testing::IsEmpty;
using testing::SizeIs;

RootSearch find(const std::vector<double>& p, RootOptions options = {}) {
  RootFinder finder;
  return finder.find(p, options);
}

std::vector<double> estimates(const RootSearch& search) {
  std::vector<double> result;
  for (const Root& root : search.roots) result.push_back(root.tau);
  return result;
}

// ---- what a root is ----------------------------------------------------------------------------

TEST(RootFinder, linear_root_with_its_signs_and_uncertainty) {
  const auto search = find({-0.5, 2}, {.remainder = 1e-6});  // 2 (x - 1/4): dt = rho / 2
  ASSERT_THAT(search.roots, SizeIs(1));
  const Root& root = search.roots[0];
  EXPECT_NEAR(root.tau, 0.25, 1e-16);
  EXPECT_EQ(root.kind(), RootKind::kCrossing);
  EXPECT_EQ(root.multiplicity, 1);
  EXPECT_EQ(root.sign_before, -1);
  EXPECT_EQ(root.sign_after, 1);
  EXPECT_NEAR(root.lower, 0.25 - 5e-7, 1e-15);
  EXPECT_NEAR(root.upper, 0.25 + 5e-7, 1e-15);
  EXPECT_EQ(search.start_sign, -1);
}

TEST(RootFinder, uncertainty_of_a_flat_root_is_the_mth_root_of_the_remainder) {
  // (x - 0.3)^m: |p| <= rho means |x - 0.3| <= rho^(1/m) = (m! rho / p^(m))^(1/m).
  const double rho = 1e-8;
  for (int m = 1; m <= 6; ++m) {
    const auto p =
        polynomial_with_roots(std::vector<long double>(static_cast<std::size_t>(m), 0.3L));
    const auto search = find(p, {.remainder = rho});
    ASSERT_THAT(search.roots, SizeIs(1)) << m;
    const Root& root = search.roots[0];
    EXPECT_EQ(root.multiplicity, m);
    EXPECT_EQ(root.kind(), m % 2 == 0 ? RootKind::kTouch : RootKind::kCrossing);
    EXPECT_NEAR(root.uncertainty(), std::pow(rho, 1.0 / m), 1e-5 * std::pow(rho, 1.0 / m));
    // Root of the (m-1)-th derivative, which is linear: only the coefficients' last bits move it.
    EXPECT_NEAR(root.tau, 0.3, 1e-14) << m;
  }
}

TEST(RootFinder, flat_guard_of_a_free_fall_gives_the_time_of_the_plain_guard) {
  // u = 50 - 4.9 t^2 on t = 4 tau; guard u and guard u^3 meet zero at tau = sqrt(100/9.8)/4.
  const double expected = std::sqrt(100 / 9.8) / 4;
  const std::vector<long double> u{50, 0, -4.9L * 16};
  std::vector<long double> cube{1};
  for (int i = 0; i < 3; ++i) multiply_into(cube, u);
  const auto plain = find({u.begin(), u.end()});
  const auto flat = find({cube.begin(), cube.end()});
  ASSERT_THAT(plain.roots, SizeIs(1));
  ASSERT_THAT(flat.roots, SizeIs(1));
  EXPECT_NEAR(plain.roots[0].tau, expected, 1e-15);
  // (u^3)'' = 6 u u'^2 + 3 u^2 u'' has a simple root there; the coefficients, up to 5e5, round at
  // 3e-11, against a slope of 6 u'^3 = 1.2e7.
  EXPECT_NEAR(flat.roots[0].tau, expected, 1e-13);
  EXPECT_EQ(flat.roots[0].multiplicity, 3);
  EXPECT_GT(flat.roots[0].uncertainty(), 1e-6);  // it cannot be known better: (1e-14)^(1/3)
}

// ---- pairs, touches, clusters ------------------------------------------------------------------

class PairNearTouch : public testing::TestWithParam<double> {};

TEST_P(PairNearTouch, is_resolved_into_two_crossings) {
  const double eps = GetParam();  // (x - 1/2)^2 - eps
  const auto search = find({0.25 - eps, -1, 1});
  ASSERT_THAT(search.roots, SizeIs(2));
  EXPECT_NEAR(search.roots[0].tau, 0.5 - std::sqrt(eps), 1e-16 / std::sqrt(eps));
  EXPECT_NEAR(search.roots[1].tau, 0.5 + std::sqrt(eps), 1e-16 / std::sqrt(eps));
  EXPECT_EQ(search.roots[0].sign_after, -1);
  EXPECT_EQ(search.roots[1].sign_before, -1);
  EXPECT_EQ(search.roots[1].kind(), RootKind::kCrossing);
}

INSTANTIATE_TEST_SUITE_P(Close, PairNearTouch, testing::Values(1e-4, 1e-10, 1e-13));

TEST(RootFinder, tangency_is_one_touch_at_the_extremum) {
  const auto search = find({0.25, -1, 1});
  ASSERT_THAT(search.roots, SizeIs(1));
  EXPECT_EQ(search.roots[0].kind(), RootKind::kTouch);
  EXPECT_EQ(search.roots[0].multiplicity, 2);
  EXPECT_EQ(search.roots[0].sign_before, 1);
  EXPECT_NEAR(search.roots[0].tau, 0.5, 1e-15);
  EXPECT_LT(search.roots[0].uncertainty(), 1e-7);  // sqrt of 9 u * (1/4 + 1 + 1) is 4.7e-8
}

TEST(RootFinder, near_miss_is_no_root_unless_the_remainder_reaches_it) {
  const std::vector<double> p{0.25 + 1e-10, -1, 1};
  EXPECT_THAT(find(p).roots, IsEmpty());
  EXPECT_THAT(find(p, {.remainder = 0.9e-10}).roots, IsEmpty());
  const auto reached = find(p, {.remainder = 1.1e-10});
  ASSERT_THAT(reached.roots, SizeIs(1));
  EXPECT_EQ(reached.roots[0].kind(), RootKind::kTouch);
  EXPECT_NEAR(reached.roots[0].tau, 0.5, 1e-12);
}

TEST(RootFinder, roots_closer_than_the_remainder_tells_are_one_cluster) {
  // Three roots within 1e-4 and rho far above |p| between them: an odd cluster certainly crosses.
  const auto p = polynomial_with_roots({0.3999L, 0.4L, 0.4001L});
  const auto search = find(p, {.remainder = 1e-9});
  ASSERT_THAT(search.roots, SizeIs(1));
  EXPECT_EQ(search.roots[0].kind(), RootKind::kCrossing);
  EXPECT_EQ(search.roots[0].multiplicity, 3);
  EXPECT_NEAR(search.roots[0].tau, 0.4, 1e-13);  // p'' vanishes at the mean of the three
  EXPECT_THAT(find(p, {.remainder = 1e-14}).roots, SizeIs(3));
}

// ---- the ends of the interval ------------------------------------------------------------------

TEST(RootFinder, zero_at_the_start_is_not_a_root_of_the_half_open_interval) {
  const auto search = find({0, 1, 1});
  EXPECT_THAT(search.roots, IsEmpty());
  ASSERT_TRUE(search.start.has_value());
  EXPECT_EQ(search.start->sign_after, 1);
  EXPECT_EQ(search.start->lower, 0);
  EXPECT_EQ(search.start_sign, 0);
}

TEST(RootFinder, noise_at_the_start_is_the_same_as_zero_there) {
  for (const double noise : {-1e-17, 1e-17}) {
    const auto search = find({noise, 1, -1});  // x (1 - x): back to zero at 1
    ASSERT_TRUE(search.start.has_value());
    EXPECT_EQ(search.start->sign_after, 1);
    EXPECT_LE(search.start->upper, 1e-14);
    ASSERT_THAT(search.roots, SizeIs(1));
    EXPECT_NEAR(search.roots[0].tau, 1, 1e-15);
  }
}

TEST(RootFinder, known_zeros_at_the_start_are_divided_out) {
  // x (x - 0.2) with a constant term of pure noise, larger than the root is small.
  const auto search = find({3e-3, -0.2, 1}, {.num_known_zeros = 1});
  EXPECT_FALSE(search.start.has_value());
  EXPECT_EQ(search.start_sign, -1);
  ASSERT_THAT(search.roots, SizeIs(1));
  EXPECT_NEAR(search.roots[0].tau, 0.2, 1e-15);
  // x^2 (x - 1e-9): the bounce just after an event is still found.
  const auto bounce = find({0, 0, -1e-9, 1}, {.num_known_zeros = 2});
  ASSERT_THAT(bounce.roots, SizeIs(1));
  EXPECT_NEAR(bounce.roots[0].tau, 1e-9, 1e-15);
  EXPECT_EQ(find({0, 0, 0}, {.num_known_zeros = 7}).status, RootStatus::kIdenticallyZero);
}

TEST(RootFinder, root_at_the_end_belongs_to_the_interval) {
  const auto search = find({-1, 1});
  ASSERT_THAT(search.roots, SizeIs(1));
  EXPECT_EQ(search.roots[0].kind(), RootKind::kOpen);
  EXPECT_EQ(search.roots[0].upper, 1);
  EXPECT_EQ(search.roots[0].sign_before, -1);
  EXPECT_EQ(search.roots[0].sign_after, 0);
  EXPECT_NEAR(search.roots[0].tau, 1, 1e-15);
}

TEST(RootFinder, double_root_at_the_end_is_seen_as_double) {
  const auto search = find({1, -2, 1});
  ASSERT_THAT(search.roots, SizeIs(1));
  EXPECT_EQ(search.roots[0].multiplicity, 2);
  EXPECT_EQ(search.roots[0].tau, 1);
}

TEST(RootFinder, root_just_outside_is_not_found_and_just_inside_is) {
  EXPECT_THAT(find({-1 - 1e-13, 1}).roots, IsEmpty());
  const auto inside = find({-1 + 1e-13, 1});
  ASSERT_THAT(inside.roots, SizeIs(1));
  EXPECT_EQ(inside.roots[0].kind(), RootKind::kCrossing);
  EXPECT_FALSE(find({1e-13, 1}).start.has_value());  // root at -1e-13
  EXPECT_THAT(find({-1e-13, 1}).roots, SizeIs(1));   // root at +1e-13
}

TEST(RootFinder, consecutive_steps_lose_no_root_on_their_common_end) {
  // Guard x - r seen in two steps [0, 1] and [1, 2]: r is found in the first, or the second starts
  // in it or finds it. Swept over every double around 1.
  for (int bits = -40; bits <= 40; ++bits) {
    const double r = 1 + bits * 0x1p-53;
    const auto first = find({-r, 1}), second = find({1 - r, 1});
    EXPECT_TRUE(!first.roots.empty() || !second.roots.empty() || second.start) << bits;
  }
}

// ---- degenerate input --------------------------------------------------------------------------

TEST(RootFinder, constants) {
  EXPECT_THAT(find({3}).roots, IsEmpty());
  EXPECT_EQ(find({3}).start_sign, 1);
  EXPECT_EQ(find({-3}).start_sign, -1);
  EXPECT_EQ(find({-3, 0, 0}).start_sign, -1);
}

TEST(RootFinder, zero_polynomial_is_named_so) {
  EXPECT_EQ(find({}).status, RootStatus::kIdenticallyZero);
  EXPECT_EQ(find({0}).status, RootStatus::kIdenticallyZero);
  EXPECT_EQ(find({0, -0.0, 0}).status, RootStatus::kIdenticallyZero);
}

TEST(RootFinder, polynomial_below_its_remainder_has_no_sign_anywhere) {
  const auto search = find({1e-9, 1e-9}, {.remainder = 1e-8});
  EXPECT_EQ(search.status, RootStatus::kBelowRemainder);
  EXPECT_THAT(search.roots, IsEmpty());
  EXPECT_FALSE(search.start.has_value());
}

TEST(RootFinder, values_that_are_not_finite_fail_clearly) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  EXPECT_EQ(find({1, nan}).status, RootStatus::kNotFinite);
  EXPECT_EQ(find({1, -inf, 2}).status, RootStatus::kNotFinite);
  EXPECT_EQ(find({-1, 1}, {.remainder = nan}).status, RootStatus::kNotFinite);
  EXPECT_EQ(find({-1, 1}, {.remainder = inf}).status, RootStatus::kNotFinite);
  EXPECT_EQ(find({-1, 1}, {.remainder = -1}).status, RootStatus::kNotFinite);
  EXPECT_THAT(find({nan}).roots, IsEmpty());
}

TEST(RootFinder, extreme_magnitudes_change_nothing) {
  for (const double scale : {1e-300, 5e-308, 1e300, 1.7e308}) {
    const auto search = find({-0.25 * scale, 1.0 * scale});
    ASSERT_THAT(search.roots, SizeIs(1)) << scale;
    EXPECT_NEAR(search.roots[0].tau, 0.25, 1e-13);
  }
  const double smallest = std::numeric_limits<double>::denorm_min();
  ASSERT_THAT(find({-smallest, 2 * smallest}).roots, SizeIs(1));
}

TEST(RootFinder, finder_used_again_forgets_the_last_polynomial) {
  RootFinder finder;
  EXPECT_THAT(finder.find(std::vector{-0.5, 1.0}, {}).roots, SizeIs(1));
  EXPECT_EQ(finder.find(std::vector{std::nan("")}, {}).status, RootStatus::kNotFinite);
  EXPECT_THAT(finder.find(std::vector{-0.5, 1.0}, {}).roots, SizeIs(1));
  const auto& none = finder.find(std::vector{5.0, 1.0}, {});
  EXPECT_THAT(none.roots, IsEmpty());
  EXPECT_EQ(none.start_sign, 1);
}

// ---- families with all roots known -------------------------------------------------------------

TEST(RootFinder, all_roots_of_chebyshev_polynomials) {
  // T_n(2 tau - 1) has the roots (1 + cos((2k-1) pi / 2n)) / 2, all in (0, 1). Its power
  // coefficients sum to T_n(3) in magnitude, about 5.8^n / 2: rho = 3 (n+1) u T_n(3), slope at
  // least 2n.
  for (int n = 1; n <= 14; ++n) {
    std::vector<long double> last{1}, p{-1, 2};
    for (int k = 1; k < n; ++k) {  // T_{k+1} = 2 (2 tau - 1) T_k - T_{k-1}
      auto next = p;
      multiply_into(next, {-2, 4});
      for (std::size_t i = 0; i < last.size(); ++i) next[i] -= last[i];
      last = std::move(p);
      p = std::move(next);
    }
    std::vector<double> expected;
    for (int k = n; k >= 1; --k) {
      expected.push_back(0.5 * (1 + std::cos((2 * k - 1) * std::numbers::pi / (2 * n))));
    }
    const double tolerance = 1e-16 * std::pow(5.9, n);
    const auto search = find({p.begin(), p.end()});
    EXPECT_THAT(estimates(search), testing::Pointwise(DoubleNear(tolerance), expected)) << n;
  }
}

TEST(RootFinder, nine_roots_of_the_torture_guard) {
  const auto p = polynomial_with_roots({.1L, .2L, .3L, .4L, .5L, .6L, .7L, .8L, .9L});
  const auto search = find(p);
  ASSERT_THAT(search.roots, SizeIs(9));
  for (int k = 1; k <= 9; ++k) {
    const Root& root = search.roots[static_cast<std::size_t>(k) - 1];
    EXPECT_NEAR(root.tau, 0.1 * k, 1e-9);
    EXPECT_LE(std::abs(root.tau - 0.1 * k), root.uncertainty());
    EXPECT_EQ(root.kind(), RootKind::kCrossing);
  }
}

TEST(RootFinder, torture_guard_seen_step_by_step_has_one_root_at_each_step_end) {
  // Local expansions on [k/10, (k+1)/10], as an integrator with h = 0.1 makes them.
  for (int k = 0; k < 9; ++k) {
    std::vector<long double> roots;
    for (int j = 1; j <= 9; ++j) roots.push_back(j - k);
    const auto search = find(polynomial_with_roots(roots));
    ASSERT_THAT(search.roots, SizeIs(1)) << k;
    EXPECT_EQ(search.roots[0].tau, 1);
    EXPECT_EQ(search.start.has_value(), k > 0);
  }
}

// Every root must lie in an interval; an interval that crosses holds an odd number of roots, a
// touch an even number. Holds for any polynomial and any remainder, however badly conditioned.
void expect_accounts_for(const RootSearch& search, std::vector<long double> true_roots) {
  std::erase_if(true_roots, [](long double r) { return r <= 0 || r > 1; });
  std::size_t covered = 0;
  const auto count_in = [&](const Root& root) {
    return std::count_if(true_roots.begin(), true_roots.end(),
                         [&](long double r) { return r >= root.lower && r <= root.upper; });
  };
  if (search.start) covered += static_cast<std::size_t>(count_in(*search.start));
  double last = search.start ? search.start->upper : 0;
  int sign = search.start ? search.start->sign_after : search.start_sign;
  for (const Root& root : search.roots) {
    covered += static_cast<std::size_t>(count_in(root));
    if (root.kind() != RootKind::kOpen) {
      EXPECT_EQ(count_in(root) % 2, root.kind() == RootKind::kCrossing ? 1 : 0);
    }
    EXPECT_GE(root.lower, last);
    EXPECT_LE(root.lower, root.tau);
    EXPECT_LE(root.tau, root.upper);
    EXPECT_EQ(root.sign_before, sign);
    last = root.upper;
    sign = root.sign_after;
  }
  EXPECT_EQ(covered, true_roots.size());
}

TEST(RootFinder, wilkinson_polynomials_account_for_every_root_even_when_hopeless) {
  for (int n = 1; n <= 40; ++n) {
    std::vector<long double> roots;
    for (int k = 1; k <= n; ++k) roots.push_back(static_cast<long double>(k) / (n + 1));
    const auto search = find(polynomial_with_roots(roots));
    if (search.status == RootStatus::kBelowRemainder) continue;
    expect_accounts_for(search, roots);
    if (n > 9) continue;
    EXPECT_THAT(search.roots, SizeIs(n));
  }
}

TEST(RootFinder, random_products_account_for_every_root) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  RootFinder finder;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<long double> real;
    std::vector<std::complex<long double>> pairs;
    const int degree = trial % 41;
    while (static_cast<int>(real.size() + 2 * pairs.size()) < degree) {
      const double what = uniform(random);
      if (what < 0.3) {
        real.push_back(3 * uniform(random) - 1);
      } else if (what < 0.5 && !real.empty()) {  // a companion, 1 to 1e-13 away
        real.push_back(real.back() + std::pow(10.0, -13 * uniform(random)));
      } else if (static_cast<int>(real.size() + 2 * pairs.size()) + 2 <= degree) {
        const double height = std::pow(10.0, 1 - 8 * uniform(random));
        pairs.push_back({3 * uniform(random) - 1, height});
      }
    }
    const double remainder = uniform(random) < 0.5 ? 0 : std::pow(10.0, -16 * uniform(random));
    const auto& search = finder.find(polynomial_with_roots(real, pairs), {.remainder = remainder});
    if (search.status == RootStatus::kBelowRemainder) continue;
    ASSERT_EQ(search.status, RootStatus::kComplete);
    expect_accounts_for(search, real);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

TEST(RootFinder, separated_roots_are_found_one_by_one_to_their_conditioning) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const int count = 1 + trial % 4;
    std::vector<long double> real;
    for (int k = 0; k < count; ++k) real.push_back((k + 0.25 + 0.5 * uniform(random)) / count);
    // Complex pairs at distance >= 1 from the interval: a factor that hardly bends p.
    std::vector<std::complex<long double>> pairs;
    for (int k = 0; k < trial % 9; ++k) pairs.push_back({uniform(random), 1 + uniform(random)});
    const auto p = polynomial_with_roots(real, pairs);
    const auto search = find(p);
    ASSERT_THAT(search.roots, SizeIs(count));
    double sum = 0;
    for (const double c : p) sum += std::abs(c);
    for (std::size_t k = 0; k < real.size(); ++k) {
      const double slope = evaluate_with_slope(p, static_cast<double>(real[k])).slope;
      const double dt = 3 * static_cast<double>(p.size()) * 0x1p-53 * sum / std::abs(slope);
      EXPECT_EQ(search.roots[k].multiplicity, 1);
      EXPECT_NEAR(search.roots[k].tau, static_cast<double>(real[k]), dt);
      EXPECT_LE(search.roots[k].uncertainty(), 1.5 * dt + 1e-15);
    }
  }
}

TEST(RootFinder, phase_of_a_double_root_in_the_step_does_not_matter) {
  // (x - r)^2 - eps shifted through 10^4 phases of the step: no pair is ever missed.
  const double eps = 1e-10;
  RootFinder finder;
  for (int phase = 1; phase < 10000; ++phase) {
    const double r = phase / 10000.0;
    const auto& search = finder.find(std::vector{r * r - eps, -2 * r, 1.0}, {});
    ASSERT_THAT(search.roots, SizeIs(2)) << phase;
  }
}

// ---- partial searches --------------------------------------------------------------------------

TEST(RootFinder, first_only_ends_with_the_first_crossing_and_keeps_earlier_touches) {
  const auto p = polynomial_with_roots({0.2L, 0.2L, 0.5L, 0.8L});
  const auto search = find(p, {.stops_at_first = true});
  ASSERT_THAT(search.roots, SizeIs(2));
  EXPECT_EQ(search.roots[0].kind(), RootKind::kTouch);
  EXPECT_NEAR(search.roots[1].tau, 0.5, 1e-13);
}

TEST(RootFinder, until_leaves_out_only_later_roots) {
  const auto p = polynomial_with_roots({0.2L, 0.5L, 0.9L});
  const auto search = find(p, {.until = 0.5});
  ASSERT_GE(search.roots.size(), 2U);
  EXPECT_NEAR(search.roots[1].tau, 0.5, 1e-13);
}

}  // namespace
}  // namespace hydae::poly
