#include <algorithm>

#include <hydae/contact.h>
#include <hydae/error.h>
#include <hydae/simulator.h>

#include "sim/run_testing.h"
#include "sim/saved_content.h"

namespace hydae {
namespace {

// A ball that bounces and counts, a signal that slides, a delayed signal in a loop, a clock.
Model eventful_model() {
  Model m("eventful");
  const Expr h = m.variable("h"), v = m.variable("v"), s = m.variable("s"), y = m.variable("y"),
             energy = m.variable("energy");
  const Expr n = integer(m, "n", 0), g = m.parameter("g", 10);
  m.equation(der(h) == v);
  m.equation(der(v) == -g + 0.1 * sin(3 * m.time()));
  m.equation(der(s) == select(s > 0.3, -1, 1) + 0.2 * sin(m.time()));
  const NodeId lag = m.graph().constant(0.37);
  m.equation(der(y) == 0.3 * s - Expr(m.graph(), m.graph().ternary(Op::kDelay, y.id(), lag, lag)));
  m.equation(energy == v * v / 2 + g * h);
  m.when(when({h < 0}, {reinit(v, -0.9 * pre(v)), assign(n, pre(n) + 1)}));
  m.fix(h, 1), m.fix(v, 0), m.fix(s, 0), m.fix(y, 1);
  return m;
}

// Stiff, index 2 and without switches.
Model smooth_model() {
  Model m("smooth");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == -1000 * (x - cos(m.time())) + z);
  m.equation(der(y) == x - z);
  m.equation(y == sin(m.time()));
  m.fix(x, 0);
  return m;
}

// Smaller than one everywhere: its absolute tolerances are derived from what was met.
Model small_model() {
  Model m("small");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(der(v) == select(v > 0.1, -0.5, -0.4));
  m.fix(x, 0), m.fix(v, 0.9);
  return m;
}

struct Case {
  const char* name;
  Model (*make)();
  Solver solver;
  BdfCode code = BdfCode::kBest;
};

SimulateOptions options_of(const Case& c, double tolerance) {
  SimulateOptions options;
  options.stop = 3;
  options.interval = 0.25;
  options.tolerance = tolerance;
  options.solver = c.solver;
  options.bdf.code = c.code;
  return options;
}

// What has a time behind t, bit by bit.
void expect_same_behind(double t, const Simulation& whole, const Simulation& rest) {
  ASSERT_EQ(whole.summary.message, "");
  ASSERT_EQ(rest.summary.message, "");
  std::vector<std::size_t> rows;
  for (std::size_t k = 0; k < whole.trajectory.num_rows(); ++k)
    if (whole.trajectory.times()[k] > t) rows.push_back(k);
  ASSERT_EQ(rest.trajectory.num_rows(), rows.size() + 1);
  EXPECT_EQ(rest.trajectory.times()[0], t);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(whole.trajectory.times()[rows[k]], rest.trajectory.times()[k + 1]);
    EXPECT_TRUE(std::ranges::equal(whole.trajectory.row(rows[k]), rest.trajectory.row(k + 1)))
        << "at t = " << whole.trajectory.times()[rows[k]];
  }
}

class SavedStates : public testing::TestWithParam<Case> {};

TEST_P(SavedStates, are_continued_bit_by_bit) {
  const Model model = GetParam().make();
  for (double tolerance : {1e-4, 1e-6, 1e-9})
    // In a step, on the grid, on the sliding surface, at the time of the first impact nearly.
    for (double at : {0.1, 0.447, 1.0, 2.2}) {
      SCOPED_TRACE(testing::Message() << "tolerance " << tolerance << ", saved at " << at);
      SimulateOptions options = options_of(GetParam(), tolerance);
      std::string text;
      options.state.save_at = at;
      options.state.save = [&](const SavedState& state) { text = state.to_text(); };
      const Simulation whole = simulate(model, options);
      ASSERT_FALSE(text.empty()) << whole.summary.message;
      SimulateOptions again;
      again.stop = 3;
      again.interval = 0.25;
      again.bdf.code = GetParam().code;
      again.state.resume = SavedState::from_text(text);
      EXPECT_EQ(again.state.resume->to_text(), text);
      EXPECT_EQ(again.state.resume->time(), at);
      expect_same_behind(at, whole, simulate(GetParam().make(), again));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, SavedStates,
    testing::Values(Case{"taylor", eventful_model, Solver::kTaylor},
                    Case{"ida", eventful_model, Solver::kIda},
                    Case{"auto", eventful_model, Solver::kAuto},
                    Case{"ida_with_ida", eventful_model, Solver::kIda, BdfCode::kIda},
                    Case{"smooth_taylor", smooth_model, Solver::kTaylor},
                    Case{"smooth_cvode", smooth_model, Solver::kIda},
                    Case{"smooth_ida", smooth_model, Solver::kIda, BdfCode::kIda},
                    Case{"small_taylor", small_model, Solver::kTaylor},
                    Case{"small_ida", small_model, Solver::kIda}),
    [](const auto& test) { return std::string(test.param.name); });

SavedState saved_at_event(const Model& model, SimulateOptions options, Simulation& whole) {
  std::optional<SavedState> saved;
  options.state.save = [&](const SavedState& state) { saved = state; };
  whole = simulate(model, options);
  return *saved;
}

// The ball is dropped from 1.25 m: it arrives at t = 0.5 exactly, by a state event, while a clock
// ticks. What is saved is the right limit: the speed is 0.8 * 5.
TEST(SavedState, at_the_time_of_an_event_is_its_right_limit) {
  Model m("drop");
  const Expr h = m.variable("h"), v = m.variable("v"), n = integer(m, "n", 0);
  m.equation(der(h) == v);
  m.equation(der(v) == -10);
  m.when(when({h < 0}, {reinit(v, -0.8 * pre(v))}));
  const NodeId tick =
      m.graph().binary(Op::kSample, m.graph().constant(0), m.graph().constant(0.25));
  m.when(when({Expr(m.graph(), tick)}, {assign(n, pre(n) + 1)}));
  m.fix(h, 1.25), m.fix(v, 0);
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    SimulateOptions options;
    options.stop = 2;
    options.points = 9;
    options.solver = solver;
    options.state.save_at = 0.5;
    Simulation whole;
    const SavedState saved = saved_at_event(m, options, whole);
    SimulateOptions again;
    again.stop = 2;
    again.points = 9;
    again.state.resume = saved;
    const Simulation rest = simulate(m, again);
    EXPECT_NEAR(rest.trajectory.series("v").front(), 4, 1e-5);
    EXPECT_EQ(rest.trajectory.series("n").front(), 3);  // ticks at 0, 0.25, 0.5
    EXPECT_EQ(rest.trajectory.series("n").back(), 9);
    expect_same_behind(0.5, whole, rest);
  }
}

TEST(SavedState, holds_the_end_of_a_run_that_is_to_be_continued) {
  const Model m = eventful_model();
  SimulateOptions options;
  options.stop = 1;
  options.tolerance = 1e-10;
  options.parameters = {{"g", 9}};
  Simulation first;
  const SavedState saved = saved_at_event(m, options, first);
  EXPECT_EQ(saved.time(), 1);
  EXPECT_EQ(saved.model(), "eventful");
  SimulateOptions more;
  more.stop = 3;
  more.state.resume = saved;
  const Simulation second = simulate(m, more);
  ASSERT_EQ(second.summary.message, "");
  EXPECT_EQ(second.summary.tolerance, 1e-10);
  options.stop = 3;
  // Not the same steps: the same solution. Impacts multiply errors by no more than a few.
  const Simulation whole = simulate(m, options);
  for (const char* name : {"h", "s", "y", "n", "energy"})
    EXPECT_NEAR(final_value(second, name), final_value(whole, name), 1e-7) << name;
}

TEST(SavedState, is_refused_by_another_model) {
  const Model m = eventful_model();
  SimulateOptions options;
  Simulation unused;
  options.state.save_at = 0.5;
  const SavedState saved = saved_at_event(m, options, unused);
  const auto refusal = [&](const Model& model, SimulateOptions given) -> std::string {
    given.state.resume = SavedState::from_text(saved.to_text(), "`a.json`");
    try {
      simulate(model, given);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(smooth_model(), {}),
            "`a.json` is a state of model `eventful`, not of `smooth`");
  Model changed = eventful_model();
  changed.equation(changed.variable("more") == changed.time());
  EXPECT_EQ(
      refusal(changed, {}),
      "`a.json` is a state of another version of model `eventful`: its equations have changed");
  SimulateOptions early;
  early.stop = 0.25;
  EXPECT_EQ(refusal(m, early), "`a.json` is of t = 0.5, behind the stop time 0.25");
  SimulateOptions with_parameter;
  with_parameter.parameters = {{"g", 1}};
  EXPECT_EQ(
      refusal(m, with_parameter),
      "a run that goes on from a state has its start, start values and parameters from there");
  EXPECT_THROW(SavedState::from_text("{}"), UsageError);
  std::string other = saved.to_text();
  other.replace(other.find("\"version\": 3"), 12, "\"version\": 9");
  EXPECT_THROW(SavedState::from_text(other), UsageError);
  EXPECT_THROW(SavedState::from_text(other.substr(0, 500)), UsageError);
}

// With its checksum in order: made by something else than hydae.
TEST(SavedState, of_other_guards_does_not_fit) {
  const Model m = eventful_model();
  SimulateOptions options;
  Simulation unused;
  options.state.save_at = 0.5;
  auto content = std::make_shared<SavedContent>(saved_at_event(m, options, unused).content());
  content->state.guards.sizes.pop_back();
  options.state = {SavedState::from_text(SavedState(content).to_text(), "`a.json`"), {}, {}};
  const Summary summary = simulate(m, options).summary;
  EXPECT_NE(summary.message.find("`a.json` does not fit the model: it has other guards"),
            std::string::npos)
      << summary.message;
}

TEST(SavedState, with_a_damaged_digit_is_refused) {
  const Model m = eventful_model();
  SimulateOptions options;
  Simulation unused;
  options.state.save_at = 0.5;
  std::string text = saved_at_event(m, options, unused).to_text();
  text[text.find("\"time\": 0.5") + 10] = '6';
  try {
    SavedState::from_text(text, "`a.json`");
    ADD_FAILURE() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "`a.json` is damaged: its content does not fit its checksum");
  }
}

// With BDF and delays too.
TEST(Simulator, goes_on_from_a_state_under_all_solvers) {
  for (const Solver solver : {Solver::kTaylor, Solver::kIda, Solver::kAuto})
    for (Model (*make)() : {eventful_model, smooth_model}) {
      const Model m = make();
      SimulateOptions options;
      options.solver = solver;
      Simulator first(m, options), second(m, options);
      ASSERT_EQ(first.initialize(), Status::kSuccess) << first.message();
      ASSERT_EQ(second.initialize(), Status::kSuccess) << second.message();
      ASSERT_EQ(first.advance_to(0.8), Status::kSuccess) << first.message();
      ASSERT_EQ(second.set_state(first.state()), Status::kSuccess) << second.message();
      for (double t : {1.0, 1.7}) {
        ASSERT_EQ(first.advance_to(t), Status::kSuccess) << first.message();
        ASSERT_EQ(second.advance_to(t), Status::kSuccess) << second.message();
        for (const Variable& variable : m.all_variables())
          EXPECT_EQ(first.value(variable.name), second.value(variable.name)) << variable.name;
      }
    }
}

}  // namespace
}  // namespace hydae
