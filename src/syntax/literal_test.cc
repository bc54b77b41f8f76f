#include "syntax/literal.h"

#include <gtest/gtest.h>
#include <string>

namespace hydae::syntax {
namespace {

TEST(Literal, integers_reach_up_to_the_largest_of_64_bits) {
  EXPECT_EQ(integer_value("007"), 7);
  EXPECT_EQ(integer_value("9223372036854775807"), 9223372036854775807);
  EXPECT_EQ(integer_value("9223372036854775808"), std::nullopt);
}

TEST(Literal, reals_are_the_nearest_double) {
  EXPECT_EQ(real_value("13."), 13.0);
  EXPECT_EQ(real_value(".13E2"), 13.0);
  EXPECT_EQ(real_value("0.1"), 0.1);
  EXPECT_EQ(real_value("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST(Literal, reals_too_small_are_zero_and_too_large_are_refused) {
  const std::string zeros(400, '0');
  EXPECT_EQ(real_value("1e-400"), 0.0);
  EXPECT_EQ(real_value("0." + zeros + "1"), 0.0);
  EXPECT_EQ(real_value("1" + zeros + "e-800"), 0.0);
  EXPECT_EQ(real_value("1e-99999999999999999999"), 0.0);
  EXPECT_EQ(real_value("0e99999999999999999999"), 0.0);
  EXPECT_EQ(real_value("1e400"), std::nullopt);
  EXPECT_EQ(real_value("1" + zeros + ".5"), std::nullopt);
  EXPECT_EQ(real_value("0." + zeros + "1e900"), std::nullopt);
  EXPECT_EQ(real_value("1e+9223372036854775807"), std::nullopt);
}

}  // namespace
}  // namespace hydae::syntax
