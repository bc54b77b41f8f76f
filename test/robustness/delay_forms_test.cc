// delay() in all its forms: delay times that are zero, come down to zero, change, are refused.
#include <cmath>
#include <gtest/gtest.h>

#include <hydae/error.h>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

Simulation run_text(const std::string& text, double stop, Solver solver, double start = 0) {
  const LoadResult loaded = load_text("model M " + text + " end M;");
  EXPECT_TRUE(loaded.model) << text;
  SimulateOptions options;
  options.start = start;
  options.stop = stop;
  options.solver = solver;
  return simulate(*loaded.model, options);
}

// x' = -x(t/2): x = sum (-1)^k 2^(-k(k-1)/2) t^k/k!
double pantograph(double t) {
  double sum = 0, term = 1;
  for (int k = 0; k < 40; ++k) {
    sum += term * std::pow(2.0, -k * (k - 1) / 2.0);
    term *= -t / (k + 1);
  }
  return sum;
}

// The integral of s = t - (t-1)^2 from its zero to t = 1, and of 3 - s from there to t = 2.
double touched() {
  const double t0 = (3 - std::sqrt(5.0)) / 2;
  return 0.5 * (1 - t0 * t0) + std::pow(t0 - 1, 3) / 3 + 3 - 1.5 + 1.0 / 3;
}

std::vector<TextCase> delay_cases() {
  const double root = std::sqrt(0.5);
  return {
      {"no_lag",
       "model M parameter Real T = 0; Real x(start=1,fixed=true); equation der(x)=-delay(x,T); end "
       "M;",
       1,
       {{"x", std::exp(-1)}}},
      // x(0) for ever: x' = -1.
      {"lag_is_time",
       "model M Real x(start=1,fixed=true); equation der(x)=-delay(x,time,2); end M;",
       1,
       {{"x", 0}}},
      {"half_of_time", "model M Real y = delay(time, 0.5*time, 1); end M;", 1, {{"y", 0.5}}},
      {"half_of_time_by_a_variable",
       "model M Real d, y; equation d = 0.5*time; y = delay(time, d, 1); end M;",
       1,
       {{"y", 0.5}}},
      {"pantograph",
       "model M Real x(start=1,fixed=true); equation der(x)=-delay(x,0.5*time,1); end M;",
       1,
       {{"x", pantograph(1)}}},
      {"pantograph_in_microseconds",
       "model M Real x(start=1,fixed=true); equation der(x)=-1e6*delay(x,0.5*time,1e-6); end M;",
       1e-6,
       {{"x", pantograph(1)}}},
      // The delay time jumps at t = 2 to what lies several pieces back: x has a kink at t = 1, and
      // is t before it. y(2.5) = x(0.75).
      {"lag_jumps_behind_a_kink",
       "model M Real x(start=0,fixed=true),y; equation der(x)=if time>1 then 2 else 1; "
       "y=delay(x,if time<2 then 0.5 else 1.75,2); end M;",
       2.5,
       {{"y", 0.75}}},
      {"lag_set_by_a_clause_jumps_behind_a_kink",
       "model M Real x(start=0,fixed=true),y; discrete Real d(start=0.5,fixed=true); equation "
       "der(x)=if time>1 then 2 else 1; when time>=2 then d=1.75; end when; y=delay(x,d,2); end M;",
       2.5,
       {{"y", 0.75}}},
      // x = sin(20 t): y(2.9) = sin(20*1.15).
      {"lag_jumps_over_many_pieces",
       "model M Real x(start=0,fixed=true),v(start=1,fixed=true),y; equation der(x)=20*v; "
       "der(v)=-20*x; y=delay(x,if time<2 then 0.1 else 1.75,2); end M;",
       2.9,
       {{"y", std::sin(23.0)}}},
      // The delay time comes down to zero at 3 pi/2 and grows again.
      {"lag_touches_zero",
       "model M Real y, d; equation d=0.5+0.5*sin(time); y=delay(time,d,1); end M;",
       8,
       {{"y", 7.5 - 0.5 * std::sin(8.0)}}},
      {"lag_is_a_variable",
       "model M Real u(start=0,fixed=true), y, d; equation der(u)=1; d=0.5+0.2*sin(time); "
       "y=delay(u,d,1); end M;",
       2,
       {{"y", 1.5 - 0.2 * std::sin(2.0)}}},
      // The past is asked for again that was read before.
      {"lag_jumps_up",
       "model M Integer k(start=1,fixed=true); Real y = delay(time, 0.1*k, 1); equation when time "
       "> 0.8 then k = 7; end when; end M;",
       1,
       {{"y", 0.3}}},
      {"lag_jumps_to_zero",
       "model M discrete Real d(start=0.25,fixed=true); Real y = delay(time^2, d, 1); equation "
       "when time > 0.5 then d = 0; end when; end M;",
       1,
       {{"y", 1}}},
      {"in_a_power",
       "model M Real x(start=0.5,fixed=true), y; equation y=delay(x,2); der(x)=-y^1.5; end M;",
       1,
       {{"x", 0.5 - 0.5 * root}}},
      {"in_a_root",
       "model M Real x(start=0.5,fixed=true), y; equation y=delay(x,2); der(x)=-sqrt(y); end M;",
       0.5,
       {{"x", 0.5 - 0.5 * root}}},
      {"in_a_logarithm",
       "model M Real x(start=0.5,fixed=true); equation der(x)=-log(delay(x,2)); end M;",
       1,
       {{"x", 0.5 - std::log(0.5)}}},
      {"of_a_fast_signal",
       "model M Real z(start=0,fixed=true); equation der(z)=delay(sin(50*time),0.5); end M;",
       2,
       {{"z", (1 - std::cos(75.0)) / 50}}},
      // The delay time touches zero where u jumps from 1 to 2: y is u(t - (t-1)^2). Before t = 1
      // that is s = t - (t-1)^2 from where s = 0 on, behind it 3 - s: z = z1 + z2 with z1 = [t^2/2
      // - (t-1)^3/3] from t0 = (3 - sqrt(5))/2 to 1, z2 = 3 - 3/2 + 1/3.
      {"lag_touches_zero_at_a_jump",
       "model M Real u, y, z(start=0,fixed=true); equation u=if time<1 then time else 3-time; "
       "y=delay(u,(time-1)^2,1); der(z)=y; end M;",
       2,
       {{"z", touched()}, {"y", 2}}},
      {"lag_touches_zero_at_a_jump_of_a_state",
       "model M Real u(start=0,fixed=true), y, d, z(start=0,fixed=true); equation der(u)=if "
       "time<1 then 1 else -1; when time>=1 then reinit(u,2); end when; d=(time-1)^2; "
       "y=delay(u,d,1); der(z)=y; end M;",
       2,
       {{"z", touched()}, {"y", 2}}},
      {"lag_touches_zero_where_a_guard_makes_a_jump",
       "model M Real u, x(start=0,fixed=true), y, z(start=0,fixed=true); equation der(x)=1; u=if "
       "x<1 then x else 3-x; y=delay(u,(x-1)^2,1); der(z)=y; end M;",
       2,
       {{"z", touched()}, {"y", 2}}},
      // Neutral: x' = -x + v(t-1)/2 with v = x'. Before the start v has had its first value, v0 =
      // -1
      // + v0/2 = -2: x = 2 exp(-t) - 1 until t = 1, and x(2) = (x(1) - 1)/e behind it.
      {"neutral",
       "model M Real x(start=1,fixed=true), v; equation v=der(x); v=-x+0.5*delay(v,1); end M;",
       2,
       {{"x", (2 * std::exp(-1) - 2) * std::exp(-1)}}},
      {"neutral_inline",
       "model M Real x(start=1,fixed=true); equation der(x)=-x+0.5*delay(der(x),1); end M;",
       2,
       {{"x", (2 * std::exp(-1) - 2) * std::exp(-1)}}},
      // der(delay(x,1)) is zero until t = 1, since delay(x,1) is: x = exp(-t), and then x(2) =
      // (x(1)
      // - 1/2)/e.
      {"derivative_of_a_delayed_signal",
       "model M Real x(start=1,fixed=true), y; equation y=delay(x,1); der(x)=-x+0.5*der(y); end "
       "M;",
       2,
       {{"x", (std::exp(-1) - 0.5) * std::exp(-1)}}},
      {"derivative_of_a_delayed_signal_inline",
       "model M Real x(start=1,fixed=true); equation der(x)=-x+0.5*der(delay(x,1)); end M;",
       2,
       {{"x", (std::exp(-1) - 0.5) * std::exp(-1)}}},
      {"derivative_of_a_sum_with_a_delayed_signal",
       "model M Real x(start=1,fixed=true); equation der(x-0.5*delay(x,1))=-x; end M;",
       2,
       {{"x", (std::exp(-1) - 0.5) * std::exp(-1)}}},
      {"by_longer_than_any_time", "model M Real y = delay(time, 1e12); end M;", 1, {{"y", 0}}},
  };
}

INSTANTIATE_TEST_SUITE_P(Delays, TextModel, ::testing::ValuesIn(delay_cases()), name_of_case);

// A jump arrives when it is due, also behind a delay time that was zero: u(t/2) jumps at t = 1, so
// z(1.5) = 0.5.
TEST(DelayForms, a_jump_is_read_where_it_was) {
  const std::string text =
      "Real u = if time < 0.5 then 0 else 1; Real z(start=0,fixed=true); "
      "equation der(z) = delay(u, 0.5*time, 1);";
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    EXPECT_NEAR(run_text(text, 1.5, solver).trajectory.series("z").back(), 0.5, 1e-6);
}

TEST(DelayForms, refused_are_negative_times_and_those_above_the_largest) {
  struct Case {
    std::string text, message;
  };
  const std::vector<Case> refused = {
      {"parameter Real T = -1; Real y = delay(time, T);", "is negative"},
      {"Real d = 0.5 - time; Real y = delay(time, d, 1);", "is negative"},
      {"Real x(start=1,fixed=true); equation der(x) = -delay(x, time, 0.1);", "above its largest"},
  };
  for (const Case& c : refused)
    for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda}) {
      const Simulation simulation = run_text(c.text, 1, solver);
      EXPECT_EQ(simulation.summary.status, Status::kAssertionFailed) << c.text;
      EXPECT_NE(simulation.summary.message.find(c.message), std::string::npos)
          << simulation.summary.message;
    }
  EXPECT_FALSE(load_text("model M Real y = delay(time, -1); end M;").model);
  EXPECT_FALSE(load_text("model M Real y = delay(time, 0.5*time); end M;").model);
}

TEST(DelayForms, a_run_backwards_has_no_past) {
  EXPECT_THROW(run_text("Real y = delay(sin(time), 1);", 0, Solver::kAuto, 5), UsageError);
}

}  // namespace
}  // namespace hydae
