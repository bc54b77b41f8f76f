// The discrete and hybrid semantics of Modelica on small models with exact answers. Each runs with
// steps as long as they like and with short ones, and by each solver at three tolerances: the same
// instants, the same values.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>

#include <hydae/error.h>
#include <hydae/modelica.h>
#include <hydae/simulate.h>

#include "test/source_dir.h"

namespace hydae {
namespace {

using std::numbers::pi;

class Result {
 public:
  explicit Result(Simulation run) : run_(std::move(run)) {}

  const Summary& summary() const { return run_.summary; }
  bool succeeded() const { return run_.summary.succeeded(); }

  // Right limit, or left limit, of a variable at an output time.
  double at(double t, const std::string& name) const { return value(t, name, true); }
  double before(double t, const std::string& name) const { return value(t, name, false); }
  double last(const std::string& name) const {
    return run_.trajectory.value(run_.trajectory.num_rows() - 1, column(name));
  }

  std::vector<double> event_times(const std::string& kind = "") const {
    std::vector<double> times;
    for (const EventRecord& event : run_.summary.events)
      if (kind.empty() || event.kind == kind) times.push_back(event.t);
    return times;
  }
  const EventRecord& event_at(double t) const {
    const auto& events = run_.summary.events;
    return *std::min_element(events.begin(), events.end(), [&](const auto& a, const auto& b) {
      return std::abs(a.t - t) < std::abs(b.t - t);
    });
  }

 private:
  std::size_t column(const std::string& name) const {
    const auto found = run_.trajectory.find_column(name);
    EXPECT_TRUE(found) << name;
    return found.value_or(0);
  }
  double value(double t, const std::string& name, bool is_right) const {
    const std::size_t c = column(name);
    double found = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t row = 0; row < run_.trajectory.num_rows(); ++row)
      if (std::abs(run_.trajectory.times()[row] - t) <= 1e-13 * std::max(1.0, std::abs(t))) {
        found = run_.trajectory.value(row, c);
        if (!is_right) break;
      }
    return found;
  }

  Simulation run_;
};

struct Method {
  const char* name;
  Solver solver = Solver::kAuto;
  double tolerance = 1e-13, max_step = 0;
};

std::ostream& operator<<(std::ostream& out, const Method& method) { return out << method.name; }

// What the tolerance leaves open: no model here magnifies an error by more than its length.
constexpr double kMagnification = 10;

class Conformance : public ::testing::TestWithParam<Method> {
 protected:
  // Of event times, and of values.
  static double times() { return 1e-12 + kMagnification * GetParam().tolerance; }
  static double values() { return 1e-10 + kMagnification * GetParam().tolerance; }

  static std::string file(const std::string& name) {
    return std::string(source_dir()) + "/test/conformance/" + name + ".mo";
  }

  // `times`: where values are wanted, besides events.
  Result run(const std::string& name, double stop, std::vector<double> times = {},
             const std::map<std::string, std::string>& parameters = {}) const {
    LoadOptions load;
    load.parameters = parameters;
    load.library_path = library_path_from_environment();
    const LoadResult loaded = load_model(file(name), "", load);
    if (!loaded.model) throw std::runtime_error(render(loaded.diagnostics, loaded.sources.get()));
    SimulateOptions options;
    options.start = 0;
    options.stop = stop;
    options.solver = GetParam().solver;
    options.tolerance = options.atol = GetParam().tolerance;
    if (GetParam().max_step > 0) options.max_step = GetParam().max_step;
    times.push_back(stop);
    std::sort(times.begin(), times.end());
    options.times = std::move(times);
    Result result(simulate(*loaded.model, options));
    return result;
  }

  static void expect_times(const std::vector<double>& found, const std::vector<double>& wanted,
                           double accuracy = times()) {
    ASSERT_EQ(found.size(), wanted.size()) << ::testing::PrintToString(found);
    for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(found[k], wanted[k], accuracy);
  }
};

#define EXPECT_SUCCESS(result) ASSERT_TRUE((result).succeeded()) << (result).summary().message

// ---- A. time, when, passes

TEST_P(Conformance, 01_exact_time) {
  const Result r = run("01_exact_time", 2, {1});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.event_times(), std::vector<double>{1.0});
  EXPECT_EQ(r.event_times("state").size(), 0u);
  EXPECT_NEAR(r.at(1, "x"), 1, values());
  EXPECT_NEAR(r.at(2, "x"), 3, values());
}

TEST_P(Conformance, 02_rational_ticks) {
  const Result r = run("02_rational_ticks", 0.95);
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.last("n"), 10);  // 0, 0.1, ..., 0.9
  EXPECT_EQ(r.last("k"), 4);   // 0, 0.3, 0.6, 0.9
}

TEST_P(Conformance, 03_at_start) {
  const Result r = run("03_at_start", 15, {5});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.at(5, "n1"), 0);
  EXPECT_EQ(r.at(5, "n2"), 1);
  EXPECT_EQ(r.at(5, "n3"), 2);
  EXPECT_EQ(r.last("n1"), 0);
  EXPECT_EQ(r.last("n2"), 2);
  EXPECT_EQ(r.last("n3"), 3);
}

TEST_P(Conformance, 04_priority) {
  const Result r = run("04_priority", 3, {0.5, 1.5, 2.5});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.at(0.5, "y"), 0);
  EXPECT_EQ(r.at(1.5, "y"), 1);
  EXPECT_EQ(r.at(2.5, "y"), 2);
}

TEST_P(Conformance, 05_statement_order) {
  const Result r = run("05_statement_order", 2, {0.5});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.at(0.5, "y"), 0);
  EXPECT_EQ(r.last("y"), 11);
}

TEST_P(Conformance, 06_vector_or_disjunction) {
  const Result r = run("06_vector_or_disjunction", 3);
  EXPECT_SUCCESS(r);
  expect_times(r.event_times("state"), {1, 2});
  EXPECT_EQ(r.last("n"), 2);
  EXPECT_EQ(r.last("k"), 1);
}

TEST_P(Conformance, 07_rising_edges) {
  const Result r = run("07_rising_edges", 10);
  EXPECT_SUCCESS(r);
  expect_times(r.event_times(), {pi / 6, 5 * pi / 6, 13 * pi / 6, 17 * pi / 6});
  EXPECT_EQ(r.last("n"), 2);
}

TEST_P(Conformance, 08_chain) {
  const Result r = run("08_chain", 2, {1});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.before(1, "i"), 0);
  EXPECT_EQ(r.at(1, "i"), 3);
  EXPECT_EQ(r.event_at(1).passes, 4);
}

TEST_P(Conformance, 09_no_fixed_point) {
  const Result r = run("09_no_fixed_point", 1);
  EXPECT_EQ(r.summary().status, Status::kEventIteration);
  EXPECT_EQ(r.summary().t_end, 0);
  EXPECT_NE(r.summary().message.find("`b`"), std::string::npos) << r.summary().message;
}

TEST_P(Conformance, 10_discrete_loop) {
  try {
    run("10_discrete_loop", 1);
    FAIL() << "a loop of discrete equations was accepted";
  } catch (const std::exception& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("`a`"), std::string::npos) << text;
    EXPECT_NE(text.find("`b`"), std::string::npos) << text;
  }
}

// ---- B. reinit and discrete Reals

TEST_P(Conformance, 11_ladder) {
  const Result r = run("11_ladder", 2.5, {1.25});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(1.25, "x"), 0.75, values());
  EXPECT_NEAR(r.at(2.5, "x"), 0.5, values());
  EXPECT_EQ(r.event_at(1).passes, 6);
}

TEST_P(Conformance, 12_ball) {
  const Result r = run("12_ball", 3);
  EXPECT_SUCCESS(r);
  const double t1 = std::sqrt(2 / 9.81);
  EXPECT_NEAR(r.event_at(t1).t, t1, times());
  EXPECT_NEAR(r.event_at(2.4 * t1).t, 2.4 * t1, times());
  EXPECT_NEAR(r.event_at(3.38 * t1).t, 3.38 * t1, times());
  EXPECT_NEAR(r.last("h"), 0, values());
  EXPECT_NEAR(r.last("v"), 0, values());
  EXPECT_EQ(r.last("fly"), 0);
}

TEST_P(Conformance, 13_old_value) {
  const Result r = run("13_old_value", 2.5, {1.5});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(1.5, "d"), 1, values());
  EXPECT_NEAR(r.last("x"), 4.5, values());
  EXPECT_NEAR(r.last("d"), 3, values());
}

TEST_P(Conformance, 14_implicit_discrete) {
  const Result r = run("14_implicit_discrete", 3.5, {1.5, 2.5});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(1.5, "x"), (std::sqrt(13.0) - 1) / 2, values());
  EXPECT_NEAR(r.at(2.5, "x"), 1.539197615042736, values());
  EXPECT_NEAR(r.last("x"), 1.706262188663942, values());
}

TEST_P(Conformance, 15_time_meets_state) {
  const Result r = run("15_time_meets_state", 2.5, {1.5});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.at(1.5, "both"), 1);
  EXPECT_EQ(r.last("both"), 0);
  EXPECT_EQ(r.event_times(), (std::vector<double>{1, 2}));
}

// ---- C. roots and limits

TEST_P(Conformance, 16_reaches_and_rests) {
  const Result r = run("16_reaches_and_rests", 1, {0.6, 0.74, 0.76});
  EXPECT_SUCCESS(r);
  EXPECT_EQ(r.at(0.6, "b"), 1);
  EXPECT_EQ(r.at(0.74, "b"), 1);
  EXPECT_EQ(r.at(0.76, "b"), 0);
  EXPECT_NEAR(r.event_at(0.75).t, 0.75, times());
}

TEST_P(Conformance, 17_flat_zero) {
  const Result r = run("17_flat_zero", 1);
  EXPECT_SUCCESS(r);
  EXPECT_TRUE(r.event_times().empty());
  EXPECT_EQ(r.last("p"), 1);
  EXPECT_EQ(r.last("q"), 0);
}

TEST_P(Conformance, 18_double_root) {
  const Result graze = run("18_double_root", 2);
  EXPECT_SUCCESS(graze);
  EXPECT_EQ(graze.last("n"), 0);
  const Result two = run("18_double_root", 2, {}, {{"e", "1e-10"}});
  EXPECT_SUCCESS(two);
  // (t-1)^2 - 1e-10 is rounded to 1e-16 near t = 1, its slope there is 2e-5: times to 1e-11.
  expect_times(two.event_times(), {1 - 1e-5, 1 + 1e-5}, 2e-11);
  EXPECT_EQ(two.last("n"), 1);
  const Result none = run("18_double_root", 2, {}, {{"e", "-1e-10"}});
  EXPECT_SUCCESS(none);
  EXPECT_TRUE(none.event_times().empty());
}

TEST_P(Conformance, 19_flat_root) {
  const Result r = run("19_flat_root", 2);
  EXPECT_SUCCESS(r);
  ASSERT_EQ(r.event_times().size(), 1u);
  EXPECT_NEAR(r.event_times()[0], 1, times());
  EXPECT_EQ(r.last("n"), 1);
}

TEST_P(Conformance, 20_end) {
  const Result r = run("20_end", 5);
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.summary().t_end, std::numbers::ln2, times());
  EXPECT_NEAR(r.last("x"), 0.5, values());
  EXPECT_EQ(r.last("n"), 1);
}

// ---- D. silent switches

TEST_P(Conformance, 21_abs_and_sign) {
  const Result r = run("21_abs_and_sign", 2, {1});
  EXPECT_SUCCESS(r);
  EXPECT_TRUE(r.event_times().empty());
  EXPECT_NEAR(r.last("x"), 1, values());
  EXPECT_NEAR(r.at(1, "w"), 1, values());
  EXPECT_NEAR(r.last("w"), 0, values());
}

TEST_P(Conformance, 22_while_in_function) {
  // f(u) = u up to 1, u/2 up to 2, u/4 up to 4: z(4) = 1/2 + 3/4 + 3/2. A loop whose number of
  // turns depends on its argument has no Taylor series and no relation to switch at: BDF finds the
  // two jumps of f by its error test.
  if (GetParam().solver == Solver::kTaylor) GTEST_SKIP() << "refused";
  const Result r = run("22_while_in_function", 4);
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.last("z"), 2.75, std::max(1e-6, values()));
}

TEST_P(Conformance, 23_torricelli) {
  const Result r = run("23_torricelli", 3, {1, 2});
  EXPECT_SUCCESS(r);
  EXPECT_TRUE(r.event_times().empty());
  EXPECT_NEAR(r.at(1, "x"), 0.25, values());
  EXPECT_NEAR(r.at(2, "x"), 0, values());
  EXPECT_NEAR(r.last("x"), 0, values());
}

TEST_P(Conformance, 24_smooth_limiter) {
  const Result r = run("24_smooth_limiter", 1);
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.last("z"), 0.375, values());
}

TEST_P(Conformance, 25_semi_linear) {
  const Result r = run("25_semi_linear", 2, {0});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(0, "y"), -3, values());
  EXPECT_NEAR(r.last("y"), 2, values());
  EXPECT_NEAR(r.last("z"), -0.5, values());
}

// ---- E. event functions, delay

TEST_P(Conformance, 26_mod) {
  const Result r = run("26_mod", 1, {0.2, 0.5, 0.8});
  EXPECT_SUCCESS(r);
  expect_times(r.event_times(), {0.3, 0.6, 0.9});
  EXPECT_EQ(r.at(0.2, "i"), 0);
  EXPECT_EQ(r.at(0.5, "i"), 1);
  EXPECT_EQ(r.at(0.8, "i"), 2);
  EXPECT_EQ(r.last("i"), 3);
  EXPECT_NEAR(r.last("z"), 0.14, values());
}

TEST_P(Conformance, 27_div_below_zero) {
  const Result r = run("27_div_below_zero", 2, {0.1, 0.4, 1, 1.5, 1.9});
  EXPECT_SUCCESS(r);
  expect_times(r.event_times(), {0.2, 0.6, 1.4, 1.8});
  EXPECT_EQ(r.at(0.1, "d"), 2);
  EXPECT_EQ(r.at(0.4, "d"), 1);
  EXPECT_EQ(r.at(1, "d"), 0);
  EXPECT_EQ(r.at(1.5, "d"), -1);
  EXPECT_EQ(r.at(1.9, "d"), -2);
}

TEST_P(Conformance, 28_delay) {
  const Result r = run("28_delay", 2, {0.4, 1});
  EXPECT_SUCCESS(r);
  EXPECT_TRUE(r.event_times().empty());
  EXPECT_NEAR(r.at(0.4, "y"), 0, values());
  EXPECT_NEAR(r.at(1, "z"), 0.125 / 3, values());
  EXPECT_NEAR(r.last("z"), 1.125, values());
}

// ---- F. structure and impulses

TEST_P(Conformance, 29_index_drop) {
  const Result r = run("29_index_drop", 1, {0.25});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(0.25, "x"), 1, values());
  EXPECT_NEAR(r.last("x"), 1.5, values());
  EXPECT_TRUE(r.event_at(0.5).jumps.empty());
}

TEST_P(Conformance, 30_if_equation) {
  const Result r = run("30_if_equation", 4, {3});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(3, "b"), 4, values());
  EXPECT_NEAR(r.last("b"), 3, values());
  EXPECT_NEAR(r.last("a"), 5, values());
}

TEST_P(Conformance, 31_variable_structure) {
  const Result r = run("31_variable_structure", 1, {0.5});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.before(0.5, "x"), 5, values());
  EXPECT_NEAR(r.at(0.5, "x"), -5, values());
  EXPECT_NEAR(r.last("x"), -5, values());
}

TEST_P(Conformance, 32_capacitors) {
  const Result r = run("32_capacitors", 2, {1});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(1, "v1"), 1, values());
  EXPECT_NEAR(r.at(1, "v2"), 1, values());
  EXPECT_NEAR(r.last("i"), 0, values());
  const EventRecord& event = r.event_at(1);
  ASSERT_EQ(event.impulses.size(), 1u);
  EXPECT_EQ(event.impulses[0].variable, "i");
  EXPECT_NEAR(event.impulses[0].weight, 2, values());
}

TEST_P(Conformance, 41_mixed_branches) {
  const Result r = run("41_mixed_branches", 12, {10});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.before(10, "a"), 12, values());
  EXPECT_NEAR(r.at(10, "a"), 0, values());
  EXPECT_NEAR(r.before(10, "b"), 0, values());
  EXPECT_NEAR(r.last("b"), 0, values());
  EXPECT_TRUE(r.event_at(10).impulses.empty());
}

// ---- G. mixed systems

TEST_P(Conformance, 33_piecewise_linear) {
  const Result r = run("33_piecewise_linear", 6.28, {0, pi / 2});
  EXPECT_SUCCESS(r);
  expect_times(r.event_times(), {std::asin(0.25), pi - std::asin(0.25)});
  EXPECT_NEAR(r.at(0, "y"), 1.0 / 3, values());
  EXPECT_NEAR(r.at(pi / 2, "y"), -1.5, values());
  EXPECT_NEAR(r.at(pi / 2, "z"), -0.5, values());
}

TEST_P(Conformance, 34_final_value) {
  const Result r = run("34_final_value", 2, {1});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(1, "o"), 0, values());
  EXPECT_NEAR(r.at(1, "x"), 0, values());
  EXPECT_NEAR(r.last("x"), -2, values());
}

TEST_P(Conformance, 35_bridge) {
  const Result r = run("35_bridge", 7, {pi / 2, 3 * pi / 2});
  EXPECT_SUCCESS(r);
  // At the start all s are zero, `s < 0` is false, and two of them become true right behind it.
  expect_times(r.event_times(), {0, pi, 2 * pi});
  EXPECT_NEAR(r.at(pi / 2, "p"), 0.999980000199998, values());
  EXPECT_NEAR(r.at(3 * pi / 2, "p"), 0.999980000199998, values());
  const double first[] = {0, 1, 1, 0};
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(r.at(pi / 2, "off[" + std::to_string(k + 1) + "]"), first[k]);
}

TEST_P(Conformance, 36_thyristor) {
  const Result r = run("36_thyristor", 7, {0.5, 2, 4});
  EXPECT_SUCCESS(r);
  expect_times(r.event_times(), {1, 1.1, pi, 2 * pi});
  EXPECT_NEAR(r.at(0.5, "i"), 1e-5 * std::sin(0.5) / 1.00001, values());
  EXPECT_NEAR(r.at(2, "i"), std::sin(2.0) / 1.00001, values());
  EXPECT_NEAR(r.at(4, "i"), 1e-5 * std::sin(4.0) / 1.00001, values());
}

TEST_P(Conformance, 37_friction) {
  const Result r = run("37_friction", 3, {1});
  EXPECT_SUCCESS(r);
  const double stop = 2 - std::sqrt(2.0);
  // At the start initial() ceases, and with it sf: an instant of its own.
  expect_times(r.event_times(), {0, stop, 2});
  EXPECT_NEAR(r.at(1, "w"), 0, values());
  EXPECT_EQ(r.at(1, "lk"), 1);
  EXPECT_NEAR(r.at(1, "sa"), 2, values());
  EXPECT_NEAR(r.last("w"), 1, values());
  EXPECT_EQ(r.last("m"), 1);
}

TEST_P(Conformance, 38_sliding) {
  const Result r = run("38_sliding", 1);
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.event_at(1.0 / 7).t, 1.0 / 7, times());
  EXPECT_NEAR(r.last("x"), 31.0 / 34, values());
  EXPECT_NEAR(r.last("y"), 31.0 / 34, values());
}

// ---- H. tables and initialization

TEST_P(Conformance, 39_tables) {
  if (library_path_from_environment().empty()) GTEST_SKIP() << "no library on HYDAE_PATH";
  const Result r = run("39_tables", 4, {3});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.before(1, "t.y[1]"), 1, values());
  EXPECT_NEAR(r.at(1, "t.y[1]"), 2, values());
  EXPECT_NEAR(r.at(3, "z"), 2.5, values());
  EXPECT_NEAR(r.last("z"), 2, values());
  EXPECT_NEAR(r.at(3, "c"), 9, values());
  EXPECT_NEAR(r.last("c"), 21, values());
}

TEST_P(Conformance, 40_sampled_steady_state) {
  const Result r = run("40_sampled_steady_state", 3.5, {0.5, 1.2, 2.5});
  EXPECT_SUCCESS(r);
  EXPECT_NEAR(r.at(0.5, "y"), 2, values());
  EXPECT_NEAR(r.at(1.2, "y"), 2, values());
  EXPECT_NEAR(r.at(2.5, "y"), 3, values());
  EXPECT_NEAR(r.last("y"), 3.5, values());
}

INSTANTIATE_TEST_SUITE_P(Steps, Conformance,
                         ::testing::Values(Method{"long"},
                                           Method{.name = "short", .max_step = 1e-2}),
                         testing::PrintToStringParamName());

// auto is Taylor where that has the model, at these tolerances too.
INSTANTIATE_TEST_SUITE_P(Solvers, Conformance,
                         ::testing::Values(Method{"auto_4", Solver::kAuto, 1e-4},
                                           Method{"auto_6", Solver::kAuto, 1e-6},
                                           Method{"auto_9", Solver::kAuto, 1e-9},
                                           Method{"taylor_4", Solver::kTaylor, 1e-4},
                                           Method{"taylor_6", Solver::kTaylor, 1e-6},
                                           Method{"taylor_9", Solver::kTaylor, 1e-9},
                                           Method{"ida_4", Solver::kIda, 1e-4},
                                           Method{"ida_6", Solver::kIda, 1e-6},
                                           Method{"ida_9", Solver::kIda, 1e-9}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace hydae
