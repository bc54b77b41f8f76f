// Lorenz' equations with the classical parameters. The solution is chaotic: errors grow by a factor
// of about 2.5 in each unit of time, so the reference is that of the model whose beta is the double
// nearest to 8/3.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void lorenz_equations(Model& m) {
  const Expr sigma = m.parameter("sigma", 10), rho = m.parameter("rho", 28);
  const Expr beta = m.parameter("beta", 8.0 / 3.0);
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == sigma * (y - x));
  m.equation(der(y) == x * (rho - z) - y);
  m.equation(der(z) == x * y - beta * z);
  m.fix(x, 1), m.fix(y, 1), m.fix(z, 1);
}

}  // namespace

Problem lorenz() {
  const std::string source = "extrapolation in quadruple precision";
  return Problem({
      .name = "lorenz",
      .title = "Lorenz' equations, chaotic",
      .source = "E. N. Lorenz, Deterministic nonperiodic flow, J. Atmos. Sci. 20 (1963) 130-141",
      .kind = ProblemKind::kOde,
      .stop_time = 20,
      .equations = lorenz_equations,
      .references = {{.t = 5,
                      .values = absolute(1e-14, {{"x", -6.5121136994195990},
                                                 {"y", -6.9740427884170745},
                                                 {"z", 23.924129572103373}}),
                      .source = source},
                     {.t = 20,
                      .values = absolute(1e-14, {{"x", 13.793199595130381},
                                                 {"y", 12.951803936192500},
                                                 {"z", 34.901608681136812}}),
                      .source = source}},
      .structure = {.c = {0, 0, 0}, .d = {1, 1, 1}, .index = 0, .dof = 3},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
