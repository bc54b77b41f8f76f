// Models that are wrong on purpose, each in one way.

#include <functional>
#include <string>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void too_few(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == -x + z);
  m.equation(x + y == 1);
  m.fix(x, 1);
}

void too_many(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == -x + y);
  m.equation(x + y == 1);
  m.equation(x * y == 2);
  m.fix(x, 1);
}

void unused(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y");
  m.variable("z");
  m.equation(der(x) == y);
  m.equation(x + y == 1);
  m.equation(x - y == m.time());
}

void no_unknowns(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), g = m.parameter("g", 9.81);
  m.equation(der(x) == -x + y);
  m.equation(g * m.time() == 1);
  m.fix(x, 1);
}

// Equation f3 of modified2pendula is missing, and mu occurs nowhere.
void pendula(Model& m) {
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  const Expr u = m.variable("u"), v = m.variable("v");
  m.variable("mu");
  const Expr G = m.parameter("G", 9.8), L = m.parameter("L", 1.0), c = m.parameter("c", 0.1);
  m.equation(der(x, 2) + x * lambda == 0, "f1");
  m.equation(der(y, 2) + y * lambda - G == 0, "f2");
  m.equation(der(u, 2) + u == 0, "f4");
  m.equation(sqr(der(v, 3)) + v - G == 0, "f5");
  m.equation(sqr(u) + sqr(v) - sqr(L + c * lambda) + der(lambda, 2) == 0, "f6");
}

// Square, but one equation has x1, x2, x3 to determine and three equations share x6.
void three_parts(Model& m) {
  const Numbered x(m, "x", 6);
  m.equation(der(x(4)) + x(5) == x(6));
  m.equation(x(4) - x(5) == 1);
  m.equation(x(6) == sin(m.time()));
  m.equation(der(x(6)) == -x(6));
  m.equation(sqr(x(6)) == 2);
  m.equation(x(1) + der(x(2)) + x(3) == x(4));
}

void dependent(Model& m, double right) {
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + der(y) == -x);
  m.equation(2 * der(x) + 2 * der(y) == -2 * x + right);
  m.start(x, 1), m.start(y, 1);
}

// The pendulum with more fixed values than it has degrees of freedom.
void fixed_pendulum(Model& m, double x0, double y0) {
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  m.equation(der(x, 2) + x * lambda == 0);
  m.equation(der(y, 2) + y * lambda - 9.8 == 0);
  m.equation(sqr(x) + sqr(y) == 1);
  m.fix(x, x0), m.fix(y, y0), m.fix(der(x), 0), m.fix(der(y), 0);
}

// x' + y' = f1, sin(t) x + t y = f2: both coefficients of the second vanish at t = 0.
void vanishing(Model& m) {
  const Expr t = m.time(), x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + der(y) == cos(t));
  m.equation(sin(t) * x + t * y == sqr(t));
  m.start(x, 1), m.start(y, 0);
}

void unsolvable(Model& m) {
  const Expr t = m.time(), x1 = m.variable("x1"), x2 = m.variable("x2");
  m.equation(der(x1) + der(x2) == cos(t));
  m.equation(x1 + x2 == sin(t));
  m.start(x1, 0), m.start(x2, 0);
}

void general(Model& m) {
  const Expr t = m.time();
  const Numbered x(m, "x", 5);
  m.equation(sin(x(2)) * der(x(1)) + cos(x(3)) * der(x(2)) + der(x(3)) + x(4) * x(1) +
                 23 * x(5) * x(2) ==
             0);
  m.equation(sqr(t) * x(2) + t * x(1) == 0);
  m.equation(sqr(x(1)) + sin(t) * x(3) * x(2) - cos(6 * t) == 0);
  m.equation(x(3) + x(5) == 0);
  m.equation(x(2) * x(4) + sin(0.5 * t) == 0);
  for (int i = 1; i <= 5; ++i) m.start(x(i), 1);
}

constexpr const char* kMade = "made for the diagnosis";
constexpr const char* kRaha =
    "S. Raha, L. R. Petzold, Constraint partitioning for structure in path-constrained dynamic "
    "optimization problems (2000), section ";

Problem defective(std::string name, std::string title, std::string source, std::string defect,
                  std::function<void(Model&)> equations) {
  return Problem({.name = std::move(name),
                  .title = std::move(title),
                  .source = std::move(source),
                  .kind = ProblemKind::kIllPosed,
                  .equations = std::move(equations),
                  .defect = std::move(defect)});
}

}  // namespace

Problem too_few_equations() {
  return defective("too_few_equations", "three unknowns, two equations", kMade,
                   "3 unknowns but 2 equations", too_few);
}

Problem too_many_equations() {
  return defective("too_many_equations", "two unknowns, three equations", kMade,
                   "2 unknowns but 3 equations", too_many);
}

Problem unused_variable() {
  return defective("unused_variable", "square, but one variable occurs nowhere", kMade,
                   "z occurs in no equation; x and y have three", unused);
}

Problem equation_without_unknowns() {
  return defective("equation_without_unknowns", "square, but one equation has no unknown", kMade,
                   "f2 holds no unknown; nothing determines y", no_unknowns);
}

Problem illposed_pendula() {
  return defective(
      "illposed_pendula", "modified2pendula without its third equation and without mu",
      "R. McKenzie, J. D. Pryce, N. S. Nedialkov, G. Tan, DAESA user guide, section 5.2",
      "6 unknowns but 5 equations; mu occurs in no equation", pendula);
}

Problem three_part_system() {
  return defective("three_part_system",
                   "square with an under-, an over- and a well-determined part", kMade,
                   "f6 alone has x1, x2 and x3; f3, f4 and f5 have x6 only", three_parts);
}

Problem redundant_equation() {
  return defective("redundant_equation", "structurally regular, but one equation is twice another",
                   kMade, "f2 is 2 f1: the system Jacobian is singular identically",
                   [](Model& m) { dependent(m, 0); });
}

Problem contradictory_equations() {
  return defective("contradictory_equations", "structurally regular, but two equations contradict",
                   kMade, "f2 - 2 f1 reads 0 = 1", [](Model& m) { dependent(m, 1); });
}

Problem contradictory_start() {
  return defective("contradictory_start", "pendulum with fixed values off the circle", kMade,
                   "x = 1 and y = 0.5 are fixed but x^2 + y^2 = 1",
                   [](Model& m) { fixed_pendulum(m, 1, 0.5); });
}

Problem redundant_start() {
  return defective("redundant_start", "pendulum with all positions and velocities fixed", kMade,
                   "4 fixed values for 2 degrees of freedom; they agree",
                   [](Model& m) { fixed_pendulum(m, 0.6, 0.8); });
}

Problem raha_simple() {
  return defective("raha_simple", "a constraint whose coefficients vanish at the start",
                   std::string(kRaha) + "5.1", "the system Jacobian, t - sin t, is zero at t = 0",
                   vanishing);
}

Problem raha_unsolvable() {
  return defective("raha_unsolvable", "the constraint is the integral of the differential equation",
                   std::string(kRaha) + "5.2 (printed with x for x2)",
                   "f1 is the derivative of f2: one unknown stays free", unsolvable);
}

Problem raha_general() {
  return defective("raha_general",
                   "one differential and four algebraic equations, one empty at t = 0",
                   std::string(kRaha) + "5.3", "f2 vanishes at t = 0", general);
}

}  // namespace hydae::problems
