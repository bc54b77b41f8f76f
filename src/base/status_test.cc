#include <gtest/gtest.h>
#include <set>

#include <hydae/status.h>

namespace hydae {
namespace {

TEST(Status, names_are_distinct_and_lead_back) {
  std::set<std::string_view> names;
  for (int k = 0; k <= static_cast<int>(Status::kInternalError); ++k) {
    const auto status = static_cast<Status>(k);
    EXPECT_TRUE(names.insert(name_of(status)).second) << name_of(status);
    EXPECT_EQ(find_status(name_of(status)), status);
  }
}

TEST(Status, an_unknown_name_is_none) { EXPECT_FALSE(find_status("no-such-status")); }

}  // namespace
}  // namespace hydae
