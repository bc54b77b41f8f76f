#include "sim/outcome.h"

#include <gtest/gtest.h>

namespace hydae {
namespace {

TEST(Outcome, is_a_value_or_a_reason) {
  const Outcome<int> good = 3, bad = Failure{Status::kModeCycle, "round and round"};
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 3);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.failure().message, "round and round");
  EXPECT_TRUE(bad.has_failed_with(Status::kModeCycle));
  EXPECT_FALSE(bad.has_failed_with(Status::kZeno));
  EXPECT_FALSE(good.has_failed_with(Status::kSuccess));
}

TEST(Outcome, a_name_from_below_that_is_not_known_has_the_status_of_its_border) {
  EXPECT_EQ(failure_named("overflow", Status::kRestartFailed, "").status, Status::kOverflow);
  EXPECT_EQ(failure_named("nobody-knows", Status::kRestartFailed, "").status,
            Status::kRestartFailed);
}

}  // namespace
}  // namespace hydae
