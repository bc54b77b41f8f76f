#include "sim/output_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>

namespace hydae {
namespace {

std::vector<double> all(OutputGrid grid, double reach) {
  std::vector<double> times;
  while (const auto t = grid.next_until(reach)) times.push_back(*t);
  return times;
}

TEST(OutputGrid, points_are_evenly_spaced_and_end_exactly_at_stop) {
  SimulateOptions options;
  options.points = 4;
  EXPECT_THAT(all(OutputGrid(0, 3, options), 3), ::testing::ElementsAre(0, 1, 2, 3));
}

TEST(OutputGrid, interval_that_does_not_fit_ends_with_stop) {
  SimulateOptions options;
  options.interval = 0.4;
  EXPECT_THAT(all(OutputGrid(0, 1, options), 1), ::testing::ElementsAre(0, 0.4, 0.8, 1));
}

TEST(OutputGrid, runs_backwards) {
  SimulateOptions options;
  options.points = 3;
  EXPECT_THAT(all(OutputGrid(1, 0, options), 0), ::testing::ElementsAre(1, 0.5, 0));
}

TEST(OutputGrid, gives_times_up_to_the_reach_only) {
  SimulateOptions options;
  options.points = 3;
  EXPECT_THAT(all(OutputGrid(0, 1, options), 0.6), ::testing::ElementsAre(0, 0.5));
}

TEST(OutputGrid, nonsense_is_refused) {
  SimulateOptions one_point, no_interval, outside;
  one_point.points = 1;
  no_interval.interval = 0;
  outside.times = {2};
  EXPECT_THROW(OutputGrid(0, 1, one_point), UsageError);
  EXPECT_THROW(OutputGrid(0, 1, no_interval), UsageError);
  EXPECT_THROW(OutputGrid(0, 1, outside), UsageError);
}

}  // namespace
}  // namespace hydae
