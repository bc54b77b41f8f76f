#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/simulate.h>

namespace hydae {
namespace {

using testing::ElementsAre;

// x' = 1 before t = 0.5, x' = -1 from then on; s = 1 and -1.
Model roof() {
  Model m("roof");
  const Expr x = m.variable("x"), s = m.variable("s");
  m.equation(der(x) == s);
  m.equation(s == select(m.time() < 0.5, 1.0, -1.0));
  m.fix(x, 0);
  return m;
}

class RowList : public RowSink {
 public:
  void begin(const Column& axis, std::span<const Column> columns) override {
    names.push_back(axis.name);
    for (const Column& column : columns) names.push_back(column.name);
  }
  void add_row(double time, std::span<const double> values) override {
    rows.emplace_back(time, std::vector<double>(values.begin(), values.end()));
  }

  std::vector<std::string> names;
  std::vector<std::pair<double, std::vector<double>>> rows;
};

TEST(Recorder, a_sink_receives_the_rows_that_a_trajectory_has) {
  SimulateOptions options;
  options.points = 5;
  const Trajectory table = simulate(roof(), options).trajectory;
  RowList list;
  options.sinks.rows = &list;
  EXPECT_EQ(simulate(roof(), options).trajectory.num_rows(), 0u);
  EXPECT_THAT(list.names, ElementsAre("time", "x", "der(x)", "s"));
  ASSERT_EQ(list.rows.size(), table.num_rows());
  for (std::size_t r = 0; r < table.num_rows(); ++r) {
    EXPECT_EQ(list.rows[r].first, table.times()[r]);
    EXPECT_THAT(list.rows[r].second, testing::ElementsAreArray(table.row(r)));
  }
}

// Left limit 1, right limit -1, whichever point of the list the event is.
TEST(Recorder, an_event_at_an_output_time_has_two_rows) {
  for (const std::vector<double>& times :
       {std::vector<double>{0.5}, std::vector<double>{0, 0.5, 1}, std::vector<double>{0.25, 0.5}}) {
    SimulateOptions options;
    options.times = times;
    options.variables = {"s"};
    RowList list;
    options.sinks.rows = &list;
    simulate(roof(), options);
    std::vector<double> at_event;
    for (const auto& [t, row] : list.rows)
      if (t == 0.5) at_event.push_back(row[0]);
    EXPECT_THAT(at_event, ElementsAre(1, -1)) << times.size();
  }
}

TEST(Recorder, a_run_that_is_cancelled_ends_with_the_point_it_has_reached) {
  SimulateOptions options;
  options.stop = 100;
  options.points = 2;
  options.progress = [](double) { return false; };
  const Simulation run = simulate(roof(), options);
  EXPECT_EQ(run.summary.status, Status::kCancelled);
  ASSERT_EQ(run.trajectory.num_rows(), 2u);
  EXPECT_EQ(run.trajectory.times()[1], run.summary.t_end);
}

TEST(Recorder, a_pattern_that_fits_nothing_is_refused) {
  SimulateOptions options;
  options.variables = {"s", "speed"};
  EXPECT_THROW(simulate(roof(), options), UsageError);
}

}  // namespace
}  // namespace hydae
