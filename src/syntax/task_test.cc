#include "syntax/task.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace hydae::syntax {
namespace {

Task<long> sum_to(long n) {
  if (n == 0) co_return 0;
  co_return n + co_await sum_to(n - 1);
}

TEST(Task, recursion_is_limited_by_memory_only) {
  EXPECT_EQ(run(sum_to(1'000'000)), 500'000'500'000);  // n (n + 1) / 2
}

Task<int> fibonacci(int n) {
  if (n < 2) co_return n;
  const int a = co_await fibonacci(n - 1);
  const int b = co_await fibonacci(n - 2);
  co_return a + b;
}

TEST(Task, a_task_can_wait_for_several_others) { EXPECT_EQ(run(fibonacci(15)), 610); }

void fail_if(bool condition) {
  if (condition) throw std::runtime_error("bottom");
}

// `held` counts the frames that are alive.
Task<int> fail_at(int depth, std::shared_ptr<int> held) {
  fail_if(depth == 0);
  co_return 1 + co_await fail_at(depth - 1, held);
}

TEST(Task, an_exception_ends_all_tasks_and_destroys_what_they_hold) {
  const auto held = std::make_shared<int>(0);
  EXPECT_THROW(run(fail_at(1'000'000, held)), std::runtime_error);
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace hydae::syntax
