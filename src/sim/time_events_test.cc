#include "sim/time_events.h"

#include "sim/active_run_testing.h"
#include "sim/run_testing.h"

namespace hydae {
namespace {

// x' = 1 with whatever else happens.
struct Clocked {
  Model m{"clocked"};
  Expr x = m.variable("x");
  Clocked() {
    m.equation(der(x) == 1);
    m.fix(x, 0);
  }
};

TEST(TimeEvents, without_any_the_search_ends_at_its_limit_and_nothing_happens_there) {
  Clocked c;
  ActiveRun run(c.m);
  const TimeEvent next = run.parts.times.next(run.active.view(), 0.7);
  EXPECT_EQ(next.t, 0.7);
  EXPECT_FALSE(next.cause.is_time_event);
}

// 0.3 = 3 * 0.1 = 0 + 1 * 0.3, although 3 * 0.1 is not 0.3 in floating-point numbers.
TEST(TimeEvents, ticks_that_mean_the_same_time_are_one_event) {
  Clocked c;
  const Expr n = counter(c.m, "n"), k = counter(c.m, "k");
  c.m.when(when({sample(c.m, 0, 0.1)}, {assign(n, pre(n) + 1)}));
  c.m.when(when({sample(c.m, 0.3, 0.3)}, {assign(k, pre(k) + 1)}));
  ActiveRun run(c.m);
  run.active.stepper().expand(1);
  run.active.stepper().advance(0.25);
  const TimeEvent next = run.next();
  EXPECT_EQ(next.t, 0.3);
  EXPECT_TRUE(next.cause.is_time_event);
  EXPECT_FALSE(next.cause.is_silent);
  EXPECT_EQ(next.cause.ticks, (std::set<std::size_t>{0, 1}));
}

TEST(TimeEvents, ticks_at_a_time_are_those_that_are_due_there) {
  Clocked c;
  const Expr n = counter(c.m, "n"), k = counter(c.m, "k");
  c.m.when(when({sample(c.m, 0, 0.1)}, {assign(n, pre(n) + 1)}));
  c.m.when(when({sample(c.m, 0.5, 0.1)}, {assign(k, pre(k) + 1)}));
  ActiveRun run(c.m);
  EXPECT_EQ(run.parts.times.ticks_at(run.active.view(), 0), std::set<std::size_t>{0});
  EXPECT_EQ(run.parts.times.ticks_at(run.active.view(), 0.25), std::set<std::size_t>{});
  EXPECT_EQ(run.parts.times.ticks_at(run.active.view(), 0.6), (std::set<std::size_t>{0, 1}));
}

// 3 t - 1 = 0 at the double nearest to 1/3; the guard is zero there by definition, whatever it is
// computed to be.
TEST(TimeEvents, a_guard_that_is_affine_in_time_vanishes_exactly) {
  Clocked c;
  const Expr y = c.m.variable("y");
  c.m.equation(y == select(3 * c.m.time() > 1, 1, 0));
  ActiveRun run(c.m);
  const TimeEvent next = run.next();
  EXPECT_EQ(next.t, 1.0 / 3.0);
  EXPECT_EQ(next.cause.relations, std::set<std::size_t>{0});
  EXPECT_EQ(next.cause.left_guards.at(0), 0);
}

// The adversary: the event at hand itself, which is no event behind it.
TEST(TimeEvents, what_happens_now_is_not_next) {
  Clocked c;
  const Expr n = counter(c.m, "n");
  c.m.when(when({sample(c.m, 0, 0.4)}, {assign(n, pre(n) + 1)}));
  ActiveRun run(c.m);
  EXPECT_EQ(run.next().t, 0.4);
  run.active.stepper().expand(1);
  run.active.stepper().advance(0.4);
  EXPECT_EQ(run.next().t, 0.8);
}

// The piece of a step signal ends where the next one begins, with another value: 0, 2 from 0.5 on.
TEST(TimeEvents, the_end_of_a_piece_of_an_input_is_an_event_with_the_jump) {
  Model m("driven");
  const Expr u = m.input("u"), x = m.variable("x");
  m.equation(der(x) == u);
  m.fix(x, 0);
  SimulateOptions options;
  options.inputs = {{"u", {0, 0.5, 1}, {0, 2, 2}, Interpolation::kStep}};
  ActiveRun run(m, options);
  const TimeEvent next = run.next();
  EXPECT_EQ(next.t, 0.5);
  EXPECT_EQ(next.cause.inputs, std::set<std::size_t>{0});
  EXPECT_TRUE(next.cause.is_time_event);
}

}  // namespace
}  // namespace hydae
