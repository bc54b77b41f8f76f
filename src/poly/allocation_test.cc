// The search runs once per guard and step: it must not allocate once its buffers have grown.
#include <gtest/gtest.h>
#include <vector>

#include "base/count_allocations_testing.h"
#include "poly/product_polynomial_testing.h"
#include "poly/root_finder.h"

namespace hydae::poly {
namespace {

TEST(Allocation, repeated_search_reuses_its_buffers) {
  const auto crossing = polynomial_with_roots({0.1L, 0.35L, 0.350001L, 0.7L}, {{0.5L, 0.1L}});
  const auto touching = polynomial_with_roots({0.3L, 0.3L, 2.0L, 3.0L}, {{0.5L, 0.1L}});
  RootFinder finder;
  const auto search = [&] {
    finder.find(crossing, {});
    finder.find(touching, {});
    finder.find(crossing, {.remainder = 1e-3});
  };
  search();
  const long before = num_allocations;
  for (int i = 0; i < 10; ++i) search();
  EXPECT_EQ(num_allocations, before);
}

}  // namespace
}  // namespace hydae::poly
