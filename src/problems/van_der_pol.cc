// Van der Pol's oscillator: as x'' = mu (1 - x^2) x' - x with moderate mu, and in the stiff form of
// the test set, y1' = y2, eps y2' = (1 - y1^2) y2 - y1.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void van_der_pol_equations(Model& m) {
  const Expr x = m.variable("x"), mu = m.parameter("mu", 5);
  m.equation(der(x, 2) == mu * (1 - sqr(x)) * der(x) - x);
  m.fix(x, 2), m.fix(der(x), 0);
}

void stiff_equations(Model& m) {
  const Expr y1 = m.variable("y1"), y2 = m.variable("y2"), eps = m.parameter("eps", 1e-6);
  m.equation(der(y1) == y2);
  m.equation(eps * der(y2) == (1 - sqr(y1)) * y2 - y1);
  m.fix(y1, 2), m.fix(y2, 0);
}

}  // namespace

Problem van_der_pol() {
  const std::string source = "extrapolation in quadruple precision";
  return Problem({
      .name = "van_der_pol",
      .title = "van der Pol's oscillator, mu = 5",
      .source = "B. van der Pol, On relaxation-oscillations, Phil. Mag. 2 (1926) 978-992",
      .kind = ProblemKind::kOde,
      .stop_time = 20,
      .equations = van_der_pol_equations,
      .references =
          {{.t = 10,
            .values = absolute(1e-15, {{"x", -1.1587012660309908}, {"x", 0.43046980897914240, 1}}),
            .source = source},
           {.t = 20,
            .values = absolute(1e-15, {{"x", -1.6012968795428539}, {"x", 0.19832667633866208, 1}}),
            .source = source}},
      .structure = {.c = {0}, .d = {2}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

Problem vdpol() {
  return Problem({
      .name = "vdpol",
      .title = "van der Pol's oscillator, eps = 1e-6, very stiff",
      .source =
          "F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, problem vdpol",
      .kind = ProblemKind::kOde,
      .stop_time = 2,
      .equations = stiff_equations,
      .references = {{.t = 2,
                      .values = relative(1e-13, "y", {0.1706167732170483e1, -0.8928097010247975}),
                      .source = "RADAU, tolerance 1.1e-18"}},
      .structure = {.c = {0, 0}, .d = {1, 1}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
