// Sliding, holding and touching in several forms: a relation that is held at its surface, read
// through Booleans; guards that a mode holds at zero; contacts of any size.
#include <cmath>

#include "test/events/text_cases.h"

namespace hydae {
namespace {

using std::asin, std::cos, std::pow;

std::string relay(const std::string& declarations, const std::string& equations) {
  return "model Relay Real x(start=1,fixed=true); " + declarations + " equation " + equations +
         " end Relay;";
}

// x' = -1 above zero and 2 below: x = 0 from t = 1 on, where the upper side has the share 2/3.
INSTANTIATE_TEST_SUITE_P(
    Relay, TextModel,
    ::testing::Values(
        TextCase{"inline_relation", relay("", "der(x)=if x>0 then -1 else 2;"), 2, {{"x", 0}}},
        TextCase{"boolean", relay("Boolean b=x>0;", "der(x)=if b then -1 else 2;"), 2, {{"x", 0}}},
        TextCase{"two_booleans",
                 relay("Real y(start=0,fixed=true); Boolean b=x>0, c=not b;",
                       "der(x)=if b then -1 else if c then 2 else 0; der(y)=if c then 1 else 0;"),
                 2,
                 {{"x", 0}, {"y", 1.0 / 3}}},
        TextCase{"integer", relay("Integer k=if x>0 then -1 else 2;", "der(x)=k;"), 2, {{"x", 0}}},
        TextCase{"thermostat",
                 "model T Real T(start=20,fixed=true); Boolean on=T<21; Real P=if on then 10 else "
                 "0; equation der(T)=P-(T-15); end T;",
                 2,
                 {{"T", 21}}}),
    name_of_case);

// The same relay with a memory: when-clauses, pre() and a hysteresis without width set b anew
// whenever x crosses zero, so that b follows the sign of x.
const char* const kRelayByMemory = "der(x)=if b then -1+v else 2+v; ";

std::string memory_relay(const std::string& rule, const std::string& declarations = "",
                         const std::string& v = "0") {
  return relay("Boolean b(start=true,fixed=true); Real v=" + v + "; " + declarations,
               kRelayByMemory + rule);
}

const std::vector<std::pair<const char*, std::string>> kMemories = {
    {"when_either_side", "when {x>0,x<=0} then b=x>0; end when;"},
    {"elsewhen_strict", "when x<0 then b=false; elsewhen x>0 then b=true; end when;"},
    {"elsewhen", "when x<=0 then b=false; elsewhen x>0 then b=true; end when;"},
    {"elsewhen_not_strict", "when x<=0 then b=false; elsewhen x>=0 then b=true; end when;"},
    {"negated", "when not x>0 then b=false; elsewhen x>0 then b=true; end when;"},
    {"pre", "b=x>0 or (pre(b) and x>=0);"},
    {"hysteresis_of_no_width", "b=if pre(b) then x>=0 else x>0;"},
    {"change", "when change(h) then b=h; end when;"},
};

// x = 0 from t = 1 on. With v = 2 from t = 2 on it leaves with the speed 1 of the upper side:
// x(3) = 1. With v = t - 1.5 where that is positive, at t = 2.5 with (t - 2.5)^2/2: x(3) = 1/8.
std::vector<TextCase> memory_relays() {
  std::vector<TextCase> cases;
  for (const auto& [name, rule] : kMemories) {
    const std::string more = "Boolean h=x>0;";
    cases.push_back({name, memory_relay(rule, more), 2, {{"x", 0}}});
    cases.push_back({name, memory_relay(rule, more, "if time<2 then 0 else 2"), 3, {{"x", 1}}});
    cases.push_back({name, memory_relay(rule, more, "max(0,time-1.5)"), 3, {{"x", 0.125}}});
  }
  return cases;
}

std::string numbered_name(const testing::TestParamInfo<TextCase>& info) {
  const char* const kinds[] = {"_stays", "_leaves", "_leaves_smoothly"};
  return info.param.name + std::string(kinds[info.index % 3]);
}

INSTANTIATE_TEST_SUITE_P(RelayWithMemory, TextModel, ::testing::ValuesIn(memory_relays()),
                         numbered_name);

INSTANTIATE_TEST_SUITE_P(
    Memory, TextModel,
    ::testing::Values(
        TextCase{"number",
                 relay("discrete Real u(start=-1,fixed=true);",
                       "der(x)=u; when x<0 then u=2; elsewhen x>0 then u=-1; end when;"),
                 2,
                 {{"x", 0}}},
        TextCase{"integer",
                 relay("Integer k(start=-1,fixed=true);",
                       "der(x)=k; when x<=0 then k=2; elsewhen x>0 then k=-1; end when;"),
                 2,
                 {{"x", 0}}},
        // x + v = 1 - t - t^2/2 until t1 = sqrt(3) - 1, then x' = -x on the line.
        TextCase{"second_order",
                 "model M Real x(start=1,fixed=true),v(start=0,fixed=true); Boolean "
                 "u(start=true,fixed=true); equation der(x)=v; der(v)=if u then -1 else 1; when "
                 "x+v<=0 then u=false; elsewhen x+v>0 then u=true; end when; end M;",
                 4,
                 {{"x", (std::sqrt(3.0) - 1) * std::exp(-(5 - std::sqrt(3.0)))}}},
        TextCase{"two_at_one_instant",
                 "model M Real x(start=1,fixed=true),y(start=1,fixed=true); Boolean "
                 "a(start=true,fixed=true),b(start=true,fixed=true); equation der(x)=if a then -1 "
                 "else 2; der(y)=if b then -1 else 2; when x<=0 then a=false; elsewhen x>0 then "
                 "a=true; end when; when y<=0 then b=false; elsewhen y>0 then b=true; end when; "
                 "end M;",
                 2,
                 {{"x", 0}, {"y", 0}}},
        // What never comes back follows nothing: x' = 1 from t = 1 on.
        TextCase{"no_way_back",
                 relay("Boolean b(start=true,fixed=true);",
                       "der(x)=if b then -1 else 1; when x<0 then b=false; end when;"),
                 3,
                 {{"x", 2}}},
        // A width of 1/2: switches at 1.5, 2, 3 and 3.5, then x = 1/2 - 0.7.
        TextCase{"hysteresis",
                 relay("Boolean b(start=true,fixed=true);",
                       "der(x)=if b then -1 else 2; b=if pre(b) then x>-0.5 else x>0.5;"),
                 4.2,
                 {{"x", -0.2}}}),
    name_of_case);

// Overflow of a tank at V = 1. The inflow 0.05 + 0.6 sin t turns at t0 = pi + asin(1/12); then
// V(4) = 1 + 0.05 (4 - t0) + 0.6 (cos t0 - cos 4). The other surface, V = 0, is far away.
const double kTurn = M_PI + asin(0.05 / 0.6);
const double kTank = 1 + 0.05 * (4 - kTurn) + 0.6 * (cos(kTurn) - cos(4.0));

// w1 and w2 by two modes and solve_ivp at 1e-12.
std::string freewheel_clutch(const std::string& lock) {
  return "model M Real w1(start=0,fixed=true), w2(start=1,fixed=true), T, s; Boolean "
         "lock(start=false,fixed=true); equation der(w1)=3*sin(time)-T; 2*der(w2)=T-0.5*w2; "
         "s=w1-w2; 0=if lock then s else T; " +
         lock + " end M;";
}

std::string rope(const std::string& rule) {
  return "model M Real x(start=0,fixed=true), y(start=-1), vx(start=5.5,fixed=true), vy(start=0), "
         "F(start=30), s; Boolean taut(start=true,fixed=true); equation der(x)=vx; der(y)=vy; "
         "der(vx)=-F*x; der(vy)=-F*y-9.81; s=x^2+y^2-1; if taut then x^2+y^2=1; else F=0; end "
         "if; " +
         rule + " end M;";
}

// q is the integral of p = sin(t - 1) - 0.2 from its last upward zero t1 = 7.4845 to 9.
const double kOpens = 1 + asin(0.2) + 2 * M_PI;
const double kValve = -cos(8.0) + cos(kOpens - 1) - 0.2 * (9 - kOpens);

std::string valve(const std::string& rule) {
  return "model M Real q(start=0,fixed=true), p; Boolean open(start=false,fixed=true); equation "
         "p=sin(time-1)-0.2; der(q)=if open then p else 0; " +
         rule + " end M;";
}

INSTANTIATE_TEST_SUITE_P(
    HeldAtZero, TextModel,
    ::testing::Values(
        TextCase{"tank_leaves_its_overflow",
                 "model Tank Real V(start=0.5,fixed=true), qi, qo; equation qi=0.6*sin(time)+0.05; "
                 "der(V)=qi-qo; qo=if V>1 then 2 elseif V<0 then -2 else 0; end Tank;",
                 4,
                 {{"V", kTank}}},
        TextCase{"freewheel",
                 freewheel_clutch("lock=if pre(lock) then T>=0 else s>0;"),
                 12,
                 {{"w1", -4.68404780}, {"w2", 0.44912232}}},
        TextCase{"freewheel_in_a_when_clause",
                 freewheel_clutch("when s>0 then lock=true; elsewhen T<0 then lock=false; end "
                                  "when;"),
                 12,
                 {{"w1", -4.68404780}, {"w2", 0.44912232}}},
        // A rope that goes slack at t = 0.481338, by hand from there: x(1) = 0.579848.
        TextCase{"rope", rope("taut=if pre(taut) then F>0 else s>0;"), 1, {{"x", 0.579848}}},
        TextCase{"rope_in_a_when_clause",
                 rope("when F<=0 then taut=false; elsewhen s>=0 then taut=true; end when;"),
                 1,
                 {{"x", 0.579848}}},
        TextCase{"check_valve",
                 valve("when q<0 then open=false; elsewhen p>0 then open=true; end when;"),
                 9,
                 {{"q", kValve}}},
        TextCase{"check_valve_by_a_boolean",
                 valve("open=p>0 or (pre(open) and q>0);"),
                 9,
                 {{"q", kValve}}}),
    name_of_case);

// A mass on a spring in front of a wall, restitution 0.8: impacts at (k + 1/2) pi with speeds
// 0.8^k, six of them until t = 20; x(20) = 0.8^6 cos 20. The same in micrometres.
const double kSixImpacts = pow(0.8, 6) * cos(20.0);

INSTANTIATE_TEST_SUITE_P(
    ContactOfAnySize, TextModel,
    ::testing::Values(
        TextCase{"metres",
                 "model M Real x(start=1,fixed=true), v(start=0,fixed=true), F; equation der(x)=v; "
                 "der(v)=-x+F; contact(x,F,0.8); end M;",
                 20,
                 {{"x", kSixImpacts}}},
        TextCase{"micrometres",
                 "model M Real x(start=1e6,fixed=true,nominal=1e6), "
                 "v(start=0,fixed=true,nominal=1e6), F(nominal=1e6); equation der(x)=v; "
                 "der(v)=-x+F; contact(x,F,0.8); end M;",
                 20,
                 {{"x", 1e6 * kSixImpacts}}},
        TextCase{"nanometres",
                 "model M Real x(start=1e-9,fixed=true,nominal=1e-9), "
                 "v(start=0,fixed=true,nominal=1e-9), F(nominal=1e-9), nm; equation der(x)=v; "
                 "der(v)=-x+F; contact(x,F,0.8); nm=1e9*x; end M;",
                 20,
                 {{"nm", kSixImpacts}}},
        // Of first order: F = 1 holds x at zero from t = 1 on.
        TextCase{"first_order",
                 "model M Real x(start=1,fixed=true),F; equation der(x)=-1+F; contact(x,F); end M;",
                 2,
                 {{"x", 0}, {"F", 1}}},
        // The force ends at t = 2: x(3) is the integral of 2 (t - 1.5) - 1 from 2 to 3.
        TextCase{"first_order_opens",
                 "model M Real x(start=1,fixed=true),F; equation "
                 "der(x)=-1+2*max(0,time-1.5)+F; contact(x,F); end M;",
                 3,
                 {{"x", 1}}},
        TextCase{"first_order_freewheel",
                 "model M Real w1(start=0,fixed=true), w2(start=2,fixed=true), T; equation "
                 "der(w1)=1-T; der(w2)=T; contact(w2-w1,T); end M;",
                 3,
                 {{"w1", 2.5}, {"w2", 2.5}}},
        // Without a derivative between force and gap, a diode with 1 Ohm at sin(2 pi t): the charge
        // of one and a quarter periods.
        TextCase{"order_zero",
                 "model M Real b, y, q(start=0,fixed=true); equation sin(6.283185307179586*time)"
                 "=y-b; contact(b,y); der(q)=y; end M;",
                 1.25,
                 {{"q", 1.5 / M_PI}}},
        TextCase{"order_zero_that_starts_closed",
                 "model M Real b, y, q(start=0,fixed=true); equation cos(6.283185307179586*time)"
                 "=y-b; contact(b,y); der(q)=y; end M;",
                 1.25,
                 {{"q", 1.5 / M_PI}}},
        // A ball that is dropped from 1/2 with g = 1 hits the ground at t = 1 with the speed 1
        // while the diode conducts: v(1.5) = 1 - 1/2, and the charge is that of the diode alone.
        TextCase{"order_zero_beside_an_impact",
                 "model M Real b, y, q(start=0,fixed=true), h(start=0.5,fixed=true), "
                 "v(start=0,fixed=true), F; equation sin(time)=y-b; contact(b,y); der(q)=y; "
                 "der(h)=v; der(v)=F-1; contact(h,F,1); end M;",
                 1.5,
                 {{"q", 1 - cos(1.5)}, {"v", 0.5}}},
        // Two pendula, five impacts until t = 5; `when gap <= 0 then reinit` with the impact law
        // written out, at 1e-12, has a(5) = -0.13405061.
        TextCase{"pendula",
                 "model M Real a(start=-1.2,fixed=true), b(start=0.3,fixed=true), "
                 "wa(start=0,fixed=true), wb(start=0,fixed=true), F, gap; equation der(a)=wa; "
                 "der(b)=wb; der(wa)=-9.81*sin(a)-F; 2*der(wb)=-19.62*sin(b)+F; gap=b-a; "
                 "contact(gap,F,0.8); end M;",
                 5,
                 {{"a", -0.13405061}}}),
    name_of_case);

// y = -1 if y > 0, else 1, has no solution: what is not at its surface is not held there, whether
// the relation is read through a Boolean or not.
TEST(Relay, an_algebraic_contradiction_is_no_sliding) {
  for (const char* text :
       {"model M Real y; equation y=if time<1 then 1 else (if y>0 then -1 else 1); end M;",
        "model M Real y; Boolean b=y>0; equation y=if time<1 then 1 else (if b then -1 else 1); "
        "end M;"}) {
    const Simulation run = simulate_text({"liar", text, 2, {}}, Solver::kTaylor, 1e-6);
    EXPECT_EQ(run.summary.status, Status::kModeCycle) << text;
  }
}

}  // namespace
}  // namespace hydae
