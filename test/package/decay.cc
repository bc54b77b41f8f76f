// x' = -x from 1: at t = 1 the solution is 1/e. Ends with 0 if the simulation says so, and if an
// exception of the library is known outside.
#include <cmath>

#include <hydae/error.h>
#include <hydae/simulate.h>

int main() {
  hydae::Model model("decay");
  const hydae::Expr x = model.variable("x");
  model.equation(der(x) == -x);
  model.fix(x, 1);
  const hydae::Simulation run = hydae::simulate(model, {.stop = 1, .tolerance = 1e-10});
  if (!(std::abs(run.trajectory.series("x").back() - std::exp(-1.0)) < 1e-8)) return 1;
  try {
    hydae::simulate(model, {.stop = 1, .tolerance = -1});
  } catch (const hydae::UsageError&) {
    return 0;
  }
  return 2;
}
