// The pendulum in its angle, theta'' = -sin theta, released at rest from theta = 1 rad. All odd
// Taylor coefficients at the start vanish: a step size chosen from the last coefficient alone
// divides by zero. theta = 2 asin(k sn(K - t)), k = sin(1/2).

#include "problems/catalogue.h"
#include "problems/notation.h"

namespace hydae::problems {
namespace {

void pendulum_angle_equations(Model& m) {
  const Expr theta = m.variable("theta");
  m.equation(der(theta, 2) == -sin(theta));
  m.fix(theta, 1), m.fix(der(theta), 0);
}

}  // namespace

Problem pendulum_angle() {
  const std::string source = "closed form in Jacobi elliptic functions";
  return Problem({
      .name = "pendulum_angle",
      .title = "pendulum in its angle, with a lacunary Taylor series at the start",
      .description =
          "A second-order ODE that is even in time: every other Taylor coefficient is zero.",
      .source = "textbook",
      .kind = ProblemKind::kOde,
      .stop_time = 100,
      .equations = pendulum_angle_equations,
      .references = {{.t = 1,
                      .values = absolute(1e-16, {{"theta", 0.60008536612750644},
                                                 {"theta", -0.75496371395313082, 1}}),
                      .source = source},
                     {.t = 100,
                      .values = absolute(1e-16, {{"theta", 0.89618247769301593},
                                                 {"theta", 0.41059345729492447, 1}}),
                      .source = source}},
      .structure = {.c = {0}, .d = {2}, .index = 0, .dof = 2},
      .start_accuracy = 0,
  });
}

}  // namespace hydae::problems
