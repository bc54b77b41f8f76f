// The pendulum in first-order form with all constants one, y pointing up, started at the right with
// upward velocity: x' = u, y' = v, u' = -x lambda, v' = -y lambda - 1 and x^2 + y^2 = 1. In the
// angle phi from the horizontal it is phi'' = -cos phi, phi(0) = 0, phi'(0) = 1.
//
// Differentiating the constraint and using the other equations gives forms of lower index with the
// same solution: x u + y v = 0, then u^2 + v^2 - lambda - y = 0, then lambda' = -3 v. Each
// has one more degree of freedom.

#include <string>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void pendulum_cash_equations(Model& m, int index) {
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr u = m.variable("u"), v = m.variable("v"), lambda = m.variable("lambda");
  m.equation(der(x) == u);
  m.equation(der(y) == v);
  m.equation(der(u) == -x * lambda);
  m.equation(der(v) == -y * lambda - 1);
  if (index == 3) m.equation(sqr(x) + sqr(y) == 1);
  if (index == 2) m.equation(x * u + y * v == 0);
  if (index == 1) m.equation(sqr(u) + sqr(v) - lambda - y == 0);
  if (index == 0) m.equation(der(lambda) == -3 * v);

  m.start(x, 1), m.start(u, 0), m.start(lambda, 1), m.start(der(x), 0), m.start(der(y), 1);
  m.fix(y, 0), m.fix(v, 1);
  if (index <= 2) m.fix(x, 1);
  if (index <= 1) m.fix(u, 0);
  if (index == 0) m.fix(lambda, 1);
}

KnownStructure pendulum_cash_structure(int index) {
  switch (index) {
    case 3: return {.c = {1, 1, 0, 0, 2}, .d = {2, 2, 1, 1, 0}, .index = 3, .dof = 2};
    case 2: return {.c = {0, 0, 0, 0, 1}, .d = {1, 1, 1, 1, 0}, .index = 2, .dof = 3};
    case 1: return {.c = {0, 0, 0, 0, 0}, .d = {1, 1, 1, 1, 0}, .index = 1, .dof = 4};
    default: return {.c = {0, 0, 0, 0, 0}, .d = {1, 1, 1, 1, 1}, .index = 0, .dof = 5};
  }
}

Problem pendulum_of_index(int index, const std::string& name) {
  return Problem({
      .name = name,
      .title = "pendulum in first-order form with unit constants, index " + std::to_string(index),
      .description =
          "The end values printed with 18 digits in the literature are right to about 1e-11; those "
          "given here come from the Taylor series of the angle in 60-digit arithmetic.",
      .source = "J. R. Cash's collection of test problems for MEBDFDAE, pendulum of index 3 to 0",
      .kind = index == 0 ? ProblemKind::kOde : ProblemKind::kDae,
      .equations = [index](Model& m) { pendulum_cash_equations(m, index); },
      .references = {{.t = 1,
                      .values = absolute(1e-16, {{"x", 8.67348640600439321734e-1},
                                                 {"y", 4.97701050479672929354e-1},
                                                 {"u", -3.37480180609545196091e-2},
                                                 {"v", 5.88130114652500075408e-2},
                                                 {"lambda", -4.93103151439018788061e-1}}),
                      .source = "Taylor series of the angle, 30 digits"}},
      .structure = pendulum_cash_structure(index),
      .start_accuracy = 0,
  });
}

}  // namespace

Problem pendulum_cash() { return pendulum_of_index(3, "pendulum_cash"); }
Problem pendulum_cash_index0() { return pendulum_of_index(0, "pendulum_cash_index0"); }
Problem pendulum_cash_index1() { return pendulum_of_index(1, "pendulum_cash_index1"); }
Problem pendulum_cash_index2() { return pendulum_of_index(2, "pendulum_cash_index2"); }

}  // namespace hydae::problems
