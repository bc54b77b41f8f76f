#include "base/derivative_name.h"

#include <gtest/gtest.h>

namespace hydae {
namespace {

using Parsed = std::pair<std::string, int>;

TEST(DerivativeName, is_what_results_and_start_values_use) {
  EXPECT_EQ(derivative_name("a.b[2]", 0), "a.b[2]");
  EXPECT_EQ(derivative_name("a.b[2]", 1), "der(a.b[2])");
  EXPECT_EQ(derivative_name("a.b[2]", 12), "der(a.b[2],12)");
}

TEST(DerivativeName, is_read_back) {
  for (const char* name : {"x", "a.b", "m[1,2]"})
    for (int order : {0, 1, 2, 10})
      EXPECT_EQ(parse_derivative_name(derivative_name(name, order)), Parsed(name, order));
  EXPECT_EQ(parse_derivative_name("der(x, 3)"), Parsed("x", 3));
}

TEST(DerivativeName, anything_else_is_a_name) {
  for (const char* text : {"", "der(", "der(x", "der(x,0)", "der(x,-1)", "der(x,y)", "der(x,2.5)",
                           "der(x,99999999999)"})
    EXPECT_EQ(parse_derivative_name(text), Parsed(text, 0));
}

}  // namespace
}  // namespace hydae
