// BDF on large sparse models: time and memory of analysis, initialization, compilation and
// integration as the number of unknowns grows; and the ladder against a program written by hand for
// IDA and KLU.
//
//     bdf_bench [LARGEST [MODEL [ida]]]
//
// LARGEST number of unknowns, 100000 if not given; MODEL one of those below or `by_hand`; with
// `ida`, ordinary differential equations are not left to CVODE.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <sys/resource.h>

#include <hydae/simulate.h>

#include "ladder_by_hand.h"
#include "sim/bdf_solver.h"

namespace hydae {
namespace {

// T_i' = T_(i-1) - 2 T_i + T_(i+1) in units of the cell, one end heated, the other cold.
Model heat_line(int n) {
  Model m("heat_line");
  const std::vector<Expr> T = m.variables("T", n);
  const double k = 1e-2 * n;  // cells per unit of time that heat crosses: stiff for large n
  for (int i = 0; i < n; ++i) {
    const Expr left = i > 0 ? T[i - 1] : Expr(1.0), right = i + 1 < n ? T[i + 1] : Expr(0.0);
    m.equation(der(T[i]) == k * (left - 2 * T[i] + right));
    m.fix(T[i], 0.0);
  }
  return m;
}

Model heat_grid(int n) {
  const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(n))));
  Model m("heat_grid");
  const std::vector<Expr> T = m.variables("T", side * side);
  const double k = 1e-2 * side;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const auto at = [&](int a, int b) {
        if (a < 0) return Expr(1.0);
        return a >= side || b < 0 || b >= side ? Expr(0.0) : T[a * side + b];
      };
      const Expr here = at(i, j);
      m.equation(der(here) ==
                 k * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1) - 4 * here));
      m.fix(here, 0.0);
    }
  return m;
}

// As components give it: current, voltage of the capacitor, voltages of resistor and inductor.
Model ladder(int n) {
  const int sections = std::max(1, n / 4);
  Model m("ladder");
  const Expr R = m.parameter("R", LadderByHand::kR), L = m.parameter("L", LadderByHand::kL),
             C = m.parameter("C", LadderByHand::kC);
  const std::vector<Expr> i = m.variables("i", sections), v = m.variables("v", sections),
                          uR = m.variables("uR", sections), uL = m.variables("uL", sections);
  for (int k = 0; k < sections; ++k) {
    const Expr before = k > 0 ? v[k - 1] : sin(LadderByHand::kOmega * m.time());
    const Expr next = k + 1 < sections ? i[k + 1] : v[k] / LadderByHand::kLoad;
    m.equation(uR[k] == R * i[k]);
    m.equation(uL[k] == L * der(i[k]));
    m.equation(before == uR[k] + uL[k] + v[k]);
    m.equation(C * der(v[k]) == i[k] - next);
    m.fix(i[k], 0.0);
    m.fix(v[k], 0.0);
  }
  return m;
}

// Masses in a row joined by rods: node k feels the rods to both neighbours. Index 3, one block.
Model rod_chain(int n) {
  const int links = std::max(1, n / 3);
  Model m("rod_chain");
  const std::vector<Expr> x = m.variables("x", links), y = m.variables("y", links),
                          f = m.variables("f", links);
  const Expr zero = 0.0;
  for (int k = 0; k < links; ++k) {
    const Expr dx = x[k] - (k > 0 ? x[k - 1] : zero), dy = y[k] - (k > 0 ? y[k - 1] : zero);
    Expr fx = -f[k] * dx, fy = -f[k] * dy - 9.81;
    if (k + 1 < links) {
      fx += f[k + 1] * (x[k + 1] - x[k]);
      fy += f[k + 1] * (y[k + 1] - y[k]);
    }
    m.equation(der(x[k], 2) == fx);
    m.equation(der(y[k], 2) == fy);
    m.equation(dx * dx + dy * dy == 1);
    // Hanging at an angle of 0.1 to the vertical, at rest: the whole chain swings.
    m.start(x[k], (k + 1) * std::sin(0.1));
    m.fix(x[k], (k + 1) * std::sin(0.1));
    m.start(y[k], -(k + 1) * std::cos(0.1));
    m.fix(der(x[k]), 0.0);
    m.start(f[k], (links - k) * 9.81);
    m.nominal(f[k], links * 9.81);
  }
  return m;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Seconds of the processor, not of the clock: other work on the machine does not count.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A run with the time that it took up to the end of the first step and from there on.
struct TimedRun {
  Simulation simulation;
  double preparation = 0, integration = 0;
};

TimedRun run_timed(const Model& model, SimulateOptions options) {
  const double begin = cpu_seconds();
  double first_step = 0;
  options.progress = [&](double) {
    if (first_step == 0) first_step = cpu_seconds();
    return true;
  };
  TimedRun run{simulate(model, options)};
  run.preparation = first_step - begin;
  run.integration = cpu_seconds() - first_step;
  return run;
}

double seconds_of(const Summary& summary, const char* what) {
  const auto at = summary.seconds.find(what);
  return at == summary.seconds.end() ? 0 : at->second;
}

struct Wishes {
  int largest = 100000;
  std::string only;
  BdfCode code = BdfCode::kBest;
};

void run_family(const char* name, const std::function<Model(int)>& make, double stop,
                const Wishes& wishes) {
  const int largest = wishes.largest;
  for (int n = 100; n <= largest; n *= 10) {
    const double begin = cpu_seconds();
    const Model model = make(n);
    const double built = cpu_seconds() - begin;
    SimulateOptions options;
    options.solver = Solver::kIda;
    options.bdf.code = wishes.code;
    options.stop = stop;
    options.points = 11;
    options.variables = {model.all_variables()[VarId(0)].name};
    const TimedRun run = run_timed(model, options);
    const Summary& s = run.simulation.summary;
    fmt::print(
        "{:10} {:7} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:8.3f} {:7} {:7} {:7} {:8.0f} {:5}  "
        "{}\n",
        name, model.num_variables(), built, seconds_of(s, "analyze"), seconds_of(s, "initialize"),
        seconds_of(s, "compile"), run.preparation, run.integration, s.steps, s.factorizations,
        s.newton_iterations, peak_megabytes(), s.bdf, s.succeeded() ? "" : s.message);
    std::fflush(stdout);
  }
}

// Long lines are integrated over a shorter time: the wave from the source does not reach the end.
void compare_ladder(const Wishes& wishes) {
  fmt::print(
      "\nladder at tolerance 1e-6 against a program by hand (IDA + KLU), integration only\n");
  fmt::print("{:>9} {:>5} {:>9} {:>9} {:>9} {:>6} {:>7} {:>7} {:>9} {:>9}\n", "sections", "stop",
             "by hand", "hydae s", "hand s", "ratio", "steps", "by hand", "error", "by hand");
  for (int sections = 250; 4 * sections <= wishes.largest; sections *= sections < 25000 ? 10 : 4) {
    const double stop = sections > 2500 ? 0.1 : 1.0;
    const Model model = ladder(4 * sections);
    SimulateOptions options;
    options.solver = Solver::kIda;
    options.bdf.code = wishes.code;
    options.stop = stop;
    options.points = 2;
    options.variables = {"v[1]"};
    const TimedRun timed = run_timed(model, options);
    const Simulation& run = timed.simulation;
    const double mine = timed.integration;
    const double voltage = run.trajectory.value(run.trajectory.num_rows() - 1, 0);
    LadderByHand exact({sections, stop, 1e-11, 1e-11});
    exact.integrate();
    // With the tolerances of the run, and with those that reach the BDF method.
    for (const double share : {1.0, share_of_step(run.summary.tolerance)}) {
      LadderByHand hand({sections, stop, share * run.summary.tolerance, share * run.summary.atol});
      hand.integrate();
      fmt::print("{:9} {:5} {:9.0e} {:9.3f} {:9.3f} {:6.2f} {:7} {:7} {:9.1e} {:9.1e}\n", sections,
                 stop, share * run.summary.tolerance, mine, hand.seconds(), mine / hand.seconds(),
                 run.summary.steps, hand.steps(), std::abs(voltage - exact.first_voltage()),
                 std::abs(hand.first_voltage() - exact.first_voltage()));
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace hydae

int main(int argc, char** argv) {
  hydae::Wishes wishes;
  if (argc > 1) wishes.largest = std::atoi(argv[1]);
  if (argc > 2) wishes.only = argv[2];
  if (argc > 3 && argv[3] == std::string("ida")) wishes.code = hydae::BdfCode::kIda;
  fmt::print(
      "seconds; tolerance 1e-6\n{:10} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7} {:>7} "
      "{:>8}\n",
      "model", "n", "build", "analyze", "init", "compile", "CPU: pre", "integr.", "steps",
      "factor.", "newton", "MB");
  const auto is_wanted = [&](const char* name) {
    return wishes.only.empty() || wishes.only == name;
  };
  const auto run = [&](const char* name, const auto& make, double stop) {
    if (is_wanted(name)) hydae::run_family(name, make, stop, wishes);
  };
  run("heat_line", hydae::heat_line, 10);
  run("heat_grid", hydae::heat_grid, 10);
  run("ladder", hydae::ladder, 1);
  run("rod_chain", hydae::rod_chain, 0.1);
  if (is_wanted("by_hand")) hydae::compare_ladder(wishes);
}
