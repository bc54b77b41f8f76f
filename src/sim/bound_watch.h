// min and max of variables, observed ones included: a solution that leaves them is not stopped, and
// not silent either. Said once for each variable, with the time.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sim/observed_values.h"
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
  // A point that nothing goes on from.
  void check_start(const std::function<double(Leaf)>& values, double t);

 private:
  using ValuesAt = std::function<double(Leaf, double t)>;
  struct Bound {
    VarId variable;
    double limit = 0;
    bool is_min = false;
    std::optional<std::size_t> observed{};  // position among the observed values
    double scale = 1;                       // of an observed variable: nominal, or the size met
    bool has_nominal = true;
  };
  void add_bounds(const std::vector<double>& parameters, Bound bound);
  void check(const ValuesAt& values, double t);
  bool is_violated(Bound& bound, double value) const;
  double value_of(const Bound& bound, const ValuesAt& values, double t);
  void say(const Bound& bound, const ValuesAt& values, double t);

  const HybridModel& model_;
  const RunSettings& settings_;
  const VariableScales& scales_;
  RunReport& report_;
  std::vector<Bound> bounds_;  // that were kept so far
  std::optional<ObservedValues> observed_;
  double last_;  // time of the last check
  bool is_first_ = true;
};

}  // namespace hydae
