// P pendula in a row, all with their own pivot; the tension of one lengthens the next:
//
//     x_i'' + x_i lambda_i = 0,   y_i'' + y_i lambda_i - G = 0          i = 1 .. P
//     x_1^2 + y_1^2 = L^2,        x_i^2 + y_i^2 = (L + c lambda_{i-1})^2,   i = 2 .. P
//
// 3P equations of index 2P+1 with 2P degrees of freedom: x_i and x_i' are free, everything else
// follows. The y_i are not: the length of pendulum i depends on 2(i-1) derivatives of the first.
//
// The literature gives no start values. Tension passes down the row through its second derivative
// and grows by a factor of 1.5 to 2.5 at each pendulum, so the swing of the first must be small;
// here x_i = 0.3 * 2^(i-P).
//
// Reference values: in polar coordinates with the length l_i(t) given, l theta'' = -G sin theta - 2
// l' theta', lambda = (G cos theta + l theta'^2 - l'')/l; Taylor series of one pendulum after the
// other in 50-digit arithmetic, two orders and tolerances agreeing to 20 digits.

#include <cmath>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void chained_pendula_equations(Model& m, int P) {
  const Numbered x(m, "x", P), y(m, "y", P), lambda(m, "lambda", P);
  const Expr G = m.parameter("G", 9.8), L = m.parameter("L", 1.0), c = m.parameter("c", 0.1);
  for (int i = 1; i <= P; ++i) {
    const Expr length = i == 1 ? L : L + c * lambda(i - 1);
    m.equation(der(x(i), 2) + x(i) * lambda(i) == 0);
    m.equation(der(y(i), 2) + y(i) * lambda(i) - G == 0);
    m.equation(sqr(x(i)) + sqr(y(i)) - sqr(length) == 0);
  }

  double length = 1.0;  // hanging at rest: lambda = G / length
  for (int i = 1; i <= P; ++i) {
    m.fix(x(i), std::ldexp(0.3, i - P)), m.fix(der(x(i)), 0);
    m.start(y(i), length), m.start(der(y(i)), 0);
    m.start(lambda(i), 9.8 / length);
    length = 1.0 + 0.1 * 9.8 / length;
  }
}

KnownStructure chained_pendula_structure(int P) {
  KnownStructure s{.index = 2 * P + 1, .dof = 2 * P};
  for (int i = 1; i <= P; ++i) {
    const int later = 2 * (P - i);
    for (int c : {later, later, later + 2}) s.c.push_back(c);
  }
  // Variables are declared x1 .., y1 .., lambda1 ..
  for (int extra : {2, 2, 0})
    for (int i = 1; i <= P; ++i) s.d.push_back(2 * (P - i) + extra);
  return s;
}

constexpr const char* kPolarSeries = "Taylor series in polar coordinates, 20 digits";

std::vector<Reference> references_of_5() {
  return {{.t = 0,
           .values = absolute(1e-15, {{"y1", 0.99982420329775974},
                                      {"lambda1", 9.7982771923180455},
                                      {"y2", 1.9794725428352395},
                                      {"lambda2", 4.9439214278169927},
                                      {"y3", 1.4925089200429184},
                                      {"lambda3", 6.5360959269338417},
                                      {"y4", 1.6467922410090412},
                                      {"lambda4", 5.8577539652399569},
                                      {"y5", 1.5571395596480220},
                                      {"lambda5", 5.9379676601904758}}),
           .source = kPolarSeries},
          {.t = 5,
           .values = absolute(1e-15, {{"x1", -0.018720788205752165},
                                      {"y1", 0.99982475068831706},
                                      {"lambda1", 9.7982932856004307},
                                      {"x2", 0.0047740773950866605},
                                      {"y2", 1.9798235725466895},
                                      {"lambda2", 4.9465714693096558},
                                      {"x3", 0.072944603594914671},
                                      {"y3", 1.4928761072768881},
                                      {"lambda3", 6.5398204467938832},
                                      {"x4", 0.13782609985493035},
                                      {"y4", 1.6482295259825280},
                                      {"lambda4", 5.8733523194791615},
                                      {"x5", 0.29272562269367491},
                                      {"y5", 1.5601105244186211},
                                      {"lambda5", 5.9719286867576410}}),
           .source = kPolarSeries}};
}

std::vector<Reference> references_of_23() {
  return {{.t = 0,
           .values = absolute(1e-15, {{"y1", 0.99999999999999744},
                                      {"lambda1", 9.7999999999999749},
                                      {"y12", 1.6090728299149513},
                                      {"lambda12", 6.0904638399258112},
                                      {"y22", 1.6009574190809687},
                                      {"lambda22", 6.0470471790898235},
                                      {"y23", 1.5764127732543106},
                                      {"lambda23", 5.9148274444204586}}),
           .source = kPolarSeries},
          {.t = 2,
           .values = absolute(1e-15, {{"x1", 7.1507957107578642e-8},
                                      {"x2", -3.7175989397708569e-8},
                                      {"x12", 0.000032450809453294986},
                                      {"y12", 1.6090728387690954},
                                      {"lambda12", 6.0904639404678542},
                                      {"x21", 0.016510074510992321},
                                      {"y21", 1.6093570403731492},
                                      {"lambda21", 6.1060691779558031},
                                      {"x22", 0.032376525934131203},
                                      {"y22", 1.6102814673899143},
                                      {"lambda22", 6.1528191527557448},
                                      {"x23", 0.059533297455993359},
                                      {"y23", 1.6141844542400798},
                                      {"lambda23", 6.3420826191426074}}),
           .source = kPolarSeries}};
}

ProblemDefinition definition(int P) {
  ProblemDefinition p{
      .name = "chained_pendula",
      .title = "P pendula, each lengthened by the tension of the one before, index 2P+1",
      .description =
          "2P degrees of freedom: the x_i and their velocities. Taylor coefficients of the "
          "multipliers span many orders of magnitude.",
      .source =
          "N. S. Nedialkov, J. D. Pryce, Solving differential-algebraic equations by Taylor series "
          "(III): the DAETS code, JNAIAM 3 (2008) 61-80; constants of the DAESA example",
      .stop_time = P > 5 ? 2.0 : 5.0,
      .equations = [P](Model& m) { chained_pendula_equations(m, P); },
      .structure = chained_pendula_structure(P),
  };
  if (P == 5) p.references = references_of_5();
  if (P == 23) p.references = references_of_23();
  return p;
}

}  // namespace

Problem chained_pendula(int P) {
  ProblemDefinition p = definition(P);
  p.size_name = "P";
  p.size = P;
  return Problem(std::move(p));
}

Problem chained_pendula_23() {
  ProblemDefinition p = definition(23);
  p.name = "chained_pendula_23";
  p.title = "23 pendula, each lengthened by the tension of the one before, index 47";
  return Problem(std::move(p));
}

}  // namespace hydae::problems
