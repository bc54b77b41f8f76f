// The rows of the result: at the times that were asked for, and where somebody asks for one more.
#pragma once

#include "sim/output_grid.h"
#include "sim/recorder.h"
#include "sim/settings.h"
#include "sim/state_view.h"

namespace hydae {

class ResultRows {
 public:
  ResultRows(const HybridModel& model, const RunSettings& settings, const SimulateOptions& options)
      : grid_(settings.start, settings.stop, options), recorder_(model, options) {
    recorder_.reserve(grid_.size());
  }

  using Values = std::function<double(Leaf)>;
  void record(double t, const Values& values) { recorder_.record(t, values); }
  void record(const StateView& view, double t) { recorder_.record(t, view.values(t)); }
  // All times of the grid that have not been recorded, up to t.
  void record_until(const StateView& view, double t) {
    while (const auto time = grid_.next_until(t)) record(view, *time);
  }

  Recorder& recorder() { return recorder_; }

 private:
  OutputGrid grid_;
  Recorder recorder_;
};

}  // namespace hydae
