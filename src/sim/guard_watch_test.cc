#include "sim/guard_watch.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <numbers>

namespace hydae {
namespace {

using codegen::TapeBuilder;
using codegen::TermId;

// Polynomials that a step is made of.
class Polynomials : public LeafSource {
 public:
  std::vector<LeafOverStep> leaves;
  void read(std::size_t leaf, LeafOverStep& over_step) override { over_step = leaves[leaf]; }
  void measure(std::size_t, LeafOverStep&) override {}
  double value(std::size_t leaf, double place) override {
    double sum = 0;
    const auto& c = leaves[leaf].coefficients;
    for (std::size_t n = c.size(); n-- > 0;) sum = sum * place + c[n];
    return sum;
  }
};

// A leaf that has values only, as linear equations beside BDF give it, and what is known of them.
class Values : public LeafSource {
 public:
  std::function<double(double place)> function;
  double rounding = 0;
  long num_values = 0;
  void read(std::size_t, LeafOverStep&) override {}
  void measure(std::size_t, LeafOverStep& over_step) override { over_step.rounding = rounding; }
  double value(std::size_t, double place) override {
    ++num_values;
    return function(place);
  }
};

class GuardWatchTest : public testing::Test {
 protected:
  // Guards of variable 0, which is `x` over [from, to].
  void begin(std::vector<TermId> terms, std::vector<double> over_step, double from, double to) {
    codegen::ProgramInput input;
    input.outputs = std::move(terms);
    input.structure.d = {0};
    OutputProgram program;
    program.program = std::make_shared<const codegen::Program>(tape, input);
    program.leaves = {{0, 0}};
    outputs = std::make_unique<StepOutputs>(std::move(program));
    step.leaves = {{std::move(over_step), 0, 0}};
    outputs->begin(from, to, step);
  }
  void begin_with_values(std::vector<TermId> terms) {
    begin(std::move(terms), {0}, 0, 1);
    outputs->begin(0, 1, values);
  }
  const GuardEvent& find(std::vector<WatchedGuard> given) {
    guards = std::move(given);
    return watch.find(*outputs, guards);
  }

  TapeBuilder tape;
  TermId x = tape.variable(0);
  Polynomials step;
  Values values;
  std::unique_ptr<StepOutputs> outputs;
  std::vector<WatchedGuard> guards;
  GuardWatch watch;
};

// cos(50 t) over one step from 0 to 10: first zero at pi/100, whatever the solution does.
TEST_F(GuardWatchTest, finds_the_first_root_of_a_guard_that_is_faster_than_the_step) {
  begin({tape.unary(Op::kCos, tape.mul(tape.constant(50), tape.time()))}, {1}, 0, 10);
  const GuardEvent& event = find({{.output = 0, .held_sign = 1}});
  ASSERT_TRUE(event.has_event());
  EXPECT_NEAR(10 * event.at, std::numbers::pi / 100, 1e-14);
}

// cos(50 t) + 1.001 never vanishes: its least distance from zero is a thousandth of its size.
TEST_F(GuardWatchTest, finds_none_where_a_fast_guard_comes_close_to_zero) {
  begin({tape.add(tape.unary(Op::kCos, tape.mul(tape.constant(50), tape.time())),
                  tape.constant(1.001))},
        {1}, 0, 10);
  EXPECT_FALSE(find({{.output = 0, .held_sign = 1}}).has_event());
  EXPECT_TRUE(watch.find(*outputs, guards).touches.empty());
}

// sqrt(x^2) - 1/2 with x from -1 to 1 has no series at x = 0, and roots at places 1/4 and 3/4.
TEST_F(GuardWatchTest, a_place_without_a_series_is_passed_by_values) {
  const TermId r = tape.sub(tape.unary(Op::kSqrt, tape.mul(x, x)), tape.constant(0.5));
  begin({r, tape.add(r, tape.constant(1))}, {-1, 2}, 0, 1);
  EXPECT_NEAR(find({{.output = 0, .held_sign = 1}}).at, 0.25, 1e-15);
  EXPECT_FALSE(find({{.output = 1, .held_sign = 1}}).has_event());
  EXPECT_EQ(watch.grade(0), EventGrade::kSampled);
}

// 1/(x - 1/3) changes its sign where it is infinite: the event is just behind, where it is a
// number.
TEST_F(GuardWatchTest, a_pole_is_a_change_of_sign) {
  begin({tape.div(tape.constant(1), tape.sub(x, tape.constant(1.0 / 3)))}, {0, 1}, 0, 1);
  const GuardEvent& event = find({{.output = 0, .held_sign = -1}});
  EXPECT_NEAR(event.at, 1.0 / 3, 1e-12);
  EXPECT_TRUE(event.roots.at(0).is_pole);
  EXPECT_TRUE(std::isfinite(outputs->value(0, event.at)));
}

// 1/(x - 1/2) has its pole at a place that is hit exactly.
TEST_F(GuardWatchTest, a_pole_at_a_number_is_passed) {
  begin({tape.div(tape.constant(1), tape.sub(x, tape.constant(0.5)))}, {0, 1}, 0, 1);
  const GuardEvent& event = find({{.output = 0, .held_sign = -1}});
  EXPECT_NEAR(event.at, 0.5, 1e-12);
  EXPECT_GT(outputs->value(0, event.at), 0);
  EXPECT_TRUE(std::isfinite(outputs->value(0, event.at)));
}

TEST_F(GuardWatchTest, size_does_not_matter) {
  for (double size : {1e-250, 1e-13, 1.0, 1e200}) {
    begin({tape.mul(tape.constant(size), tape.sub(x, tape.constant(0.3)))}, {0, 1}, 0, 1);
    EXPECT_NEAR(find({{.output = 0, .held_sign = -1}}).at, 0.3, 1e-15) << size;
  }
}

// A car of a train that no pressure has reached: what it reads is the error of the steps before.
TEST_F(GuardWatchTest, a_guard_below_its_noise_keeps_its_bit) {
  begin({x}, {-1e-9, 3e-9}, 0, 1);
  EXPECT_FALSE(find({{.output = 0, .held_sign = -1, .noise = 1e-8}}).has_event());
  EXPECT_TRUE(find({{.output = 0, .held_sign = -1, .noise = 1e-10}}).has_event());
}

// (s - y)/T where y has come to rest at s: all of it is the last digit of y, magnified. Twenty less
// of it is twenty; itself it is noise, and no part of the step says more than the whole.
TEST_F(GuardWatchTest, rounding_of_a_small_difference_is_not_looked_into) {
  values.function = [](double place) { return std::remainder(1e9 * place, 1.0) > 0 ? 1e-12 : 0; };
  values.rounding = 1e-11;
  begin_with_values({tape.sub(tape.constant(20), x), x});
  EXPECT_FALSE(find({{.output = 0, .held_sign = 1}}).has_event());
  EXPECT_FALSE(find({{.output = 1, .held_sign = -1}}).has_event());
  EXPECT_LT(values.num_values, 40);
}

// Nobody has said that it is noise: it has no series anywhere, and its work is bounded all the
// same.
TEST_F(GuardWatchTest, a_guard_without_series_anywhere_is_sampled) {
  values.function = [](double place) {
    return 1 + 0.1 * std::remainder(1e9 * place, 1.0) - 2 * place;
  };
  begin_with_values({x});
  const GuardEvent& event = find({{.output = 0, .held_sign = 1}});
  ASSERT_TRUE(event.has_event());
  EXPECT_NEAR(event.at, 0.5, 0.06);  // 1 - 2 s is within 0.1 of zero there
  EXPECT_EQ(watch.grade(0), EventGrade::kSampled);
  EXPECT_LT(values.num_values, 100000);
}

TEST_F(GuardWatchTest, guards_that_cannot_be_told_apart_switch_together) {
  begin({tape.sub(x, tape.constant(0.5)), tape.sub(x, tape.constant(0.5 + 1e-12)),
         tape.sub(x, tape.constant(0.6))},
        {0, 1}, 0, 1);
  const WatchedGuard guard{.held_sign = -1, .noise = 1e-11};
  WatchedGuard second = guard, third = guard;
  second.output = 1, third.output = 2;
  EXPECT_EQ(find({guard, second, third}).roots.size(), 2u);
}

// The error of the step is 1e-3 of the guard at its end: a tolerance of 1e-6 ends it earlier.
TEST_F(GuardWatchTest, a_step_that_is_not_accurate_enough_for_a_guard_is_shortened) {
  begin({x}, {1, -2}, 0, 1);
  step.leaves[0].error = 1e-3;
  step.leaves[0].error_order = 10;
  const double until = find({{.output = 0, .held_sign = 1, .allowed = 1e-6}}).accurate_until;
  EXPECT_LT(until, 0.51);  // 1e-3 s^10 = 1e-6 at s = 10^-0.3
  EXPECT_GT(until, 0.3);
}

// --- proofs

// A near miss, and many of them: 1e-4 above zero at its lowest, eighty times in the step.
TEST_F(GuardWatchTest, a_fast_guard_that_never_vanishes_is_proved_not_to) {
  begin({tape.add(tape.unary(Op::kCos, tape.mul(tape.constant(50), tape.time())),
                  tape.constant(1.0001))},
        {1}, 0, 10);
  watch.set_certified(true);
  EXPECT_FALSE(find({{.output = 0, .held_sign = 1}}).has_event());
  EXPECT_EQ(watch.grade(0), EventGrade::kCertified);
  EXPECT_FALSE(watch.unproved(0));
}

// exp(-1e6 (x - 0.7)^2) - 1/2 is -1/2 to all digits at both ends of the step.
TEST_F(GuardWatchTest, a_pulse_within_the_step_is_found_and_proved) {
  const TermId u = tape.sub(x, tape.constant(0.7));
  begin({tape.sub(tape.unary(Op::kExp, tape.mul(tape.constant(-1e6), tape.mul(u, u))),
                  tape.constant(0.5))},
        {0, 1}, 0, 1);
  EXPECT_TRUE(find({{.output = 0, .held_sign = -1}}).has_event());
  watch.set_certified(true);
  const GuardEvent& event = find({{.output = 0, .held_sign = -1}});
  ASSERT_TRUE(event.has_event());
  EXPECT_NEAR(event.at, 0.7 - std::sqrt(std::log(2.0) * 1e-6), 1e-12);
  EXPECT_EQ(watch.grade(0), EventGrade::kCertified);
}

// x^2 - x/2 + 1/16 = (x - 1/4)^2 touches zero: nothing can be proved there.
TEST_F(GuardWatchTest, a_touch_is_not_proved) {
  const TermId u = tape.sub(x, tape.constant(0.25));
  begin({tape.mul(u, u)}, {0, 1}, 0, 1);
  watch.set_certified(true);
  find({{.output = 0, .held_sign = 1}});
  ASSERT_TRUE(watch.unproved(0));
  EXPECT_NEAR(*watch.unproved(0), 0.25, 1e-4);
  EXPECT_EQ(watch.grade(0), EventGrade::kEstimated);
}

// x (x - 1/2) at the start of a step behind an event at x = 0: one known zero, then the root.
TEST_F(GuardWatchTest, known_zeros_at_the_start_are_left_by_a_proof) {
  begin({tape.mul(x, tape.sub(x, tape.constant(0.5)))}, {0, 1}, 0, 1);
  watch.set_certified(true);
  const GuardEvent& event = find({{.output = 0, .held_sign = -1, .num_known_zeros = 1}});
  EXPECT_NEAR(event.at, 0.5, 1e-14);
  EXPECT_EQ(watch.grade(0), EventGrade::kCertified);
}

// What linear equations give beside BDF has values only.
TEST_F(GuardWatchTest, values_prove_nothing) {
  values.function = [](double place) { return 1 + place; };
  begin_with_values({x});
  watch.set_certified(true);
  EXPECT_FALSE(find({{.output = 0, .held_sign = 1}}).has_event());
  EXPECT_EQ(watch.unproved(0), 0.0);
  EXPECT_EQ(watch.grade(0), EventGrade::kEstimated);
}

}  // namespace
}  // namespace hydae
