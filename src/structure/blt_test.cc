#include "structure/blt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::ElementsAre;

// Broman, module B, part I: x' = -x + y - z, z = x^2 + y^2, z = x + x y with x known; columns x',
// y, z. The last two are an algebraic loop for y and z, then the first gives x'.
TEST(BlockTriangularForm, finds_the_algebraic_loop_and_solves_it_first) {
  const auto blocks = find_block_triangular_form(draw({"0 0 0", "- 0 0", "- 0 0"}));
  ASSERT_TRUE(blocks);
  ASSERT_EQ(blocks->size(), 2u);
  EXPECT_THAT(blocks->eqs(BlockId(0)), ElementsAre(EqId(1), EqId(2)));
  EXPECT_THAT(blocks->vars(BlockId(0)), ElementsAre(VarId(1), VarId(2)));
  EXPECT_THAT(blocks->eqs(BlockId(1)), ElementsAre(EqId(0)));
}

// Part II: f1(y), f2(x1', x2', y), f3(x2'); columns x1', x2', y. Solve f1 and f3, then f2.
TEST(BlockTriangularForm, of_the_matching_example_has_three_blocks) {
  const auto blocks = find_block_triangular_form(draw({"- - 0", "0 0 0", "- 0 -"}));
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->size(), 3u);
  EXPECT_THAT(blocks->eqs(), ElementsAre(EqId(0), EqId(2), EqId(1)));
  EXPECT_THAT(blocks->vars(), ElementsAre(VarId(2), VarId(1), VarId(0)));
}

// Part IV, result for the pendulum. Second order: x'' + .. lambda, y'' + .. lambda, x'' .. y'' is
// one block. First order, columns y', x', u', lambda, v', rows f1 .. f5: f1 gives x', f2 gives y',
// the rest is one block.
TEST(BlockTriangularForm, of_the_pendulum_after_index_reduction) {
  const auto second_order = find_block_triangular_form(draw({"0 - 0", "0 0 -", "- 0 0"}));
  ASSERT_TRUE(second_order);
  EXPECT_EQ(second_order->size(), 1u);
  const auto first_order = find_block_triangular_form(
      draw({"- 0 - - -", "0 - - - -", "- - 0 0 -", "- - - 0 0", "0 0 0 - 0"}));
  ASSERT_TRUE(first_order);
  ASSERT_EQ(first_order->size(), 3u);
  EXPECT_THAT(first_order->eqs(), ElementsAre(EqId(0), EqId(1), EqId(2), EqId(3), EqId(4)));
  EXPECT_EQ(first_order->largest(), 3u);
}

TEST(BlockTriangularForm, does_not_exist_for_a_singular_pattern) {
  EXPECT_FALSE(find_block_triangular_form(draw({"0 -", "0 -"})));
  EXPECT_FALSE(find_block_triangular_form(draw({"0 0"})));
}

TEST(BlockTriangularForm, of_nothing_has_no_blocks) {
  const auto blocks = find_block_triangular_form(SignatureMatrix());
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->size(), 0u);
  EXPECT_EQ(blocks->largest(), 0u);
}

// One cycle through all equations: depth-first search as deep as the system is large.
TEST(BlockTriangularForm, follows_a_cycle_of_a_million_equations) {
  const std::size_t n = 1000000;
  std::vector<SignatureEntry> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.insert(entries.end(), {{EqId(i), VarId(i), 0}, {EqId(i), VarId((i + 1) % n), 0}});
  }
  const auto blocks = find_block_triangular_form(SignatureMatrix(n, n, entries));
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->largest(), n);
}

}  // namespace
}  // namespace hydae::structure
