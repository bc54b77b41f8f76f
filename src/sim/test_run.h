// Short names for tests of hybrid runs.
#pragma once

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <hydae/simulate.h>

namespace hydae {

inline constexpr double kGravity = 9.81;

inline WhenAction action(WhenAction::Kind kind, const Expr& target, const Expr& value = 0) {
  WhenAction result;
  result.kind = kind;
  result.target = target;
  result.value = value;
  return result;
}
inline WhenAction assign(const Expr& target, const Expr& value) {
  return action(WhenAction::Kind::kAssign, target, value);
}
inline WhenAction reinit(const Expr& target, const Expr& value) {
  return action(WhenAction::Kind::kReinit, target, value);
}
inline WhenAction impact_law(const Equality& law) {
  return action(WhenAction::Kind::kEquation, law.lhs, law.rhs);
}
inline WhenAction impulse(const Expr& target) { return action(WhenAction::Kind::kImpulse, target); }
inline WhenClause when(std::vector<Expr> conditions, std::vector<WhenAction> actions) {
  WhenClause clause;
  clause.branches.push_back({std::move(conditions), std::move(actions)});
  return clause;
}
inline Expr counter(Model& model, const std::string& name) {
  Variable variable;
  variable.name = name;
  variable.kind = VariableKind::kInteger;
  const Expr result = model.variable(std::move(variable));
  model.fix(result, 0);
  return result;
}

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
