#include "sim/output_layout.h"

#include <gtest/gtest.h>

namespace hydae {
namespace {

// Three guards (0-2), two holds with two exits each (3-6), one delayed signal (7), two roots (8,
// 9).
TEST(OutputLayout, kinds_follow_each_other) {
  const OutputLayout layout{3, 4, 1, 2};
  EXPECT_EQ(layout.guard(2), 2u);
  EXPECT_EQ(layout.exit(0), 3u);
  EXPECT_EQ(layout.delayed(0), 7u);
  EXPECT_EQ(layout.root(1), 9u);
  EXPECT_EQ(layout.size(), 10u);
}

TEST(OutputLayout, each_output_is_of_one_kind) {
  const OutputLayout layout{3, 4, 1, 2};
  for (std::size_t k = 0; k < layout.size(); ++k) {
    EXPECT_EQ(layout.is_guard(k), k < 3) << k;
    EXPECT_EQ(layout.is_exit(k), k >= 3 && k < 7) << k;
    EXPECT_EQ(layout.is_root(k), k >= 8) << k;
  }
  EXPECT_EQ(layout.exit_of(5), 2u);
}

}  // namespace
}  // namespace hydae
