// Kepler's two-body problem with eccentricity e = 0.6 and period 2 pi, started at the pericentre.
// Half a period later the planet is at the apocentre, a full period later back at the start.

#include <numbers>

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void kepler_equations(Model& m) {
  const Expr e = m.parameter("e", 0.6), x = m.variable("x"), y = m.variable("y");
  const Expr r3 = pow(sqr(x) + sqr(y), 1.5);
  m.equation(der(x, 2) == -x / r3);
  m.equation(der(y, 2) == -y / r3);
  m.fix(x, 1 - e), m.fix(y, 0), m.fix(der(x), 0), m.fix(der(y), sqrt((1 + e) / (1 - e)));
}

}  // namespace

Problem kepler() {
  const double pi = std::numbers::pi;
  return Problem({
      .name = "kepler",
      .title = "Kepler's two-body problem, eccentricity 0.6",
      .source = "J. Kepler, Astronomia nova (1609)",
      .kind = ProblemKind::kOde,
      .stop_time = 2 * pi,
      .equations = kepler_equations,
      // At 2 pi rounded to a double y is wrong by v (2 pi - stop) = 2 * 2.4e-16.
      .references = {{.t = pi,
                      .values =
                          absolute(1e-15, {{"x", -1.6}, {"y", 0}, {"x", 0, 1}, {"y", -0.5, 1}}),
                      .source = "apocentre"},
                     {.t = 2 * pi,
                      .values = absolute(2e-15, {{"x", 0.4}, {"y", 0}, {"x", 0, 1}, {"y", 2, 1}}),
                      .source = "pericentre"}},
      .structure = {.c = {0, 0}, .d = {2, 2}, .index = 0, .dof = 4},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
