// Against brute force: of all sets of variables that can be matched, the largest, and of these the
// one that a dictionary of the preferences puts first.
#include "structure/ordered_matching.h"

#include <gtest/gtest.h>
#include <random>

namespace hydae::structure {
namespace {

SignatureMatrix random_pattern(std::mt19937& random, std::size_t rows, std::size_t columns) {
  std::vector<SignatureEntry> entries;
  for (EqId eq : ids<EqId>(rows))
    for (VarId var : ids<VarId>(columns))
      if (random() % 3 == 0) entries.push_back({eq, var, 0});
  return SignatureMatrix(rows, columns, entries);
}

bool can_match(const SignatureMatrix& pattern, unsigned set) {
  std::vector<VarId> vars;
  for (VarId var : ids<VarId>(pattern.num_vars()))
    if ((set >> var.index() & 1U) != 0) vars.push_back(var);
  std::vector<EqId> eqs;
  for (EqId eq : ids<EqId>(pattern.num_eqs())) eqs.push_back(eq);
  return compute_maximum_matching(pattern.submatrix(eqs, vars)).size() == vars.size();
}

unsigned matched_set(const Matching& matching) {
  unsigned set = 0;
  for (VarId var : ids<VarId>(matching.var_to_eq.size()))
    if (matching.var_to_eq[var].is_valid()) set |= 1U << var.index();
  return set;
}

TEST(OrderedMatching, takes_the_preferred_set_of_the_largest_size) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const SignatureMatrix pattern = random_pattern(random, 4, 6);
    std::vector<VarId> order;
    for (VarId var : ids<VarId>(6)) order.push_back(var);
    std::shuffle(order.begin(), order.end(), random);
    OrderedMatching found(pattern);
    found.enter(order);
    unsigned best = 0;  // greedy on what brute force admits
    for (VarId var : order)
      if (can_match(pattern, best | 1U << var.index())) best |= 1U << var.index();
    EXPECT_EQ(matched_set(found.matching()), best) << "round " << round;
    EXPECT_EQ(found.matching().size(), compute_maximum_matching(pattern).size());
  }
}

// The variables of the first call stay matched whatever enters later.
TEST(OrderedMatching, later_variables_never_displace_earlier_ones) {
  std::mt19937 random(8);
  for (int round = 0; round < 300; ++round) {
    const SignatureMatrix pattern = random_pattern(random, 5, 8);
    std::vector<VarId> first, second;
    for (VarId var : ids<VarId>(8)) (random() % 2 == 0 ? first : second).push_back(var);
    OrderedMatching found(pattern);
    found.enter(first);
    const unsigned before = matched_set(found.matching());
    found.enter(second, [](EqId eq, VarId var) { return (eq.index() + var.index()) % 2 == 0; });
    found.enter(second);
    EXPECT_EQ(matched_set(found.matching()) & before, before) << "round " << round;
    EXPECT_EQ(found.matching().size(), compute_maximum_matching(pattern).size());
  }
}

}  // namespace
}  // namespace hydae::structure
