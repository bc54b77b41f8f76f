#include "init/conflict.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <random>

namespace hydae::init {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

bool contains_all(std::span<const int> set, const std::vector<int>& part) {
  return std::includes(set.begin(), set.end(), part.begin(), part.end());
}

TEST(MinimalConflict, none_if_all_can_hold) {
  EXPECT_FALSE(find_minimal_conflict(5, [](auto) { return true; }).has_value());
  EXPECT_FALSE(find_minimal_conflict(0, [](auto) { return true; }).has_value());
}

TEST(MinimalConflict, is_empty_if_nothing_can_hold) {
  EXPECT_THAT(*find_minimal_conflict(5, [](auto) { return false; }), IsEmpty());
  EXPECT_THAT(*find_minimal_conflict(0, [](auto) { return false; }), IsEmpty());
}

TEST(MinimalConflict, finds_the_one_that_is_impossible) {
  EXPECT_THAT(*find_minimal_conflict(9, [](auto set) { return !contains_all(set, {6}); }),
              ElementsAre(6));
  EXPECT_THAT(*find_minimal_conflict(1, [](auto set) { return set.empty(); }), ElementsAre(0));
}

TEST(MinimalConflict, finds_the_three_fixed_values_on_one_line) {
  // x0 + x1 = x4 with x0, x1, x4 of five fixed to values that do not add up.
  EXPECT_THAT(*find_minimal_conflict(5,
                                     [](auto set) {
                                       return !contains_all(set, {0, 1, 4});
                                     }),
              ElementsAre(0, 1, 4));
}

TEST(MinimalConflict, of_several_the_one_among_the_first_requirements_is_found) {
  const auto can_hold = [](auto set) {
    return !contains_all(set, {1, 2}) && !contains_all(set, {2, 5}) && !contains_all(set, {4, 6});
  };
  EXPECT_THAT(*find_minimal_conflict(7, can_hold), ElementsAre(1, 2));
}

TEST(MinimalConflict, asks_few_questions_for_a_small_conflict) {
  int questions = 0;
  const auto conflict = find_minimal_conflict(1024, [&](auto set) {
    ++questions;
    return !contains_all(set, {17, 900});
  });
  EXPECT_THAT(*conflict, ElementsAre(17, 900));
  EXPECT_LE(questions, 2 * 2 * 10 + 2 * 2 + 2);  // 2k log2(n/k) + 2k, and the two at the start
}

TEST(MinimalConflict, is_minimal_for_random_families_of_conflicts) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 300; ++trial) {
    const int count = 1 + static_cast<int>(random() % 12);
    std::vector<std::vector<int>> families(1 + random() % 4);
    for (auto& family : families) {
      for (int i = 0; i < count; ++i) {
        if (random() % 3 == 0) family.push_back(i);
      }
      if (family.empty()) family.push_back(static_cast<int>(random() % count));
    }
    const auto can_hold = [&](std::span<const int> set) {
      return std::none_of(families.begin(), families.end(),
                          [&](const auto& family) { return contains_all(set, family); });
    };
    const auto conflict = find_minimal_conflict(count, can_hold);
    ASSERT_TRUE(conflict.has_value());
    EXPECT_FALSE(can_hold(*conflict));
    for (std::size_t leave = 0; leave < conflict->size(); ++leave) {
      auto rest = *conflict;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(leave));
      EXPECT_TRUE(can_hold(rest));
    }
  }
}

}  // namespace
}  // namespace hydae::init
