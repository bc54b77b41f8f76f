// What is told about an event: its record, with jumps and impulses of all variables, observed ones
// included, and how far it magnifies errors.
#pragma once

#include <string>
#include <vector>

#include "sim/event.h"
#include "sim/observed_values.h"
#include "sim/run_report.h"
#include "sim/settings.h"
#include "sim/state_view.h"
#include "sim/variable_scales.h"

namespace hydae {

class EventLog {
 public:
  EventLog(const HybridModel& model, const RunSettings& settings, const VariableScales& scales,
           RunReport& report);

  // Values of all observed variables.
  std::vector<double> observed(double t, const ObservedValues::Values& value);
  // After the event is settled: `now` is the state behind it.
  void record(const StateView& now, Event& event);
  // One for each event of a Zeno limit: without observed impulses.
  void add_record(const StateView& now, const Event& event);

  // Whether a variable is another behind the event, by more than errors.
  bool has_jumps(const StateView& now, const Event& event) { return !jumps(now, event).empty(); }

 private:
  void observe_impulses(const StateView& now, Event& event);
  double mean_along_jump(NodeId root, const StateView& now, const Event& event);
  void warn_of_magnified_errors(const StateView& now, const Event& event);
  std::string kind_of(const StateView& now, const Event& event) const;
  std::vector<std::string> switched_relations(const StateView& now, const Event& event) const;
  std::vector<Jump> jumps(const StateView& now, const Event& event);
  std::string mode_name(const ModeChoice& choice) const;

  const HybridModel& hybrid_;
  const Model& model_;
  const RunSettings& settings_;
  const VariableScales& scales_;
  RunReport& report_;
  ObservedValues observed_;  // all of them
};

}  // namespace hydae
