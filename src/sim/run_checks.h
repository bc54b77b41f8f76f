// What must hold at every time that is looked at: assertions of the model, bounds of variables,
// equations that were left out because they follow from the others, Integers that are exact.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "sim/bound_watch.h"
#include "sim/guarded_roots.h"
#include "sim/implied_check.h"
#include "sim/outcome.h"
#include "sim/run_report.h"
#include "sim/workspaces.h"

namespace hydae {

class RunChecks {
 public:
  RunChecks(const HybridModel& model, const RunSettings& settings, Workspaces& workspaces,
            RunReport& report);

  // All of it at t, but for Integers. Warnings go into the report, once each.
  Outcome<Done> check(const StateView& view, double t);
  // The same where initial() is true.
  Outcome<Done> check_initially(const StateView& view, double t);

  // Where equations that were left out are looked at inside a step, which may be as long as the
  // run; none if nothing was left out.
  std::vector<double> times_inside(double from, double to) const;
  Outcome<Done> check_implied(const StateView& view, const EvaluationContext& now);
  double largest_implied_residual() const { return implied_.largest(); }

  void check_bounds(const StateView& view, double t) { bounds_.check(view, t); }
  // The same of a point from which no run begins.
  void check_bounds_at_start(const std::function<double(Leaf)>& values, double t) {
    bounds_.check_start(values, t);
  }
  // Behind an event: Integers are exact, or refused.
  Outcome<Done> check_integers(const HybridState& state, double t) const;
  // Why an event at t has failed: division by zero rather than what has come of it.
  Failure explained(Failure failure, const StateView& view, double t);

 private:
  Outcome<Done> check_at(const EvaluationContext& now, const StateView& view);
  Outcome<Done> check_assertions(const EvaluationContext& now);

  const HybridModel& model_;
  const RunSettings& settings_;
  const Workspaces& workspaces_;
  RunReport& report_;
  BoundWatch bounds_;
  ImpliedCheck implied_;
  CompiledExpressions assertions_;
  std::deque<bool> is_violated_;  // each violation is told once, where it begins
  RootChecks roots_;
};

}  // namespace hydae
