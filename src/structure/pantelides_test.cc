#include "structure/pantelides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "structure/analysis.h"
#include "structure/example_systems_testing.h"

namespace hydae::structure {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;

// Broman, module B, part IV: x' = u, y' = v, u' = lambda x, v' = lambda y - g, x^2 + y^2 = L;
// columns x, y, u, v, lambda. f1 and f2 are differentiated once, f5 twice; highest derivatives x'',
// y'', u', v', lambda. Assigned: lambda -> f3, u' -> f1', x'' -> f5'', y'' -> f2', v' -> f4, or the
// mirror image in x and y.
TEST(Pantelides, differentiates_the_first_order_pendulum_as_in_the_course) {
  const auto result =
      find_pantelides(draw({"1 - 0 - -", "- 1 - 0 -", "0 - 1 - 0", "- 0 - 1 0", "0 0 - - -"}));
  ASSERT_TRUE(result);
  EXPECT_THAT(result->num_differentiations, ElementsAre(1, 1, 0, 0, 2));
  EXPECT_THAT(result->highest_order, ElementsAre(2, 2, 1, 1, 0));
  const VarId x(0), y(1), u(2), v(3), lambda(4);
  EXPECT_THAT(result->matching.eq_to_var,
              AnyOf(ElementsAre(u, y, lambda, v, x), ElementsAre(x, v, u, lambda, y)));
}

TEST(Pantelides, differentiates_the_constraint_of_the_pendulum_twice) {
  const auto result = find_pantelides(pendulum());
  ASSERT_TRUE(result);
  EXPECT_THAT(result->num_differentiations, ElementsAre(0, 0, 2));
  EXPECT_THAT(result->highest_order, ElementsAre(2, 2, 0));
}

TEST(Pantelides, rejects_what_would_never_end) {
  EXPECT_FALSE(find_pantelides(draw({"1 -", "0 -"})));
  EXPECT_FALSE(find_pantelides(draw({"1 0"})));
  EXPECT_TRUE(find_pantelides(SignatureMatrix()));
}

// Theorem (Pryce 2001 for order 1; proof for any order in docs/math/structure.md): for a
// structurally nonsingular system the differentiations are the canonical offsets, c and d.
TEST(Pantelides, agrees_with_the_canonical_offsets) {
  std::mt19937 rng(16);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 1 + static_cast<std::size_t>(trial) % 30;
    const SignatureMatrix sigma = random_sparse_system(n, trial % 4, trial % 4, rng);
    const auto result = find_pantelides(sigma);
    ASSERT_TRUE(result);
    const Offsets offsets = analyze(sigma).offsets;
    EXPECT_EQ(result->num_differentiations, offsets.c);
    EXPECT_EQ(result->highest_order, offsets.d);
    EXPECT_TRUE(result->matching.is_perfect());
  }
}

TEST(Pantelides, agrees_on_chained_pendula) {
  const SignatureMatrix sigma = pendulum_chain(200);
  EXPECT_EQ(find_pantelides(sigma)->num_differentiations, analyze(sigma).offsets.c);
}

}  // namespace
}  // namespace hydae::structure
