// Speed at events: events per second on the bouncing ball and on a rectifier of 50 diodes, and the
// cost of a restart in units of ordinary steps. Times are minima over repetitions.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include <hydae/problems.h>
#include <hydae/simulate.h>

#include "problems/notation.h"

namespace {

using namespace hydae;

// Seconds of integration, the least of some runs.
Simulation fastest(const Model& model, const SimulateOptions& options) {
  Simulation best;
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 5; ++k) {
    Simulation simulation = simulate(model, options);
    const double seconds = simulation.summary.seconds["integrate"];
    if (seconds < least) {
      least = seconds;
      best = std::move(simulation);
    }
  }
  return best;
}

void report(const char* name, Simulation& simulation) {
  Summary& s = simulation.summary;
  const double seconds = s.seconds["integrate"];
  fmt::print("{:<22} {:>6} events {:>7} steps {:>10.3f} ms {:>10.0f} events/s  {}\n", name,
             s.events.size(), s.steps, 1e3 * seconds,
             static_cast<double>(s.events.size()) / seconds, name_of(s.status));
}

Model ball(double e) {
  Model m("ball");
  const Expr h = m.variable("h"), v = m.variable("v");
  m.equation(der(h) == v);
  m.equation(der(v) == -9.81);
  m.when(problems::when({h <= 0}, {problems::reinit(v, -e * pre(v))}));
  m.fix(h, 1), m.fix(v, 0);
  return m;
}

// n sources of shifted phase charge one capacitor through a diode and a resistor each. A diode is
// the curve (v, i) = (s, 0) for s < 0 and (0, s) otherwise.
Model rectifier(int n) {
  Model m("rectifier");
  const Expr u = m.variable("u");
  Expr current = 0;
  for (int k = 0; k < n; ++k) {
    const Expr s = m.variable(fmt::format("s[{}]", k + 1));
    const Expr i = select(s > 0, s, 0), drop = select(s > 0, 0, s);
    m.equation(sin(2 * std::numbers::pi * (m.time() + static_cast<double>(k) / n)) ==
               u + drop + 0.1 * i);
    current = current + i;
  }
  m.equation(der(u) == current - u);
  m.fix(u, 0.5);
  return m;
}

// A step over an event against one that is not: the same problem with and without its guard.
void restart_cost() {
  SimulateOptions options;
  options.stop = 200;
  options.tolerance = options.atol = 1e-9;
  options.points = 2;
  const auto oscillator = [](bool has_events) {
    Model m("oscillator");
    const Expr x = m.variable("x"), n = problems::discrete(m, "n", 0);
    m.equation(der(x, 2) == -x);
    m.when(problems::when({has_events ? x > 0 : x > 2}, {problems::assign(n, pre(n) + 1)}));
    m.fix(x, 1), m.fix(der(x), 0);
    return m;
  };
  Simulation with = fastest(oscillator(true), options),
             without = fastest(oscillator(false), options);
  const double step =
      without.summary.seconds["integrate"] / static_cast<double>(without.summary.steps);
  const double events = static_cast<double>(with.summary.events.size());
  const double extra =
      with.summary.seconds["integrate"] - step * static_cast<double>(with.summary.steps);
  fmt::print("restart: {:.2f} ordinary steps ({:.2f} us each) per event\n", extra / events / step,
             1e6 * step);
}

}  // namespace

int main() {
  SimulateOptions options;
  options.points = 2;
  options.tolerance = options.atol = 1e-9;
  options.stop = 8.5;
  Simulation bouncing = fastest(ball(0.9), options);
  report("bouncing ball", bouncing);
  options.stop = 10;
  Simulation diodes = fastest(rectifier(50), options);
  report("50 diodes", diodes);
  Simulation robot = fastest(find_problem("parallel_robot")->make_model(), {});
  report("parallel robot", robot);
  restart_cost();
  return 0;
}
