// Seven stars in the plane, of mass 1 to 7, with several close encounters. Second-order form with
// 14 equations.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void pleiades_equations(Model& m) {
  const Numbered x(m, "x", 7), y(m, "y", 7);
  for (int i = 1; i <= 7; ++i) {
    Expr ax = 0, ay = 0;
    for (int j = 1; j <= 7; ++j) {
      if (j == i) continue;
      const Expr r3 = pow(sqr(x(i) - x(j)) + sqr(y(i) - y(j)), 1.5);
      ax += j * (x(j) - x(i)) / r3;
      ay += j * (y(j) - y(i)) / r3;
    }
    m.equation(der(x(i), 2) == ax);
    m.equation(der(y(i), 2) == ay);
  }

  const double x0[] = {3, 3, -1, -3, 2, -2, 2}, vx0[] = {0, 0, 0, 0, 0, 1.75, -1.5};
  const double y0[] = {3, -3, 2, 0, 0, -4, 4}, vy0[] = {0, 0, 0, -1.25, 1, 0, 0};
  for (int i = 1; i <= 7; ++i) {
    m.fix(x(i), x0[i - 1]), m.fix(der(x(i)), vx0[i - 1]);
    m.fix(y(i), y0[i - 1]), m.fix(der(y(i)), vy0[i - 1]);
  }
}

}  // namespace

Problem pleiades() {
  const std::string source = "extrapolation in quadruple precision";
  return Problem({
      .name = "pleiades",
      .title = "seven stars in the plane",
      .source = "E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, "
                "section II.10; Test Set for Initial Value Problem Solvers, problem plei",
      .kind = ProblemKind::kOde,
      .stop_time = 3,
      .equations = pleiades_equations,
      .references =
          {{.t = 3,
            .values = relative(
                1e-15, "x",
                {0.37061391439705129, 3.2372840920572331, -3.2225590324183233, 0.65970914557753084,
                 0.34255817071565798, 1.5621721014006310, -0.70030929222124954}),
            .source = source},
           {.t = 3,
            .values = relative(
                1e-15, "y",
                {-3.9434375855173921, -3.2713809739725499, 5.2250818434565442, -2.5906124349774695,
                 1.1982136933922746, -0.24296823449358234, 1.0914492404289797}),
            .source = source}},
      .structure =
          {.c = std::vector<int>(14, 0), .d = std::vector<int>(14, 2), .index = 0, .dof = 28},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
