// A mode is accepted only if its relations agree with the solution in it: impulses first, then
// right limits and derivatives, in whatever form the relations are written.
#include <cmath>

#include <hydae/compiled_model.h>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

using std::exp;

// A coil of 1 H with 1 Ohm at a source of 1 V; its switch opens at t = 1. The ideal diode must take
// the current, which has grown to 1 - 1/e and decays from there: i(2) = (1 - 1/e)/e. Were the diode
// to block, the current would be cut to zero by an impulse of its voltage that says the opposite.
const double kFreewheel = (1 - exp(-1)) * exp(-1);

std::string freewheel(const std::string& diode, const std::string& declarations = "") {
  return "model Freewheel Real i(start=0,fixed=true), w, d, q, s; " + declarations +
         " equation der(i)=w-i; i=d+q; " + diode + " 0=if time<1 then w-1 else q; end Freewheel;";
}

INSTANTIATE_TEST_SUITE_P(
    FreewheelingDiode, TextModel,
    ::testing::Values(
        TextCase{"greater",
                 freewheel("d=if s>0 then s else 0; w=if s>0 then 0 else -s;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"greater_or_equal",
                 freewheel("d=if s>=0 then s else 0; w=if s>=0 then 0 else -s;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"less",
                 freewheel("d=if s<0 then -s else 0; w=if s<0 then 0 else s;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"negated",
                 freewheel("d=if not s<=0 then s else 0; w=if not s<=0 then 0 else -s;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"boolean_off",
                 freewheel("d=if off then 0 else s; w=if off then -s else 0;",
                           "Boolean off(start=true) = s<0;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"boolean_on",
                 freewheel("d=if on then s else 0; w=if on then 0 else -s;", "Boolean on = s>0;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"if_equation",
                 freewheel("if s>0 then d=s; w=0; else d=0; w=-s; end if;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"maximum", freewheel("d=max(s,0); w=max(-s,0);"), 2, {{"i", kFreewheel}}},
        TextCase{"voltage_and_current",
                 freewheel("0=if on then w else d; on=s>0; s=d-w;", "Boolean on;"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"other_order",
                 "model M Real i(start=0,fixed=true),w,d,q,s; equation 0=if time<1 then w-1 else q;"
                 " w=if s>0 then 0 else -s; d=if s>0 then s else 0; i=d+q; der(i)=w-i; end M;",
                 2,
                 {{"i", kFreewheel}}},
        TextCase{
            "switch_in_a_when_clause",
            "model M Real i(start=0,fixed=true),w,d,q,s; Boolean closed(start=true,fixed=true);"
            " equation der(i)=w-i; i=d+q; d=if s>0 then s else 0; w=if s>0 then 0 else -s;"
            " 0=if closed then w-1 else q; when time>=1 then closed=false; end when; end M;",
            2,
            {{"i", kFreewheel}}}),
    name_of_case);

// The same diode with a memory, and as a contact between voltage and current.
INSTANTIATE_TEST_SUITE_P(
    FreewheelWithMemory, TextModel,
    ::testing::Values(
        TextCase{"pre",
                 freewheel("0=if on then w else d; on=if pre(on) then d>0 else w<0; s=0;",
                           "Boolean on(start=false,fixed=true);"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"when_clause",
                 freewheel("0=if on then w else d; when w<0 then on=true; elsewhen d<0 then "
                           "on=false; end when; s=0;",
                           "Boolean on(start=false,fixed=true);"),
                 2,
                 {{"i", kFreewheel}}},
        TextCase{"contact", freewheel("contact(w,d); s=0;"), 2, {{"i", kFreewheel}}}),
    name_of_case);

// Equal thermostats switch at one instant, t1 = 10 ln(15/14); T = 5 + 16 exp(-(t - t1)/10) behind
// it. They do not touch each other, so no combination of them is looked at: the modes that are
// compiled are not more than those of one of them.
TEST(Thermostats, that_switch_together_need_the_modes_of_one) {
  long modes_of_one = 0;
  for (const int n : {1, 12, 100}) {
    const TextCase c{"thermostats",
                     "model M parameter Integer N=" + std::to_string(n) +
                         "; Real T[N](each start=20,each fixed=true), hi[N]; Boolean on[N](each "
                         "start=true,each fixed=true); equation for i in 1:N loop der(T[i])=(if "
                         "on[i] then 3 else 0)-0.1*(T[i]-5); hi[i]=T[i]-21; when hi[i]>0 then "
                         "on[i]=false; elsewhen T[i]-19<0 then on[i]=true; end when; end for; end "
                         "M;",
                     1.5,
                     {{"T[1]", 5 + 16 * exp(-(1.5 - 10 * std::log(15.0 / 14)) / 10)}}};
    const CompiledModel compiled(*load_text(c.text).model);
    SimulateOptions options;
    options.solver = Solver::kTaylor;
    options.stop = c.stop;
    const Simulation run = simulate(compiled, options);
    expect_known_values(c, run, 1e-6);
    if (n == 1) modes_of_one = compiled.counters().modes;
    EXPECT_LE(compiled.counters().modes, modes_of_one);
    EXPECT_LT(run.summary.mode_cache_hits, 20);
  }
}

// The last row is behind the pass in which terminal() is true.
INSTANTIATE_TEST_SUITE_P(
    End, TextModel,
    ::testing::Values(
        TextCase{"terminal",
                 "model M Real x,z(start=0,fixed=true); equation der(z)=1; x=if "
                 "terminal() then 7 else 0; end M;",
                 1,
                 {{"x", 7}, {"z", 1}}},
        // (3 + 2 sin 4)/(1.5 + cos 4) = 1.76. Equality in an assertion makes no event.
        TextCase{"quotient",
                 "model M Real y; equation y=div(3+2*sin(4*time),1.5+cos(4*time)); "
                 "end M;",
                 1,
                 {{"y", 1}}},
        TextCase{"quotient_of_variables",
                 "model M Real y,a,b,p(start=0,fixed=true); equation der(p)=4; "
                 "a=3+2*sin(p); b=1.5+cos(p); y=div(a,b); end M;",
                 1,
                 {{"y", 1}}}),
    name_of_case);

// A ball that bounces infinitely often and then rests, as textbooks write it: whatever the order of
// its conditions, sizes and restitution.
std::string ball(const std::string& conditions, const std::string& e, const std::string& h) {
  return "model Ball Real h(start=" + h + ",fixed=true), v(start=0,fixed=true); Boolean " +
         "flying(start=true,fixed=true), impact; discrete Real v_new(start=0,fixed=true); equation "
         "impact=h<=0; der(v)=if flying then -9.81 else 0; der(h)=v; when " +
         conditions + " then v_new=if edge(impact) then -" + e +
         "*pre(v) else 0; flying=v_new>0; reinit(v,v_new); end when; end Ball;";
}

INSTANTIATE_TEST_SUITE_P(BallAtRest, TextModel,
                         ::testing::Values(TextCase{"as_distributed",
                                                    ball("{h<=0 and v<=0, impact}", "0.7", "1"),
                                                    3,
                                                    {{"h", 0}, {"v", 0}, {"flying", 0}}},
                                           TextCase{"other_order",
                                                    ball("{impact, h<=0 and v<=0}", "0.5", "10"),
                                                    6,
                                                    {{"h", 0}, {"v", 0}, {"flying", 0}}},
                                           TextCase{"in_millimetres",
                                                    ball("{impact, h<=0 and v<=0}", "0.6", "0.003"),
                                                    1,
                                                    {{"h", 0}, {"v", 0}, {"flying", 0}}}),
                         name_of_case);

// A one-way clutch. w1 = t until it has caught up with w2 = 2 at t = 2; then both turn together,
// driven by a torque of 1 on two inertias: w1(3) = 2 + 1/2. In the free mode T is zero for all
// time: `T < 0` is false there and must not be taken for true.
std::string clutch(const std::string& branches, const std::string& declarations = "") {
  return "model Clutch Real w1(start=0,fixed=true), w2(start=2,fixed=true), T, s; "
         "Boolean lock(start=false,fixed=true); " +
         declarations + " equation der(w1)=1-T; der(w2)=T; s=w1-w2; 0=if lock then w1-w2 else T; " +
         branches + " end Clutch;";
}

INSTANTIATE_TEST_SUITE_P(
    OneWayClutch, TextModel,
    ::testing::Values(
        TextCase{"release_first",
                 clutch("when T<0 then lock=false; elsewhen s>0 then lock=true; end when;"),
                 3,
                 {{"w1", 2.5}, {"w2", 2.5}}},
        TextCase{"lock_first",
                 clutch("when s>0 then lock=true; elsewhen T<0 then lock=false; end when;"),
                 3,
                 {{"w1", 2.5}, {"w2", 2.5}}},
        TextCase{"negated",
                 clutch("when not T>=0 then lock=false; elsewhen s>0 then lock=true; end when;"),
                 3,
                 {{"w1", 2.5}, {"w2", 2.5}}},
        TextCase{"boolean",
                 clutch("when off then lock=false; elsewhen s>0 then lock=true; end when;",
                        "Boolean off = T<0;"),
                 3,
                 {{"w1", 2.5}, {"w2", 2.5}}},
        // The same with a body that falls on a floor at x = 1.
        TextCase{"body_on_a_floor",
                 "model M Real x(start=0,fixed=true), v(start=0,fixed=true), N; Boolean "
                 "down(start=false,fixed=true); equation der(x)=v; der(v)=9.81-N; 0=if down then "
                 "x-1 else N; when N<0 then down=false; elsewhen x-1>0 then down=true; end when; "
                 "end M;",
                 1,
                 {{"x", 1.0}, {"v", 0.0}}}),
    name_of_case);

// A plate far from the origin that just touches a soft stop and is pushed into it: its gap is zero
// but for the last digits of positions that are a hundred times larger. With 2*sqrt(c*m) = 200 < d
// it creeps into the stop (rates of some 1e4/s) and rests at F/c = 65e-6 behind the place where it
// touches. Without the roundings of the gap each restart would meet the same root again.
std::string soft_stop(const std::string& damping) {
  return "model Stop parameter Real c=1e6, d=250, L=0.002, wall=-0.0955, m=0.01, s0=0.0015, F=65; "
         "Real s(start=-0.093,fixed=true), v(start=0,fixed=true), a, s_rel, v_rel, f, f_c, f_d2, "
         "f_d, ratio; Boolean contact; equation der(s)=v; m*der(v)=f-F; a=s-L/2; s_rel=a-wall; "
         "v_rel=der(s_rel); contact = s_rel < s0; ratio=s_rel-s0; f_d2 = if contact then d*v_rel "
         "else 0; f_c = noEvent(if contact then -c*abs(ratio) else 0); " +
         damping + " f=-(f_c+f_d); end Stop;";
}

class SoftStop : public ::testing::TestWithParam<const char*> {};

TEST_P(SoftStop, is_entered_where_its_gap_is_all_rounding) {
  const TextCase stop{"stop", soft_stop(GetParam()), 0.01, {{"s", -0.093065}, {"v", 0.0}}};
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Simulation run = simulate_text(stop, solver, tolerance);
      expect_known_values(stop, run, tolerance);
      EXPECT_NEAR(run.trajectory.series("s").back(), -0.093065, 65e-6 * 100 * tolerance);
      EXPECT_LE(run.summary.events.size(), 4u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, SoftStop,
    ::testing::Values(
        "f_d = noEvent(if contact then min(max(f_d2, f_c), -f_c) else 0);",
        "f_d = noEvent(if not contact then 0 else if f_d2 < f_c then f_c else if f_d2 > -f_c then "
        "-f_c else f_d2);"));

// Two gates that feed each other: at t = 1 either may go up. Where one of them is up, the
// constraint x = 5 holds, and x would jump from 0 to 5; where the other is, x' = -1 goes on:
// x(1.25) = -1/4.
std::string gated(const std::string& gate) {
  return "model M Real p, q, e, x(start=1,fixed=true), f; equation e=if time<1 then 0 else 1; p=if "
         "q>0.5 then 0 else e; q=if p>0.5 then 0 else e; der(x)=f; 0=if " +
         gate + ">0.5 then x-5 else f+1; end M;";
}

INSTANTIATE_TEST_SUITE_P(
    SeveralModesAgree, TextModel,
    ::testing::Values(
        TextCase{"p_would_make_a_jump", gated("p"), 1.25, {{"x", -0.25}, {"p", 0}, {"q", 1}}},
        TextCase{"q_would_make_a_jump", gated("q"), 1.25, {{"x", -0.25}, {"p", 1}, {"q", 0}}},
        // Without a reason to leave it the last mode goes on.
        TextCase{"the_last_one",
                 "model M Real x(start=1), s(start=1); Integer n(start=0,fixed=true); equation "
                 "0=if s>0 then x-1 else der(x)+1; s=if s>0 then 1 else -1; when time>=1 then "
                 "n=1; end when; end M;",
                 1.25,
                 {{"x", 1}, {"s", 1}, {"n", 1}}}),
    name_of_case);

// Two gates that feed each other: with e = 0 both are at rest, with e = 1 one of them is up, and
// nothing says which.
TEST(SeveralModesAgree, that_is_said) {
  for (const char* gates : {"p=if q>0.5 then 0 else e; q=if p>0.5 then 0 else e;",
                            "p=if not q<=0.5 then 0 else e; q=if 0.5<p then 0 else e;"}) {
    const TextCase c{"gates",
                     "model M Real p, q, e; equation e=if time<1 then 0 else 1; " +
                         std::string(gates) + " end M;",
                     2,
                     {}};
    for (const Solver solver : {Solver::kTaylor, Solver::kIda}) {
      const Simulation run = simulate_text(c, solver, 1e-6);
      ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
      EXPECT_EQ(run.trajectory.series("p").back() + run.trajectory.series("q").back(), 1.0);
      ASSERT_EQ(run.summary.warnings.size(), 1u);
      EXPECT_EQ(run.summary.warnings[0].find("event at t = 1: 2 modes agree"), 0u)
          << run.summary.warnings[0];
    }
  }
}

}  // namespace
}  // namespace hydae
