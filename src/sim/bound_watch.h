// min and max of variables: a solution that leaves them is not stopped, and not silent either. Said
// once for each variable, with the time.
#pragma once

#include <vector>

#include "sim/run_report.h"
#include "sim/settings.h"
#include "sim/state_view.h"
#include "sim/variable_scales.h"

namespace hydae {

class BoundWatch {
 public:
  BoundWatch(const HybridModel& model, const RunSettings& settings, const VariableScales& scales,
             RunReport& report);

  // The solution at t: the end of a step, or either side of an event. From one call to the next the
  // view is one of the same solution, unless no time lies between them.
  void check(const StateView& view, double t);

 private:
  struct Bound {
    VarId variable;
    double limit = 0;
    bool is_min = false;
  };
  bool is_violated(const Bound& bound, double value) const;
  void say(const Bound& bound, const StateView& view, double t);

  const HybridModel& model_;
  const RunSettings& settings_;
  const VariableScales& scales_;
  RunReport& report_;
  std::vector<Bound> bounds_;  // that were kept so far
  double last_;                // time of the last check
  bool is_first_ = true;
};

}  // namespace hydae
