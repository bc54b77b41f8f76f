// Short names for tests of hybrid runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hydae/events.h>
#include <hydae/simulate.h>

namespace hydae {

inline constexpr double kGravity = 9.81;

inline Expr counter(Model& model, const std::string& name) { return integer(model, name, 0); }

inline Simulation run(const Model& model, double stop, double tolerance = 1e-13) {
  SimulateOptions options;
  options.stop = stop;
  options.tolerance = options.atol = tolerance;
  options.points = 3;
  return simulate(model, options);
}

inline double final_value(const Simulation& simulation, const std::string& name) {
  return simulation.trajectory.series(name).back();
}

inline std::vector<double> event_times(const Simulation& simulation) {
  std::vector<double> times;
  for (const EventRecord& event : simulation.summary.events) times.push_back(event.t);
  return times;
}

inline std::vector<std::string> event_kinds(const Simulation& simulation) {
  std::vector<std::string> kinds;
  for (const EventRecord& event : simulation.summary.events) kinds.push_back(event.kind);
  return kinds;
}

inline double impulse_of(const EventRecord& event, const std::string& name, int order = 0) {
  for (const Impulse& impulse : event.impulses)
    if (impulse.variable == name && impulse.order == order) return impulse.weight;
  return 0;
}

inline double right_limit(const EventRecord& event, const std::string& name) {
  for (const Jump& jump : event.jumps)
    if (jump.variable == name) return jump.right;
  ADD_FAILURE() << name << " does not jump";
  return 0;
}

}  // namespace hydae
