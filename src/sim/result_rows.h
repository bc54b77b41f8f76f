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

  // Nobody wants rows.
  void turn_off() { is_off_ = true; }

  using Values = std::function<double(Leaf)>;
  void record(double t, const Values& values) {
    if (!is_off_) recorder_.record(t, values);
  }
  void record(const StateView& view, double t) { record(t, view.values(t)); }
  // All times of the grid that have not been recorded, up to t.
  void record_until(const StateView& view, double t) {
    if (is_off_) return;
    while (const auto time = grid_.next_until(t)) record(view, *time);
  }

  // The row of a run that goes on from t, in place of all that the grid has up to there.
  void begin_at(const StateView& view, double t) {
    while (grid_.next_until(t)) {
    }
    record(view, t);
  }

  Recorder& recorder() { return recorder_; }

 private:
  OutputGrid grid_;
  Recorder recorder_;
  bool is_off_ = false;
};

}  // namespace hydae
