// Arenstorf's orbit: a satellite between earth and moon in rotating coordinates, periodic, with
// close passages of the moon. Half a period is checked too: the orbit is symmetric to the x-axis.

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

constexpr double kPeriod = 17.0652165601579625588917206249;

void arenstorf_equations(Model& m) {
  const Expr mu = m.parameter("mu", 0.012277471), nu = 1 - mu;
  const Expr x = m.variable("x"), y = m.variable("y");
  const Expr D1 = pow(sqr(x + mu) + sqr(y), 1.5), D2 = pow(sqr(x - nu) + sqr(y), 1.5);
  m.equation(der(x, 2) == x + 2 * der(y) - nu * (x + mu) / D1 - mu * (x - nu) / D2);
  m.equation(der(y, 2) == y - 2 * der(x) - nu * y / D1 - mu * y / D2);
  m.fix(x, 0.994), m.fix(y, 0), m.fix(der(x), 0);
  m.fix(der(y), -2.00158510637908252240537862224);
}

}  // namespace

Problem arenstorf() {
  return Problem({
      .name = "arenstorf",
      .title = "restricted three-body problem, Arenstorf's periodic orbit",
      .description = "Rounding the start values to double moves the end of the orbit by 4e-12.",
      .source = "E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, "
                "section II.0",
      .kind = ProblemKind::kOde,
      .stop_time = kPeriod,
      .equations = arenstorf_equations,
      .references = {{.t = kPeriod / 2,
                      .values = absolute(2e-12, {{"x", -1.244822052026569706},
                                                 {"y", 0},
                                                 {"x", 0, 1},
                                                 {"y", 0.553990308142223068, 1}}),
                      .source = "extrapolation in quadruple precision"},
                     {.t = kPeriod,
                      .values = absolute(
                          2e-11,
                          {{"x", 0.994}, {"y", 0}, {"x", 0, 1}, {"y", -2.00158510637908252, 1}}),
                      .source = "periodicity"}},
      .structure = {.c = {0, 0}, .d = {2, 2}, .index = 0, .dof = 4},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
