// What guards cost that do nothing: a chain of masses and springs, a thousand states, with and
// without a relation for each state that never changes. Microseconds per step, by both solvers.
//     guard_bench [STATES [GUARDS [taylor|ida]]]
// For instructions: valgrind --tool=callgrind --toggle-collect='hydae::Run::integrate*' guard_bench
// 1000 1000 taylor
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

#include <hydae/events.h>
#include <hydae/simulate.h>

namespace {

using namespace hydae;

// x_k'' = x_(k-1) - 2 x_k + x_(k+1), both ends fixed; the first mass is displaced.
Model chain(int num_states, int num_guards) {
  Model m("chain");
  const int n = num_states / 2;
  std::vector<Expr> x, v;
  for (int k = 0; k < n; ++k) x.push_back(m.variable(fmt::format("x[{}]", k + 1)));
  for (int k = 0; k < n; ++k) v.push_back(m.variable(fmt::format("v[{}]", k + 1)));
  const auto at = [&](int k) { return k < 0 || k >= n ? Expr(0) : x[static_cast<std::size_t>(k)]; };
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(k);
    m.equation(der(x[i]) == v[i]);
    m.equation(der(v[i]) == at(k - 1) - 2 * at(k) + at(k + 1));
    m.fix(x[i], k == 0 ? 1 : 0.5 * k / n);
    m.fix(v[i], 0);
  }
  const Expr count = integer(m, "count", 0);
  for (int k = 0; k < num_guards; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Expr& state = i < x.size() ? x[i] : v[(i - x.size()) % v.size()];
    m.when(when({state > 10 + 0.001 * k}, {assign(count, pre(count) + 1)}));
  }
  return m;
}

void report(int num_states, int num_guards, Solver solver) {
  const Model model = chain(num_states, num_guards);
  SimulateOptions options;
  options.stop = 20;
  options.points = 2;
  options.solver = solver;
  options.with_derivatives = false;
  double least = std::numeric_limits<double>::infinity();
  long steps = 0;
  for (int k = 0; k < 3; ++k) {
    Simulation run = simulate(model, options);
    least = std::min(least, run.summary.seconds["integrate"]);
    steps = run.summary.steps;
  }
  fmt::print("{:<7} {:>5} states {:>5} guards {:>6} steps {:>10.1f} us per step\n",
             solver == Solver::kIda ? "ida" : "taylor", num_states, num_guards, steps,
             1e6 * least / static_cast<double>(steps));
}

}  // namespace

int main(int argc, char** argv) {
  const int num_states = argc > 1 ? std::atoi(argv[1]) : 1000;
  if (argc > 3) {
    report(num_states, std::atoi(argv[2]),
           std::string(argv[3]) == "ida" ? Solver::kIda : Solver::kTaylor);
    return 0;
  }
  for (Solver solver : {Solver::kTaylor, Solver::kIda})
    for (int num_guards : {0, argc > 2 ? std::atoi(argv[2]) : 1000})
      report(num_states, num_guards, solver);
  return 0;
}
