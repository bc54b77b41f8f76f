// Guards that are expressions rather than variables, faster than the solution, small, or without a
// series somewhere: each switches where its closed form does.
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <random>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

constexpr double kPi = std::numbers::pi;

std::string counting(const std::string& variables, const std::string& equations,
                     const std::string& condition) {
  return "model M Real " + variables +
         "; Integer n(start=0,fixed=true); discrete Real te(start=0,fixed=true); equation " +
         equations + " when " + condition + " then n=pre(n)+1; te=time; end when; end M;";
}

// z = t. Each condition passes a pole where nothing of the solution has one.
std::string time_for_which(const std::string& condition) {
  return "model M Real z(start=0,fixed=true), y(start=0,fixed=true); equation der(z)=1; "
         "der(y)=if " +
         condition + " then 1 else 0; end M;";
}

INSTANTIATE_TEST_SUITE_P(
    PolesInConditions, TextModel,
    ::testing::Values(
        // Below 1/2 before the pole, and from 3 on.
        TextCase{"simple", time_for_which("1/(z-1)<0.5"), 3, {{"y", 1}}},
        TextCase{"simple_negated", time_for_which("not 1/(z-1)>=0.5"), 3, {{"y", 1}}},
        // 1/(z-1)^3 < -8 from 1/2 to the pole.
        TextCase{"of_third_order",
                 counting("z(start=0,fixed=true)", "der(z)=1;", "1/(z-1)^3+8>0"),
                 3,
                 {{"n", 1}, {"te", 1}}},
        // |z-1| < 1/2.
        TextCase{"of_second_order", time_for_which("1/(z-1)^2>4"), 3, {{"y", 1}}},
        TextCase{"of_a_magnitude", time_for_which("1/abs(z-1)>2"), 3, {{"y", 1}}},
        // |z-1| > 1/e.
        TextCase{"of_a_logarithm",
                 time_for_which("log(abs(z-1))>-1"),
                 3,
                 {{"y", 3 - 2 * std::exp(-1.0)}}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    FasterThanTheSolution, TextModel,
    ::testing::Values(
        // Zeros of the cosine on its way down: t = k + 1/4, the last at 9.25.
        TextCase{"cosine_of_time",
                 counting("x(start=1,fixed=true)", "der(x)=-x;", "cos(2*3.141592653589793*time)<0"),
                 10,
                 {{"n", 10}, {"te", 9.25}}},
        // phi = 100 (1 - exp(-t/10)) passes pi/2 + 2 pi k for k = 0 .. 13 before phi(20) = 86.466.
        TextCase{"cosine_of_an_angle",
                 counting("phi(start=0,fixed=true),w(start=10,fixed=true)",
                          "der(phi)=w; der(w)=-0.1*w;", "cos(phi)<0"),
                 20,
                 {{"n", 14}, {"te", -10 * std::log(1 - (kPi / 2 + 26 * kPi) / 100)}}},
        TextCase{"exponential",
                 counting("x(start=0,fixed=true)", "der(x)=1;", "exp(20*x)>1e10"),
                 2,
                 {{"n", 1}, {"te", std::log(1e10) / 20}}},
        // 5 (pi - 2 asin 0.2) of 31.4 rad are above 0.2.
        TextCase{"pulse_width",
                 "model M Real x(start=0,fixed=true), y(start=1,fixed=true); equation der(y)=-y; "
                 "der(x)=if sin(31.4*time+0.1)>0.2 then 1 else 0; end M;",
                 1,
                 {{"x", 5 * (kPi - 2 * std::asin(0.2)) / 31.4}}},
        // Six periods give 0.1 each, the rest of 40 - 12 pi rad (1 - cos 40) / 20.
        TextCase{"half_wave_rectifier",
                 "model M Real y(start=0,fixed=true); equation der(y)=max(0,sin(20*time)); end M;",
                 2,
                 {{"y", 0.6 + (1 - std::cos(40.0)) / 20}}},
        // 1000 rad hold 159 pulses of pi - 2 asin 0.9 rad.
        TextCase{"beside_stiff_equations",
                 "model M Real u,x(start=1,fixed=true),y(start=0,fixed=true); Integer "
                 "n(start=0,fixed=true); equation u=sin(50*time); der(x)=-1e5*(x-(if time<0.5 then "
                 "cos(time) else 1)); der(y)=if u>0.9 then 1 else 0; when u>0.9 then n=pre(n)+1; "
                 "end when; end M;",
                 20,
                 {{"n", 159}, {"y", 159 * (kPi - 2 * std::asin(0.9)) / 50}}},
        // y rises by 50/s until 1 - y = 0.005 at t1 = 0.1199, then 1 - y = 0.005 exp(-1e4 (t -
        // t1)): (1 - y)/1e-4 falls below 40 at t1 + 1e-4 ln(5/4). At rest it is the last digit of
        // y.
        TextCase{"small_difference_of_values_at_rest",
                 counting("y(start=0,fixed=true),val,v",
                          "val=((if time<0.1 then 0 else 1)-y)/1e-4; der(y)=if val>50 then 50 else "
                          "if val< -50 then -50 else val; v=der(y)-3;",
                          "time>0.1 and v<37"),
                 2,
                 {{"n", 1}, {"te", 0.1199 + 1e-4 * std::log(1.25)}, {"y", 1}}},
        // cos(phi) rises through 0.99 before 2 pi k, k = 1 .. 79.
        TextCase{"narrow_pulses_of_a_state",
                 counting("phi(start=0,fixed=true),c", "der(phi)=50; c=cos(phi);", "c>0.99"),
                 10,
                 {{"n", 79}, {"te", (158 * kPi - std::acos(0.99)) / 50}}},
        // 300 rad: 48 rising and 48 falling edges.
        TextCase{"edges_of_a_boolean",
                 "model M Boolean b; Real s; Integer m(start=0,fixed=true); equation "
                 "s=sin(10*time)-0.5; b=s>0; when change(b) then m=pre(m)+1; end when; end M;",
                 30,
                 {{"m", 96}}},
        TextCase{"delayed",
                 "model M Real z(start=0,fixed=true); equation der(z)=delay(sin(50*time),0.5); "
                 "end M;",
                 2,
                 {{"z", (1 - std::cos(75.0)) / 50}}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    HiddenFromTheStartOfAStep, TextModel,
    ::testing::Values(
        TextCase{"tanh_is_constant_to_all_digits",
                 counting("x(start=1,fixed=true)", "der(x)=-x;", "tanh(100*(time-0.7))>0"),
                 1,
                 {{"n", 1}, {"te", 0.7}}},
        TextCase{"pulse_of_a_state",
                 counting("x(start=0,fixed=true)", "der(x)=1;", "exp(-((x-0.7)*20)^2)>0.5"),
                 1,
                 {{"n", 1}, {"te", 0.7 - std::sqrt(std::log(2.0)) / 20}}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(WithoutASeries, TextModel,
                         ::testing::Values(
                             // From the origin, where the root has no series: sqrt(1.25) t = 1.
                             TextCase{"starting_at_the_root_of_zero",
                                      counting("x(start=0,fixed=true),y(start=0,fixed=true)",
                                               "der(x)=1; der(y)=0.5;", "sqrt(x^2+y^2)>1"),
                                      2,
                                      {{"n", 1}, {"te", 1 / std::sqrt(1.25)}}},
                             // Through the origin: the distance falls below 1/2 once, before it.
                             TextCase{"passing_the_root_of_zero",
                                      counting("x(start=-1,fixed=true),y(start=-0.5,fixed=true)",
                                               "der(x)=1; der(y)=0.5;", "sqrt(x^2+y^2)<0.5"),
                                      2,
                                      {{"n", 1}, {"te", 1 - 0.5 / std::sqrt(1.25)}}}),
                         name_of_case);

// tan x rises through 1 at pi/4 + k pi, and becomes negative at its poles.
INSTANTIATE_TEST_SUITE_P(
    Poles, TextModel,
    ::testing::Values(TextCase{"tangent",
                               counting("x(start=0,fixed=true)", "der(x)=1;", "tan(x)>1"),
                               10,
                               {{"n", 3}, {"te", kPi / 4 + 2 * kPi}}},
                      TextCase{"at_a_number",
                               counting("x(start=-1,fixed=true)", "der(x)=1;", "1/x>0"),
                               2,
                               {{"n", 1}, {"te", 1}}},
                      TextCase{"of_time",
                               counting("x(start=-1,fixed=true)", "der(x)=1;", "1/(time-0.7)>0"),
                               2,
                               {{"n", 1}, {"te", 0.7}}}),
    name_of_case);

// x follows cos t at a rate of 1e9, and falls through zero at pi/2, 5 pi/2 and 9 pi/2. It is above
// 1/2 until pi/3, and between 2 pi k - pi/3 and 2 pi k + pi/3 for k = 1, 2, 3. A step of the Taylor
// method is some 1e-8: events are where BDF has them, and cost tens of steps.
TEST(Stiff, an_event_costs_tens_of_steps) {
  const TextCase c{
      "stiff",
      "model M Real x(start=1,fixed=true),y(start=0,fixed=true); Integer "
      "n(start=0,fixed=true); equation der(x)=-1e9*(x-cos(time)); der(y)=if x>0.5 then "
      "1 else 0; when x<0 then n=pre(n)+1; end when; end M;",
      20,
      {{"n", 3}, {"y", kPi / 3 + 2 * kPi}}};
  for (const Solver solver : {Solver::kAuto, Solver::kIda})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Simulation run = simulate_text(c, solver, tolerance);
      expect_known_values(c, run, tolerance);
      EXPECT_LT(run.summary.steps, 20'000) << tolerance;  // 1e9 without BDF
    }
}

INSTANTIATE_TEST_SUITE_P(
    Small, TextModel,
    ::testing::Values(TextCase{"below_the_absolute_tolerance",
                               counting("x(start=0,fixed=true)", "der(x)=1e-10;", "x>5e-11"),
                               1,
                               {{"n", 1}, {"te", 0.5}}},
                      TextCase{"very_small",
                               counting("x(start=-1e-13,fixed=true)", "der(x)=4e-13;", "x>0"),
                               1,
                               {{"n", 1}, {"te", 0.25}}}),
    name_of_case);

// Two bodies in uniform motion that come closer than 1: the root of |d + w t| = 1, with w and d
// drawn so that they meet.
TEST(Collisions, of_random_pairs_are_found_at_their_times) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int k = 0; k < 60; ++k) {
    const double miss = 0.95 * number(random), speed = 2 + number(random);
    const double angle = kPi * number(random), meeting = 4 + 2 * number(random);
    const double c = std::cos(angle), s = std::sin(angle);
    const double x = -speed * meeting * c - miss * s, y = -speed * meeting * s + miss * c;
    const double vx = number(random), vy = number(random);
    const double time = meeting - std::sqrt(1 - miss * miss) / speed;
    const TextCase collision{
        "collision",
        counting(fmt::format("x1(start={:.17g},fixed=true),y1(start={:.17g},fixed=true),x2(start=0,"
                             "fixed=true),y2(start=0,fixed=true)",
                             x, y),
                 fmt::format("der(x1)={:.17g}; der(y1)={:.17g}; der(x2)={:.17g}; der(y2)={:.17g};",
                             vx + speed * c, vy + speed * s, vx, vy),
                 "sqrt((x1-x2)^2+(y1-y2)^2)<1"),
        10,
        {{"n", 1}, {"te", time}}};
    const Solver solver = k % 2 == 0 ? Solver::kTaylor : Solver::kIda;
    const double tolerance = k % 3 == 0 ? 1e-4 : k % 3 == 1 ? 1e-6 : 1e-9;
    SCOPED_TRACE(testing::Message() << "pair " << k << "\n" << collision.text);
    expect_known_values(collision, simulate_text(collision, solver, tolerance), tolerance);
  }
}

// A ball meets the ground with all of its speed, whatever the unit of its height: its height is
// zero there, and errors of it are measured by what it has been.
TEST(Grazing, is_not_said_of_a_transversal_crossing) {
  for (double height : {1e-9, 1e-3, 1.0, 1e3, 1e6, 1e9})
    for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
      const double g = 9.81 * height;  // so that all fall for the same time
      const TextCase ball = {
          "ball",
          fmt::format(
              "model M Real h(start={0},fixed=true), v(start=0,fixed=true); equation "
              "der(h)=v; der(v)=-{1}; when h<0 then reinit(v,-0.8*pre(v)); end when; end M;",
              height, g),
          2,
          {}};
      const Simulation run = simulate_text(ball, solver, 1e-6);
      ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
      EXPECT_GE(run.summary.events.size(), 2u);
      for (const std::string& warning : run.summary.warnings)
        EXPECT_EQ(warning.find("tangentially"), std::string::npos) << height << ": " << warning;
    }
}

// o = 2 x^2 with x = t/2 passes 0.5 at t = 1; p = -o passes -0.5 with it; q = -1e-9 t, whose limit
// is zero, leaves it at once by more than errors. Nothing reads them.
TEST(Bounds, of_observed_variables_are_said_too) {
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const TextCase bounds = {
        "bounds",
        "model M Real x(start=0,fixed=true), o(max=0.5), p(min=0.5), r(min=-1); equation "
        "der(x)=0.5; o = 2*x^2; p = 1 - o; r = 2*x; end M;",
        2,
        {}};
    std::vector<std::string> found;
    for (const std::string& warning : simulate_text(bounds, solver, 1e-6).summary.warnings)
      if (warning.find("leaves its") != std::string::npos) found.push_back(warning);
    std::ranges::sort(found);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].find("`o` leaves its max = 0.5 from t = 1"), 0u) << found[0];
    EXPECT_EQ(found[1].find("`p` leaves its min = 0.5 from t = 1"), 0u) << found[1];
  }
}

}  // namespace
}  // namespace hydae
