// Algebraic loops at events: the root after the event is the one that a short ramp instead of the
// jump would lead to, and it lies within min and max where there is such a root.
#include <cmath>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

using std::sqrt;

// Free substrate F and complex C of an enzyme in quasi-steady state; a dose of substrate at t = 1.
// C^2 - (1.01 + S) C + S = 0 has a root with 0 <= C <= 1 and one with C > S. S' = -C/2 with
// C = 0.9998: S(2) = 49.500103.
std::string dose(const std::string& loop) {
  return "model Dose Real S(start=0.1,fixed=true), C(start=0.05,min=0), E(start=0.9,min=0), "
         "F(min=0); equation der(S)=-0.5*C; " +
         loop + " when time>=1 then reinit(S,50); end when; end Dose;";
}

// V^2 has two roots for a power P below 1, V = sqrt((1 +- sqrt(1 - P^2))/2). The upper one
// continues the one before.
std::string shed(const std::string& power) {
  return "model Shed Real V(start=1,min=0.5,max=1.2), th(start=0), P; equation P=if time<1 then " +
         power + " else 0.05; P=-V*sin(th)/0.5; 0=V*cos(th)/0.5-V^2/0.5; end Shed;";
}
const double kShed = sqrt((1 + sqrt(1 - 0.05 * 0.05)) / 2);

// Two orifices in series: 4 (10 - p) = 9 (p - 9.9), p = 129.1/13.
const double kOrifice = 129.1 / 13;

INSTANTIATE_TEST_SUITE_P(
    LoopAtAnEvent, TextModel,
    ::testing::Values(
        TextCase{"dose", dose("E*F=0.01*C; E+C=1; F+C=S;"), 2, {{"S", 49.500103}}},
        TextCase{"dose_other_order", dose("F+C=S; E+C=1; 0.01*C=F*E;"), 2, {{"S", 49.500103}}},
        TextCase{"load_shed", shed("0.99"), 2, {{"V", kShed}}},
        TextCase{"load_shed_farther_from_the_nose", shed("0.97"), 2, {{"V", kShed}}},
        // A weak acid of pKa 4.76 and base in steps. By bracketing the monotone charge balance.
        TextCase{"weak_acid",
                 "model M Real h(start=1e-5,min=0,nominal=1e-7), oh(start=1e-9), A(start=0.08), "
                 "HA(start=0.02), na, pH; equation na=if time<1 then 0.0804 else 0.1005; "
                 "h*oh=1e-14; h*A=10^(-4.76)*HA; A+HA=0.1; h+na=oh+A; pH=-log10(h); end M;",
                 2,
                 {{"pH", 10.699070}}},
        TextCase{"acid_in_one_equation",
                 "model M Real p(start=2.88); equation 10^(-p)+(if time<1 then 0 else 0.0201) = "
                 "1e-14*10^p+0.1/(1+10^(4.76-p)); end M;",
                 2,
                 {{"p", 4.162506990}}},
        TextCase{"acid_in_five_equations",
                 "model M Real p(start=2.88),h,oh,na,a; equation h=10^(-p); oh=1e-14/h; na=if "
                 "time<1 then 0 else 0.0201; a=0.1/(1+10^(4.76-p)); h+na=oh+a; end M;",
                 2,
                 {{"p", 4.162506990}}},
        // The second root does not exist at the old p with the new pd.
        TextCase{"orifices",
                 "model M Real q(start=1),p(start=1),pd; equation pd=if time<1 then 1 else 9.9; "
                 "q=2*sqrt(10-p); q=3*sqrt(p-pd); end M;",
                 2,
                 {{"p", kOrifice}, {"q", 2 * sqrt(10 - kOrifice)}}},
        TextCase{"orifices_without_a_name_for_the_step",
                 "model M Real q(start=1),p(start=1); equation q=2*sqrt(10-p); q=3*sqrt(p-(if "
                 "time<1 then 1 else 9.9)); end M;",
                 2,
                 {{"p", kOrifice}}},
        // reinit() of a variable that a constraint binds: its neighbour follows.
        TextCase{"reinit_through_a_gear",
                 "model M Real w1(start=1,fixed=true), w2, T; equation der(w1)=-T; der(w2)=2*T; "
                 "w1=2*w2; when time>=1 then reinit(w1,3); end when; end M;",
                 2,
                 {{"w1", 3}, {"w2", 1.5}}},
        TextCase{"reinit_of_the_other_side",
                 "model M Real w1(start=1,fixed=true), w2, T; equation w1=2*w2; der(w2)=2*T; "
                 "der(w1)=-T; when time>=1 then reinit(w2,3); end when; end M;",
                 2,
                 {{"w1", 6}, {"w2", 3}}}),
    name_of_case);

// A when-equation and the continuous part in a loop hold together: at t = 0.35, with u = 0.35,
// y = 3 - 2 y - u. Functional iteration would diverge.
INSTANTIATE_TEST_SUITE_P(
    WhenEquationInALoop, TextModel,
    ::testing::Values(
        TextCase{"linear",
                 "model M Real x; discrete Real y(start=0,fixed=true); Real u(start=0,fixed=true); "
                 "equation der(u)=1; x=2*y+u; when sample(0.1,0.25) then y=3-x; end when; end M;",
                 0.5,
                 {{"y", 2.65 / 3}}},
        TextCase{"through_another_variable",
                 "model M Real x,w; discrete Real y(start=0,fixed=true); Real "
                 "u(start=0,fixed=true); equation when sample(0.1,0.25) then y=3-x; end when; "
                 "w=y+u/2; x=2*w; der(u)=1; end M;",
                 0.5,
                 {{"y", 2.65 / 3}}},
        // y^2 + y + u - 3 = 0.
        TextCase{"square",
                 "model M Real x; discrete Real y(start=1,fixed=true); Real u(start=0,fixed=true); "
                 "equation der(u)=1; x=y^2+u; when sample(0.1,0.25) then y=3-x; end when; end M;",
                 0.5,
                 {{"y", (-1 + sqrt(11.6)) / 2}}},
        // y = 3 - x, z = x - y: x = 3 + u.
        TextCase{"two_values",
                 "model M Real x; discrete Real y(start=0,fixed=true),z(start=0,fixed=true); Real "
                 "u(start=0,fixed=true); equation der(u)=1; x=2*y+z+u; when sample(0.1,0.25) then "
                 "y=3-x; z=x-y; end when; end M;",
                 0.5,
                 {{"y", -0.35}, {"z", 3.7}}},
        // a = -v - 2 y with y = a + 1 and v = exp(-1/2): 3 y = 1 - v.
        TextCase{"derivative",
                 "model M Real v(start=1,fixed=true),a; discrete Real y(start=0,fixed=true); "
                 "equation der(v)=a; a=-v-2*y; when time>=0.5 then y=a+1; end when; end M;",
                 0.6,
                 {{"y", (1 - std::exp(-0.5)) / 3}}},
        // The same in units of 1e-9.
        TextCase{"small",
                 "model M Real x(nominal=1e-9); discrete Real y(start=0,fixed=true,nominal=1e-9); "
                 "Real u(start=0,fixed=true), z; equation der(u)=1; x=2*y+1e-9*u; when "
                 "sample(0.1,0.25) then y=3e-9-x; end when; z=1e9*y; end M;",
                 0.5,
                 {{"z", 2.65 / 3}}}),
    name_of_case);

// A root outside min .. max that is the only one there is: it is taken, and said.
TEST(LoopAtAnEvent, a_variable_that_leaves_its_range_is_named) {
  const TextCase c{"one_root",
                   "model M Real x(start=1,min=0); equation x^3+x=if time<1 then 2 else -2; end M;",
                   2,
                   {{"x", -1}}};
  const Simulation run = simulate_text(c, Solver::kTaylor, 1e-6);
  expect_known_values(c, run, 1e-6);
  ASSERT_EQ(run.summary.warnings.size(), 1u);
  EXPECT_EQ(run.summary.warnings[0],
            "`x` leaves its min = 0 by the event at t = 1: it is -1 at t = 1");
}

// A pendulum in Cartesian coordinates: reinit(vx) at x = 1/2 gives vx its value, and vy follows
// from x vx + y vy = 0 with y = -sqrt(3)/2.
TEST(LoopAtAnEvent, reinit_of_one_velocity_of_a_pendulum_moves_the_other) {
  const TextCase c{"pendulum",
                   "model M Real x(start=0,fixed=true), y(start=-1), vx(start=3,fixed=true), vy, "
                   "F(start=9.81); equation der(x)=vx; der(y)=vy; der(vx)=-F*x; "
                   "der(vy)=-F*y-9.81; x^2+y^2=1; when x>=0.5 then reinit(vx,-0.7*pre(vx)); end "
                   "when; end M;",
                   0.3,
                   {}};
  for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
    const Simulation run = simulate_text(c, solver, 1e-9);
    ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
    const auto time = run.trajectory.series("time");
    const auto vx = run.trajectory.series("vx"), vy = run.trajectory.series("vy");
    std::size_t k = 1;  // the row behind the event
    while (k + 1 < time.size() && time[k] != time[k - 1]) ++k;
    EXPECT_NEAR(vx[k], -0.7 * vx[k - 1], 1e-8);
    EXPECT_NEAR(vy[k], vx[k] / sqrt(3.0), 1e-8);
  }
}

}  // namespace
}  // namespace hydae
