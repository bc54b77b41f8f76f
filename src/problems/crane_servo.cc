// Overhead crane that moves its load along a prescribed straight line: s the trolley, beta the
// winch angle, (xd, zd) the load, lambda the cable force, F and M the unknown controls.
//
//     mt s'' - 2 (xd - s) lambda = F,       J beta'' - 2 r^2 beta lambda = M,
//     m xd'' + 2 (xd - s) lambda = 0,       m zd'' + 2 zd lambda = m g,
//     (xd - s)^2 + zd^2 = r^2 beta^2,       xd = 5 S(t),  zd = 4 - 3 S(t),
//
// S(t) a polynomial of degree 9 from 0 to 1 whose first four derivatives vanish at both ends.
// Index 5: the controls contain fourth derivatives of the path.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

// 126 T^5 - 420 T^6 + 540 T^7 - 315 T^8 + 70 T^9 with T = t/3, written in T - 1/2, where it loses
// no digits.
Expr transition(const Expr& t) {
  const Expr T = t / 3 - 0.5, T2 = sqr(T);
  return 0.5 + T * (2.4609375 + T2 * (-13.125 + T2 * (47.25 + T2 * (-90 + T2 * 70))));
}

void crane_servo_equations(Model& m) {
  const Expr J = m.parameter("J", 0.1), mass = m.parameter("m", 100), mt = m.parameter("mt", 10);
  const Expr r = m.parameter("r", 0.1), g = m.parameter("g", 9.81);
  const Expr s = m.variable("s"), beta = m.variable("beta");
  const Expr xd = m.variable("xd"), zd = m.variable("zd"), lambda = m.variable("lambda");
  const Expr F = m.variable("F"), M = m.variable("M");
  const Expr S = transition(m.time());
  m.equation(mt * der(s, 2) - 2 * (xd - s) * lambda == F);
  m.equation(J * der(beta, 2) - 2 * sqr(r) * beta * lambda == M);
  m.equation(mass * der(xd, 2) + 2 * (xd - s) * lambda == 0);
  m.equation(mass * der(zd, 2) + 2 * zd * lambda == mass * g);
  m.equation(sqr(xd - s) + sqr(zd) - sqr(r * beta) == 0);
  m.equation(xd == 5 * S);
  m.equation(zd == 4 - 3 * S);

  m.start(s, 0), m.start(beta, 40), m.start(xd, 0), m.start(zd, 4);
  m.start(lambda, 122.625);  // m g / (2 zd)
  m.start(F, 0), m.start(M, -98.1);
}

ExactComponents crane_servo_exact(const Expr& t) {
  const double J = 0.1, m = 100, mt = 10, r = 0.1, g = 9.81;
  const Expr S = transition(t), xd = 5 * S, zd = 4 - 3 * S;
  const Expr lambda = m * (g - der(zd, 2)) / (2 * zd);
  const Expr s = xd + der(xd, 2) * zd / (g - der(zd, 2));
  const Expr beta = sqrt(sqr(xd - s) + sqr(zd)) / r;
  const Expr F = mt * der(s, 2) - 2 * (xd - s) * lambda;
  const Expr M = J * der(beta, 2) - 2 * r * r * beta * lambda;
  return {{"s", s}, {"beta", beta}, {"xd", xd}, {"zd", zd}, {"lambda", lambda}, {"F", F}, {"M", M}};
}

}  // namespace

Problem crane_servo() {
  const std::string source = "the exact solution evaluated with 20 digits";
  return Problem({
      .name = "crane_servo",
      .title = "overhead crane with servo constraints, index 5",
      .description = "No initial value is free: trolley, winch and controls follow from the path.",
      .source =
          "W. Blajer, K. Kolodziejczyk, A geometric approach to solving problems of control "
          "constraints, Multibody Syst. Dyn. 11 (2004) 343-364; R. Altmann, P. Betsch, Y. Yang, "
          "Index reduction by minimal extension for the inverse dynamics simulation of cranes, "
          "Multibody Syst. Dyn. 36 (2016) 295-321",
      .stop_time = 3,
      .equations = crane_servo_equations,
      .exact = crane_servo_exact,
      .references = {{.t = 1,
                      .values = relative(1e-15, {{"s", 2.1415824326065406022},
                                                 {"beta", 38.368495006470286789},
                                                 {"lambda", 180.65962039926473731},
                                                 {"F", 473.53046169677305466},
                                                 {"M", -144.73977525962129865}}),
                      .source = source},
                     {.t = 1.5,
                      .values = relative(1e-15, {{"s", 2.5},
                                                 {"beta", 25},
                                                 {"lambda", 196.2},
                                                 {"F", 6.8700735850857076156},
                                                 {"M", -92.575212235556326807}}),
                      .source = source},
                     {.t = 2,
                      .values = relative(1e-15, {{"s", 3.1853470128209565733},
                                                 {"beta", 18.019217546756927448},
                                                 {"lambda", 234.82474500637484063},
                                                 {"F", -454.22114047082099413},
                                                 {"M", -88.561858018241610379}}),
                      .source = source}},
      .structure = {.c = {0, 0, 2, 2, 2, 4, 4}, .d = {2, 2, 4, 4, 2, 0, 0}, .index = 5, .dof = 0},
      .start_accuracy = 1e-12,
  });
}

}  // namespace hydae::problems
