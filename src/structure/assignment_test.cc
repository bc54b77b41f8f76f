#include "structure/assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

// Feasible potentials with equality on a perfect matching prove that the value is the largest.
void expect_valid(const SignatureMatrix& sigma, const Transversal& t) {
  ASSERT_TRUE(t.matching.is_perfect());
  std::int64_t sum = 0;
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    for (const auto& entry : sigma.row(eq)) {
      const int slack = t.var_potential[entry.var] - t.eq_potential[eq] - entry.order;
      EXPECT_GE(slack, 0);
      if (t.matching.eq_to_var[eq] != entry.var) continue;
      EXPECT_EQ(slack, 0);
      sum += entry.order;
    }
  }
  EXPECT_EQ(sum, t.value());
}

void expect_best(const SignatureMatrix& sigma) {
  const auto transversal = find_highest_value_transversal(sigma);
  const auto value = brute_force::transversal_value(sigma);
  ASSERT_EQ(transversal.has_value(), value.has_value());
  if (!transversal) return;
  expect_valid(sigma, *transversal);
  EXPECT_EQ(transversal->value(), *value);
}

// Two transversals of value 2: x'' in f with y in h, or y'' in g with x in h.
TEST(HighestValueTransversal, has_value_2_on_the_pendulum) {
  const auto transversal = find_highest_value_transversal(pendulum());
  ASSERT_TRUE(transversal);
  expect_valid(pendulum(), *transversal);
  EXPECT_EQ(transversal->value(), 2);
}

// Its only transversal, 1-based (1,3)(2,2)(3,1)(4,6)(5,5)(6,4) or the mirror image in the first
// block; value 0+2+0+0+3+0 = 5.
TEST(HighestValueTransversal, has_value_5_on_the_modified_two_pendula) {
  const auto transversal = find_highest_value_transversal(modified_two_pendula());
  ASSERT_TRUE(transversal);
  expect_valid(modified_two_pendula(), *transversal);
  EXPECT_EQ(transversal->value(), 5);
  EXPECT_EQ(transversal->matching.eq_to_var[EqId(3)], VarId(5));
  EXPECT_EQ(transversal->matching.eq_to_var[EqId(4)], VarId(4));
  EXPECT_EQ(transversal->matching.eq_to_var[EqId(5)], VarId(3));
}

TEST(HighestValueTransversal, equals_the_best_of_all_permutations) {
  std::mt19937 rng(3);
  for (int trial = 0; trial < 600; ++trial) {
    const std::size_t n = static_cast<std::size_t>(trial % 7) + 1;
    expect_best(random_system({n, n, 0.2 + 0.1 * (trial % 8), trial % 5}, rng));
  }
}

TEST(HighestValueTransversal, does_not_exist_for_singular_or_rectangular_systems) {
  EXPECT_FALSE(find_highest_value_transversal(draw({"1 0", "2 -", "0 0"})));
  EXPECT_FALSE(find_highest_value_transversal(draw({"1 0 0", "2 - -"})));
  EXPECT_FALSE(find_highest_value_transversal(draw({"1 -", "0 -"})));
  EXPECT_FALSE(find_highest_value_transversal(SignatureMatrix(1, 1, {})));
}

TEST(HighestValueTransversal, of_no_equations_is_empty) {
  const auto transversal = find_highest_value_transversal(SignatureMatrix());
  ASSERT_TRUE(transversal);
  EXPECT_EQ(transversal->value(), 0);
}

TEST(HighestValueTransversal, copes_with_the_largest_orders_allowed) {
  const int half = SignatureMatrix::kMaxOrderSum / 2;
  const std::array<SignatureEntry, 4> entries = {{{EqId(0), VarId(0), half},
                                                  {EqId(0), VarId(1), 0},
                                                  {EqId(1), VarId(0), 0},
                                                  {EqId(1), VarId(1), half}}};
  const SignatureMatrix sigma(2, 2, entries);
  const auto transversal = find_highest_value_transversal(sigma);
  ASSERT_TRUE(transversal);
  expect_valid(sigma, *transversal);
  EXPECT_EQ(transversal->value(), SignatureMatrix::kMaxOrderSum);
}

// `sigma` with some rows drawn anew.
SignatureMatrix with_other_rows(const SignatureMatrix& sigma, const SignatureMatrix& other,
                                std::span<const EqId> eqs) {
  std::vector<SignatureEntry> entries;
  for (EqId eq : ids<EqId>(sigma.num_eqs())) {
    const bool is_other = std::find(eqs.begin(), eqs.end(), eq) != eqs.end();
    for (const auto& entry : (is_other ? other : sigma).row(eq)) {
      entries.push_back({eq, entry.var, entry.order});
    }
  }
  return SignatureMatrix(sigma.num_eqs(), sigma.num_vars(), entries);
}

TEST(TransversalAfterChange, equals_a_new_one_in_value) {
  std::mt19937 rng(4);
  int repaired = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = 12;
    const SignatureMatrix before = random_sparse_system(n, 2, 3, rng);
    const auto old = find_highest_value_transversal(before);
    ASSERT_TRUE(old);
    auto changed = random_order<EqId>(n, rng);
    changed.resize(1 + trial % 4);
    const SignatureMatrix after =
        with_other_rows(before, random_system({n, n, 0.15, 3}, rng), changed);
    const auto fresh = find_highest_value_transversal(after);
    const auto repair = find_transversal_after_change(after, *old, changed);
    ASSERT_EQ(repair.has_value(), fresh.has_value());
    if (!repair) continue;
    ++repaired;
    expect_valid(after, *repair);
    EXPECT_EQ(repair->value(), fresh->value());
  }
  EXPECT_GT(repaired, 50);
}

TEST(TransversalAfterChange, keeps_everything_if_nothing_changed) {
  const auto old = find_highest_value_transversal(modified_two_pendula());
  const auto repair = find_transversal_after_change(modified_two_pendula(), *old, {});
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->matching, old->matching);
  EXPECT_EQ(repair->eq_potential, old->eq_potential);
}

// A rigid pendulum whose string goes slack: the constraint is replaced by lambda = 0. Value 2 -> 4.
TEST(TransversalAfterChange, follows_a_pendulum_into_free_flight) {
  const auto old = find_highest_value_transversal(pendulum());
  const std::array<EqId, 1> changed = {EqId(2)};
  const SignatureMatrix flight = draw({"2 - 0", "- 2 0", "- - 0"});
  const auto repair = find_transversal_after_change(flight, *old, changed);
  ASSERT_TRUE(repair);
  expect_valid(flight, *repair);
  EXPECT_EQ(repair->value(), 4);
}

// Largest sum over all ways to give each row its own column, columns free to choose.
int best_row_matching(const SignatureMatrix& sigma, std::size_t row, std::uint32_t used) {
  if (row == sigma.num_eqs()) return 0;
  int best = -1000;
  for (const auto& entry : sigma.row(EqId(row))) {
    const std::uint32_t bit = 1u << entry.var.index();
    if (used & bit) continue;
    best = std::max(best, entry.order + best_row_matching(sigma, row + 1, used | bit));
  }
  return best;
}

TEST(RowMatching, has_the_largest_value_over_all_choices_of_variables) {
  std::mt19937 rng(5);
  int checked = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const SignatureMatrix sigma = random_system({4, 4 + trial % 4u, 0.5, 3}, rng);
    const int best = best_row_matching(sigma, 0, 0);
    if (best < 0) continue;
    ++checked;
    const Matching matching = compute_highest_value_row_matching(sigma);
    int value = 0;
    for (EqId eq : ids<EqId>(4)) value += *sigma.find_order(eq, matching.eq_to_var[eq]);
    EXPECT_EQ(value, best);
  }
  EXPECT_GT(checked, 100);
}

}  // namespace
}  // namespace hydae::structure
