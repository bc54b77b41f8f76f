// A bridge rectifier whose diode exists as compiled code only, integrated by BDF with two
// Jacobians: one made of differences of all equations together, and the assembled one, in which
// everything but the diode is exact and the diode is differenced over its own voltage alone.
//
// Circuit and comparison: M. Najafi, R. Nikoukhah, On Jacobian evaluation for numerical integration
// of DAEs with partial symbolic information, equation (14).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

#include <hydae/simulate.h>

namespace {

using namespace hydae;

// Current through the diode: exponential, continued by its tangent above N Vt.
double diode(double u) {
  const double R = 1e8, Id = 1e-6, Vt = 0.04, N = 15;
  const double growth = u < N * Vt ? std::exp(u / Vt) : (Vt - N * Vt + u) / Vt * std::exp(N);
  return u / R - Id + Id * growth;
}

Model rectifier() {
  Model m("rectifier");
  Function code;
  code.name = "diode";
  code.num_inputs = 1;
  code.evaluate = [](std::span<const double> in, std::span<double> out) { out[0] = diode(in[0]); };
  const FunctionId diode_code = m.function(code);
  const auto f = [&](const Expr& voltage) { return m.call(diode_code, std::span(&voltage, 1)); };

  const double r0 = 220, r1 = 50, r2 = 1e-4, r3 = 500, r4 = 20;
  const std::vector<Expr> x = m.variables("x", 4);
  const Expr v0 = r0 * sin(std::numbers::pi * r1 * m.time());
  const Expr v1 = r3 * (x[2] - f(-x[1]) - f(x[0] - x[1]));
  const Expr v2 = r4 * (f(x[1] + v1) - f(-x[1]));
  const Expr v3 = x[1] + v0 + v1 + v2;
  m.equation(x[0] + v0 + v2 == 0);
  m.equation(x[3] + v1 == 0);
  m.equation(f(x[0] - x[1]) + f(-x[1]) - f(x[1] + v1) - f(v3) == 0);
  m.equation(r2 * der(x[3]) - x[2] == 0);
  m.fix(x[3], 0.0);
  for (int i = 0; i < 3; ++i) m.start(x[static_cast<std::size_t>(i)], 0.0);
  return m;
}

// Runge-Kutta in 80-bit arithmetic on the eliminated ODE, three step sizes, at t = 0.1.
constexpr double kEnd[] = {0, 86.83484385188, -0.3473431121044, 173.66968770377};

struct Outcome {
  bool is_complete = false;
  double t_end = 0;
  long steps = 0;
  double digits = 0;  // correct ones of the worst value at the end, relative to the largest
};

Outcome run(double tolerance, JacobianBy jacobian) {
  SimulateOptions options;
  options.solver = Solver::kIda;
  options.tolerance = tolerance;
  options.stop = 0.1;
  options.points = 2;
  options.bdf.jacobian = jacobian;
  const Simulation simulation = simulate(rectifier(), options);
  Outcome outcome{simulation.summary.succeeded(), simulation.summary.t_end,
                  simulation.summary.steps, 0};
  if (!outcome.is_complete) return outcome;
  double error = 1e-16;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto column = simulation.trajectory.find_column(fmt::format("x[{}]", i + 1));
    const double got = simulation.trajectory.value(simulation.trajectory.num_rows() - 1, *column);
    error = std::max(error, std::abs(got - kEnd[i]) / std::max(1.0, std::abs(kEnd[i])));
  }
  outcome.digits = -std::log10(error);
  return outcome;
}

std::string describe(const Outcome& outcome) {
  return outcome.is_complete
             ? fmt::format("{:6} steps, {:4.1f} digits", outcome.steps, outcome.digits)
             : fmt::format("{:6} steps, stops at t = {:.3g}", outcome.steps, outcome.t_end);
}

}  // namespace

int main() {
  fmt::print("{:>9}   {:34} {}\n", "tolerance", "differences of all equations", "assembled");
  double best = 0;
  bool is_always_complete = true;
  for (int k = 3; k <= 12; ++k) {
    const double tolerance = std::pow(10.0, -k);
    const Outcome differences = run(tolerance, JacobianBy::kDifferences);
    const Outcome assembled = run(tolerance, JacobianBy::kAssembly);
    fmt::print("{:9.0e}   {:34} {}\n", tolerance, describe(differences), describe(assembled));
    best = std::max(best, assembled.digits);
    is_always_complete = is_always_complete && assembled.is_complete;
  }
  return is_always_complete && best >= 8 ? 0 : 1;
}
