#include "structure/index_calculation.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "structure/analysis.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

// The second step of the paper, word for word, for the assignment given: D_ij is the order of
// variable j in equation i; none is -inf. Returns the differentiations of each equation.
std::vector<int> iterate_dependencies(const SignatureMatrix& sigma, const Matching& assignment) {
  std::vector<int> count(sigma.num_eqs(), 0);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::vector<int> highest(sigma.num_vars(), -1);
    for (EqId eq : ids<EqId>(sigma.num_eqs())) {
      for (const auto& entry : sigma.row(eq)) {
        int& order = highest[entry.var.index()];
        order = std::max(order, entry.order + count[eq.index()]);
      }
    }
    for (VarId var : ids<VarId>(sigma.num_vars())) {
      const EqId eq = assignment.var_to_eq[var];
      if (!eq.is_valid()) continue;
      const int missing = highest[var.index()] - *sigma.find_order(eq, var) - count[eq.index()];
      count[eq.index()] += missing;
      is_changed |= missing > 0;
    }
  }
  return count;
}

// Least cost over all permutations with the cost matrix of the paper: -n-2 for a derivative, -n-1
// for a variable, 0 for none.
int least_cost(const SignatureMatrix& sigma) {
  const int n = static_cast<int>(sigma.num_eqs());
  std::vector<std::size_t> eq_of(sigma.num_eqs());
  std::iota(eq_of.begin(), eq_of.end(), 0);
  int best = 0;
  do {
    int cost = 0;
    for (std::size_t j = 0; j < eq_of.size(); ++j) {
      const auto order = sigma.find_order(EqId(eq_of[j]), VarId(j));
      if (order) cost -= n + 1 + *order;
    }
    best = std::min(best, cost);
  } while (std::next_permutation(eq_of.begin(), eq_of.end()));
  return best;
}

// Example 1 of the paper: x1 = t, x2 = x1'. The first equation is differentiated once.
TEST(IndexCalculation, of_the_first_example) {
  const IndexCalculation result = compute_index(draw({"0 -", "1 0"}));
  EXPECT_THAT(result.num_differentiations, ElementsAre(1, 0));
  EXPECT_THAT(result.highest_order, ElementsAre(1, 0));
  EXPECT_FALSE(result.is_singular());
}

// Example 3: x1' - x2' = .., x2' - x3' = .., m1 x1'' + F1, -F1 + m2 x2'' + F2, -F2 + m3 x3''; the
// first two are supplemented by x1'' - x2'' and x2'' - x3''. Orders 2 appear: natural for any
// order.
TEST(IndexCalculation, of_three_masses_with_two_end_stops) {
  const IndexCalculation result =
      compute_index(draw({"1 1 - - -", "- 1 1 - -", "2 - - 0 -", "- 2 - 0 0", "- - 2 - 0"}));
  EXPECT_THAT(result.num_differentiations, ElementsAre(1, 1, 0, 0, 0));
}

TEST(IndexCalculation, has_the_least_cost_and_the_differentiations_of_the_paper) {
  std::mt19937 rng(19);
  int singular = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 6;
    const SignatureMatrix sigma = random_system({n, n, 0.35, 1}, rng);
    const IndexCalculation result = compute_index(sigma);
    singular += result.is_singular();
    int cost = 0;
    for (VarId var : ids<VarId>(n)) {
      const EqId eq = result.assignment.var_to_eq[var];
      if (eq.is_valid()) cost -= static_cast<int>(n) + 1 + *sigma.find_order(eq, var);
    }
    EXPECT_EQ(cost, least_cost(sigma));
    EXPECT_EQ(result.num_differentiations.raw(), iterate_dependencies(sigma, result.assignment));
  }
  EXPECT_GT(singular, 50);
  EXPECT_LT(singular, 350);
}

TEST(IndexCalculation, equals_the_sigma_method_on_regular_systems) {
  std::mt19937 rng(20);
  for (int trial = 0; trial < 200; ++trial) {
    const SignatureMatrix sigma = random_sparse_system(20, trial % 4, trial % 2 ? 1 : 3, rng);
    const IndexCalculation result = compute_index(sigma);
    const Offsets offsets = analyze(sigma).offsets;
    EXPECT_EQ(result.num_differentiations, offsets.c);
    EXPECT_EQ(result.highest_order, offsets.d);
  }
}

// Rectangular and blank systems: nothing to assign, nothing to differentiate.
TEST(IndexCalculation, accepts_any_shape) {
  EXPECT_TRUE(compute_index(draw({"1 0 2"})).is_singular());
  EXPECT_THAT(compute_index(draw({"1 0 2"})).assignment.eq_to_var, ElementsAre(VarId(2)));
  const IndexCalculation blank = compute_index(SignatureMatrix(2, 1, {}));
  EXPECT_THAT(blank.num_differentiations, ElementsAre(0, 0));
  EXPECT_THAT(blank.highest_order, ElementsAre(-1));
  EXPECT_FALSE(compute_index(SignatureMatrix()).is_singular());
}

}  // namespace
}  // namespace hydae::structure
