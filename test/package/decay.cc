// x' = -x from 1: at t = 1 the solution is 1/e. Ends with 0 if the simulation says so.
#include <cmath>

#include <hydae/simulate.h>

int main() {
  hydae::Model model("decay");
  const hydae::Expr x = model.variable("x");
  model.equation(der(x) == -x);
  model.fix(x, 1);
  const hydae::Simulation run = hydae::simulate(model, {.stop = 1, .tolerance = 1e-10});
  return std::abs(run.trajectory.series("x").back() - std::exp(-1.0)) < 1e-8 ? 0 : 1;
}
