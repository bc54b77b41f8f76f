// Small hybrid models with closed forms, each in six ways to write its relations, by all solvers at
// three tolerances. The fast suite takes one form for each run, in turn; HYDAE_FORMS in the
// environment takes all of them.
#include <cmath>
#include <cstdlib>

#include "test/events/marked_forms.h"
#include "test/events/text_cases.h"

namespace hydae {
namespace {

using std::asin, std::cos, std::exp, std::log, std::sqrt;

class MarkedModel : public ::testing::TestWithParam<TextCase> {};

TEST_P(MarkedModel, means_the_same_however_it_is_written) {
  const bool all = std::getenv("HYDAE_FORMS") != nullptr;
  std::size_t next = 0;
  for (const Solver solver : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    for (const double tolerance : {1e-4, 1e-6, 1e-9})
      for (std::size_t k = 0; k < (all ? marked::kForms.size() : 1); ++k) {
        const marked::Form form = marked::kForms[next++ % marked::kForms.size()];
        TextCase c = GetParam();
        c.text = marked::written_out(c.text, form);
        SCOPED_TRACE(testing::Message()
                     << "solver " << static_cast<int>(solver) << ", tolerance " << tolerance << "\n"
                     << c.text);
        expect_known_values(c, simulate_text(c, solver, tolerance), tolerance);
      }
}

// A quantity of 1e-10: the event is at t = 1/2. A sign has no size.
const std::string kTiny =
    "model M Real x(start=0,fixed=true), X; Integer n(start=0,fixed=true); equation der(x)=1e-10; "
    "X=1e10*x; when [[x>5e-11]] then n=pre(n)+1; end when; end M;";

// An ideal diode with 1 Ohm at U sin(2 pi t), from zero on: the charge in one and a quarter periods
// is 1.5 U/pi.
std::string rectifier(const std::string& size) {
  return "model M parameter Real U=" + size +
         "; Real s,i,w,q(start=0,fixed=true),Q; equation U*sin(6.283185307179586*time)=i-w; i=if "
         "[[s>0]] then s else 0; w=if [[s>0]] then 0 else -s; der(q)=i; Q=q/U; end M;";
}

// Phase 0.1 + 1e6 t + 2.0625e12 t^2/2 in 20 microseconds: 432.6, 68 turns.
const std::string kChirp =
    "model M Real p(start=0.1,fixed=true), w(start=1e6,fixed=true); Integer n(start=0,fixed=true); "
    "equation der(p)=w; der(w)=2.0625e12; when [[sin(p)>0]] then n=pre(n)+1; end when; end M;";

// Overflow at V = 1, left where the inflow turns.
const double kTurns = M_PI + asin(0.05 / 0.6);
const double kVolume = 1 + 0.05 * (4 - kTurns) + 0.6 * (cos(kTurns) - cos(4.0));

// The thermostat holds T = 21 from ln(...) on; its heater has the share 6/10 of the time, from
// where T = 25 - 5 exp(-t) reaches 21: t1 = ln(5/4). E = t1 + 0.6 (2 - t1).
const double kHeats = log(1.25);

INSTANTIATE_TEST_SUITE_P(
    Small, MarkedModel,
    ::testing::Values(
        TextCase{"tiny", kTiny, 1, {{"n", 1}, {"X", 1}}},
        TextCase{"rectifier", rectifier("1"), 1.25, {{"Q", 1.5 / M_PI}}},
        TextCase{"rectifier_of_nanovolts", rectifier("1e-9"), 1.25, {{"Q", 1.5 / M_PI}}},
        TextCase{"rectifier_of_megavolts", rectifier("1e6"), 1.25, {{"Q", 1.5 / M_PI}}},
        TextCase{"chirp", kChirp, 20e-6, {{"n", 68}, {"p", 432.6}}},
        TextCase{"relay",
                 "model M Real x(start=1,fixed=true); equation der(x)=if [[x>0]] then "
                 "-1 else 2; end M;",
                 2,
                 {{"x", 0}}},
        TextCase{"thermostat",
                 "model M Real T(start=20,fixed=true), E(start=0,fixed=true), P; equation P=if "
                 "[[T<21]] then 10 else 0; der(T)=P-(T-15); der(E)=P/10; end M;",
                 2,
                 {{"T", 21}, {"E", kHeats + 0.6 * (2 - kHeats)}}},
        TextCase{"tank",
                 "model M Real V(start=0.5,fixed=true), qi, qo; equation qi=0.6*sin(time)+0.05; "
                 "der(V)=qi-qo; qo=if [[V>1]] then 2 elseif [[V<0]] then -2 else 0; end M;",
                 4,
                 {{"V", kVolume}}}),
    name_of_case);

// One period of a step-down converter: on until 30 us, then the diode, then neither. 100 periods by
// Runge-Kutta steps of 0.15 us and bisection: u = 19.9807727.
std::string buck(const std::string& diode) {
  return "model M parameter Real V=24, L=1e-4, C=1e-5, R=100, period=1e-4, duty=0.3; Real "
         "i(start=0,fixed=true), u(start=0,fixed=true), w, d, q, s; Boolean on=mod(time, "
         "period)<duty*period; equation L*der(i)=w-u; C*der(u)=i-u/R; i=d+q; " +
         diode + " 0=if on then w-V else q; end M;";
}
const double kBuck = 19.9809286;  // after ten periods

// A cam x = sin(3 t)/2 under a follower with weight 2, which lifts off where 4.5 sin(3 t) = 2 and
// falls until it meets the cam again: x(5) by bisection.
std::string cam(const std::string& rule) {
  return "model M Real x(start=0,fixed=false), v(start=1.5,fixed=false), F(start=2), gap; Boolean "
         "on(start=true,fixed=true); equation der(x)=v; der(v)=F-2; gap=x-0.5*sin(3*time); 0=if on "
         "then gap else F; " +
         rule + " end M;";
}
const double kCam = 0.6734105201350178;

const double kFreewheels = (1 - exp(-1)) * exp(-1);
std::string freewheeling(const std::string& diode) {
  return "model M Real i(start=0,fixed=true), w, d, q, s; equation der(i)=w-i; i=d+q; " + diode +
         " 0=if [[time<1]] then w-1 else q; end M;";
}

std::string locking(const std::string& rule) {
  return "model M Real w1(start=0,fixed=true), w2(start=1,fixed=true), T, s; Boolean "
         "lock(start=false,fixed=true); equation der(w1)=3*sin(time)-T; 2*der(w2)=T-0.5*w2; "
         "s=w1-w2; 0=if lock then s else T; " +
         rule + " end M;";
}

const double kUpward = 1 + asin(0.2) + 2 * M_PI;
const double kFlow = -cos(8.0) + cos(kUpward - 1) - 0.2 * (9 - kUpward);
std::string check_valve(const std::string& rule) {
  return "model M Real q(start=0,fixed=true), p; Boolean open(start=false,fixed=true); equation "
         "p=sin(time-1)-0.2; der(q)=if open then p else 0; " +
         rule + " end M;";
}

INSTANTIATE_TEST_SUITE_P(
    Modes, MarkedModel,
    ::testing::Values(
        TextCase{"freewheel",
                 freewheeling("d=if [[s>0]] then s else 0; w=if [[s>0]] then 0 else -s;"),
                 2,
                 {{"i", kFreewheels}}},
        TextCase{"freewheel_by_equations",
                 freewheeling("if [[s>=0]] then d=s; w=0; else d=0; w=-s; end if;"),
                 2,
                 {{"i", kFreewheels}}},
        TextCase{"buck",
                 buck("d=if [[s>0]] then s else 0; w=if [[s>0]] then 0 else -s;"),
                 1e-3,
                 {{"u", kBuck}}},
        TextCase{"buck_not_strict",
                 buck("d=if [[s>=0]] then s else 0; w=if [[s>=0]] then 0 else -s;"),
                 1e-3,
                 {{"u", kBuck}}},
        TextCase{"buck_with_max", buck("d=max(s,0); w=max(-s,0);"), 1e-3, {{"u", kBuck}}},
        TextCase{"buck_with_a_contact", buck("contact(w,d); s=0;"), 1e-3, {{"u", kBuck}}},
        TextCase{"cam",
                 cam("when [[gap<0]] then on=true; elsewhen [[F<0]] then on=false; end when;"),
                 5,
                 {{"x", kCam}}},
        TextCase{"cam_branches_swapped",
                 cam("when [[F<0]] then on=false; elsewhen [[gap<0]] then on=true; end when;"),
                 5,
                 {{"x", kCam}}},
        TextCase{"cam_by_a_boolean",
                 cam("on = if pre(on) then [[F>=0]] else [[gap<0]];"),
                 5,
                 {{"x", kCam}}},
        TextCase{"lock",
                 locking("lock=if pre(lock) then [[T>=0]] else [[s>0]];"),
                 12,
                 {{"w1", -4.68404780}, {"w2", 0.44912232}}},
        TextCase{
            "lock_when",
            locking("when [[s>0]] then lock=true; elsewhen [[T<0]] then lock=false; end when;"),
            12,
            {{"w1", -4.68404780}, {"w2", 0.44912232}}},
        TextCase{"lock_or",
                 locking("lock = [[s>0]] or (pre(lock) and [[T>0]]);"),
                 12,
                 {{"w1", -4.68404780}, {"w2", 0.44912232}}},
        TextCase{"valve",
                 check_valve("when [[q<0]] then open=false; elsewhen [[p>0]] then open=true; end "
                             "when;"),
                 9,
                 {{"q", kFlow}}},
        TextCase{"valve_branches_swapped",
                 check_valve("when [[p>0]] then open=true; elsewhen [[q<0]] then open=false; end "
                             "when;"),
                 9,
                 {{"q", kFlow}}},
        TextCase{"valve_by_a_boolean",
                 check_valve("open = [[p>0]] or (pre(open) and [[q>0]]);"),
                 9,
                 {{"q", kFlow}}}),
    name_of_case);

}  // namespace
}  // namespace hydae
