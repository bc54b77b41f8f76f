#include "structure/matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/brute_force_testing.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

void expect_valid(const SignatureMatrix& pattern, const Matching& matching) {
  for (EqId eq : ids<EqId>(pattern.num_eqs())) {
    const VarId var = matching.eq_to_var[eq];
    if (!var.is_valid()) continue;
    EXPECT_TRUE(pattern.find_order(eq, var));
    EXPECT_EQ(matching.var_to_eq[var], eq);
  }
  EXPECT_EQ(pattern.num_vars() - matching.free_vars().size(), matching.size());
  EXPECT_EQ(pattern.num_eqs() - matching.free_eqs().size(), matching.size());
}

// Broman, module B, part II: f1(y), f2(x1', x2', y), f3(x2'); columns x1', x2', y. The only
// perfect matching: y -> f1, x1' -> f2, x2' -> f3.
TEST(Matching, finds_the_only_assignment_of_the_first_example) {
  const Matching matching = compute_maximum_matching(draw({"- - 0", "0 0 0", "- 0 -"}));
  EXPECT_THAT(matching.eq_to_var, ElementsAre(VarId(2), VarId(0), VarId(1)));
  EXPECT_TRUE(matching.is_perfect());
}

TEST(Matching, is_maximum_on_random_rectangular_patterns) {
  std::mt19937 rng(2);
  std::uniform_int_distribution<std::size_t> size(0, 7);
  for (int trial = 0; trial < 400; ++trial) {
    const SignatureMatrix pattern =
        random_system({size(rng), size(rng), 0.1 + 0.05 * (trial % 10), 0}, rng);
    const Matching matching = compute_maximum_matching(pattern);
    expect_valid(pattern, matching);
    const std::uint32_t all_rows = (1u << pattern.num_eqs()) - 1;
    const std::uint32_t all_cols = (1u << pattern.num_vars()) - 1;
    EXPECT_EQ(static_cast<int>(matching.size()),
              brute_force::matching_size(pattern, all_rows, all_cols));
  }
}

TEST(Matching, has_no_size_for_an_empty_pattern) {
  EXPECT_TRUE(compute_maximum_matching(SignatureMatrix()).is_perfect());
  EXPECT_EQ(compute_maximum_matching(SignatureMatrix(3, 2, {})).size(), 0u);
}

// Row i holds columns i and i + 1, the last row only column 0: the first choices i -> i must all be
// revised by one path through all rows.
TEST(Matching, follows_an_augmenting_path_through_a_million_equations) {
  const std::size_t n = 1000000;
  std::vector<SignatureEntry> entries;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    entries.insert(entries.end(), {{EqId(i), VarId(i), 0}, {EqId(i), VarId(i + 1), 0}});
  }
  entries.push_back({EqId(n - 1), VarId(0), 0});
  const Matching matching = compute_maximum_matching(SignatureMatrix(n, n, entries));
  EXPECT_TRUE(matching.is_perfect());
  EXPECT_EQ(matching.eq_to_var[EqId(0)], VarId(1));
}

TEST(Matching, release_frees_both_sides) {
  Matching matching(2, 2);
  matching.match(EqId(0), VarId(1));
  matching.release(EqId(0));
  matching.release(EqId(1));
  EXPECT_EQ(matching, Matching(2, 2));
}

}  // namespace
}  // namespace hydae::structure
